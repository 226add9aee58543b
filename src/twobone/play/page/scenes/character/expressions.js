// The expressions of a model: those of a VRM file, or else its morph targets by their names. Each moves some
// morph targets of some nodes.

/** @typedef {any} Json */
/** @typedef {{ node: number, target: number, weight: number }} Bind */
/** @typedef {{ name: string, binds: Bind[], isBinary: boolean, overrides: Record<string, "block" | "blend"> }} Expression */

const MOST = 256,
  MOST_BINDS = 1024,
  LONGEST = 80; // expressions, what each moves, and letters of a name
/** @returns {any[]} */
export const listed = (/** @type {Json} */ each) => (Array.isArray(each) ? each : []);
const entries = (/** @type {Json} */ each) => Object.entries(typeof each === "object" && each ? each : {});
const isPlace = (/** @type {Json} */ at) => Number.isInteger(at) && at >= 0;

// Groups of expressions that others may override, each with the member of VRM that says how.
const GROUPS = {
  overrideBlink: ["blink", "blinkLeft", "blinkRight"],
  overrideLookAt: ["lookUp", "lookDown", "lookLeft", "lookRight"],
  overrideMouth: ["aa", "ih", "ou", "ee", "oh"],
};
/** What an expression overrides, by the names of others. @param {Json} one @returns {Record<string, "block" | "blend">} */
const overridesOf = (one) =>
  Object.fromEntries(
    Object.entries(GROUPS).flatMap(([member, names]) =>
      ["block", "blend"].includes(one?.[member]) ? names.map((name) => [name, one[member]]) : [],
    ),
  );

/**
 * How strongly each expression is shown. A binary one is shown wholly from above one half, or not at all. One that
 * blends over another leaves it the rest of its own weight; one that blocks another leaves it nothing.
 * @param {Expression[]} expressions
 * @param {number[]} face what is asked for, 0 to 1
 */
export const weightsOf = (expressions, face) => {
  const own = expressions.map(({ isBinary }, i) => (isBinary ? Number(face[i] > 0.5) : (face[i] ?? 0)));
  const active = own.flatMap((weight, i) => (weight > 0 ? [i] : []));
  return expressions.map(({ name, isBinary }, i) => {
    const taken = active.reduce((sum, j) => {
      const how = j !== i && Object.hasOwn(expressions[j].overrides, name) ? expressions[j].overrides[name] : "none";
      return sum + (how === "block" ? 1 : how === "blend" ? own[j] : 0);
    }, 0);
    return own[i] * (isBinary ? Number(taken <= 0) : Math.max(0, 1 - taken));
  });
};

/**
 * The expressions of a file. Binds to targets that a mesh has not, and expressions without binds, are left out.
 * @param {Json} json
 * @param {Json[]} nodes
 * @param {Json[]} meshes
 * @returns {Expression[]}
 */
export const expressionsOf = (json, nodes, meshes) => {
  const { VRMC_vrm: vrm, VRM: old } = json.extensions ?? {},
    { preset, custom } = vrm?.expressions ?? {};
  const counts = meshes.map((mesh) =>
    listed(mesh.primitives).reduce((most, each) => Math.max(most, listed(each?.targets).length), 0),
  );
  const has = (/** @type {Json} */ node, /** @type {Json} */ target) =>
    isPlace(target) && isPlace(node) && nodes[node] !== undefined && target < counts[nodes[node].mesh];
  // VRM 0.x names a mesh, wherever it is.
  /** @type {Map<Json, number[]>} */
  const within = new Map();
  nodes.forEach(({ mesh }, node) => within.set(mesh, [...(within.get(mesh) ?? []).slice(0, MOST), node]));
  /** @type {[Json, { node: Json, target: Json, weight: Json }[], Json?][]} */
  const told = [
    ...[...entries(preset), ...entries(custom)].slice(0, MOST).map(
      ([name, one]) =>
        /** @type {[Json, any[], Json]} */ ([
          name,
          listed(one?.morphTargetBinds)
            .slice(0, MOST_BINDS)
            .map((bind) => ({ node: bind?.node, target: bind?.index, weight: bind?.weight })),
          one,
        ]),
    ),
    ...listed(old?.blendShapeMaster?.blendShapeGroups)
      .slice(0, MOST)
      .map(
        (one) =>
          /** @type {[Json, any[], Json]} */ ([
            one?.presetName && one.presetName !== "unknown" ? one.presetName : one?.name,
            listed(one?.binds)
              .slice(0, MOST_BINDS)
              .flatMap((bind) =>
                (within.get(bind?.mesh) ?? []).map((node) => ({
                  node,
                  target: bind?.index,
                  weight: bind?.weight / 100,
                })),
              ),
            { isBinary: one?.isBinary },
          ]),
      ),
  ];
  /** @type {(list: typeof told) => Expression[]} */
  const checked = (list) =>
    list.slice(0, MOST).flatMap(([name, binds, one]) => {
      const kept = binds.filter(({ node, target, weight }) => has(node, target) && Number.isFinite(weight));
      return typeof name === "string" && name && kept.length
        ? [{ name: name.slice(0, LONGEST), binds: kept, isBinary: one?.isBinary === true, overrides: overridesOf(one) }]
        : [];
    });
  const ofVrm = checked(told);
  if (ofVrm.length) return ofVrm;
  // The same name in several meshes, as of brows and lashes, is one expression.
  /** @type {Map<Json, { node: number, target: number, weight: number }[]>} */
  const named = new Map();
  nodes.forEach(({ mesh }, node) =>
    listed(meshes[mesh]?.extras?.targetNames)
      .slice(0, MOST)
      .forEach((name, target) => {
        if (!named.has(name)) named.set(name, []);
        named.get(name)?.push({ node, target, weight: 1 });
      }),
  );
  return checked([...named]);
};
