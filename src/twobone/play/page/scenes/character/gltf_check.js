// glTF files (.glb, .vrm) checked and reduced to what the page shows: nodes, meshes, skins, morph targets,
// expressions, animations of both, and base colours. GLTFLoader of three.js gets that and nothing else, so that a hostile file
// neither hangs nor makes it ask for anything: no addresses, no trees with circles, no accessors beyond
// the file, no extensions. Images are decoded here too, once their size is known.
import { t } from "../../texts/texts.js";
import { expressionsOf, listed } from "./expressions.js";
import { MOST_JOINTS, Refused, quoted } from "./refused.js";

/** @typedef {any} Json */
/** @typedef {{ name: string, color: number[], texture: { index: number, channel: number, transform: any } | null, cutoff: number, isBlended: boolean, isDouble: boolean, isUnlit: boolean }} Paint */
/** @typedef {{ json: Json, binary: Uint8Array<ArrayBuffer> }} Parts */

const MAGIC = 0x46546c67,
  JSON_CHUNK = 0x4e4f534a,
  BINARY_CHUNK = 0x004e4942;
const MOST_NODES = 10000,
  MOST_PRIMITIVES = 2000,
  MOST_VERTICES = 5e6,
  WIDEST_IMAGE = 8192;
const MOST_TARGETS = 256; // morph targets of a shape, the layers that a texture has in every WebGL2
const MOST_MORPHED = 1e7; // vertices of all morph targets: a texture holds 32 bytes of each
/** @type {Record<number, number>} */
const BYTES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
/** @type {Record<string, number>} */
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
/** @type {Record<string, number>} */
const PATHS = { translation: 3, rotation: 4, scale: 3, weights: 1 };
// What the page does without, if a file only uses it; what a file requires must be among these.
const COMPRESSED = /draco|meshopt|basisu/;
const KNOWN = [
  "KHR_materials_unlit",
  "KHR_mesh_quantization",
  "KHR_texture_transform",
  "VRM",
  "VRMC_vrm",
  "VRMC_springBone",
  "VRMC_materials_mtoon",
  "VRMC_node_constraint",
];

/** @returns {never} */
const refuse = (/** @type {string} */ words) => {
  throw new Refused(words);
};
/** @returns {never} */
const damaged = (/** @type {string} */ words) => refuse(t`The file is damaged: ${words}.`);

/** The two chunks of a .glb file. @type {(buffer: ArrayBuffer) => Parts} */
export const unwrap = (buffer) => {
  const view = new DataView(buffer);
  if (buffer.byteLength < 20 || view.getUint32(0, true) !== MAGIC)
    refuse(t`This is no glTF file in one piece (.glb): its first bytes are others.`);
  if (view.getUint32(4, true) !== 2)
    refuse(t`This is glTF of version ${view.getUint32(4, true)}; the page reads version 2.`);
  let json = null,
    binary = new Uint8Array();
  for (let at = 12; at + 8 <= buffer.byteLength;) {
    const long = view.getUint32(at, true),
      kind = view.getUint32(at + 4, true);
    if (at + 8 + long > buffer.byteLength) refuse(t`The file ends too early: it was not copied completely.`);
    if (kind === JSON_CHUNK && json === null) json = new Uint8Array(buffer, at + 8, long);
    else if (kind === BINARY_CHUNK && !binary.length) binary = new Uint8Array(buffer, at + 8, long);
    at += 8 + long + ((4 - (long % 4)) % 4);
  }
  if (!json) return refuse(t`The file has no description of its contents (JSON).`);
  try {
    return { json: JSON.parse(new TextDecoder().decode(json)), binary };
  } catch {
    return refuse(t`The description of the file’s contents is no valid JSON.`);
  }
};
/** A .glb file of such chunks. @type {(parts: Parts) => ArrayBuffer} */
export const wrap = ({ json, binary }) => {
  const text = new TextEncoder().encode(JSON.stringify(json)),
    long = (/** @type {number} */ v) => v + ((4 - (v % 4)) % 4),
    wide = long(text.length);
  const out = new Uint8Array(20 + wide + 8 + long(binary.length)).fill(32, 20, 20 + wide),
    view = new DataView(out.buffer);
  [MAGIC, 2, out.length, wide, JSON_CHUNK].forEach((v, i) => view.setUint32(4 * i, v, true));
  out.set(text, 20);
  [long(binary.length), BINARY_CHUNK].forEach((v, i) => view.setUint32(20 + wide + 4 * i, v, true));
  out.set(binary, 28 + wide);
  return out.buffer;
};

// --- checks -------------------------------------------------------------------------------

/** @type {(v: any, count: number) => boolean} */
const isIndex = (v, count) => Number.isInteger(v) && v >= 0 && v < count;
/** @type {(v: any, list: any[], what: string) => number} */
const index = (v, list, what) => (isIndex(v, list.length) ? v : damaged(t`there is no ${what} ${quoted(v)}`));
const listOf = (/** @type {Json} */ json, /** @type {string} */ name) => {
  const found = json[name] ?? [];
  if (!Array.isArray(found) || found.some((each) => typeof each !== "object" || each === null))
    damaged(t`“${name}” is no list of objects`);
  return /** @type {Json[]} */ (found);
};
/** @type {(v: any, count: number) => number[] | undefined} */
const numbersOf = (v, count) => (Array.isArray(v) && v.length === count && v.every(Number.isFinite) ? v : undefined);

// Check a part of the binary chunk: {byteOffset, byteLength}.
/** @type {(views: Json[], buffers: Json[], binary: Uint8Array) => void} */
const checkViews = (views, buffers, binary) =>
  views.forEach((view) => {
    const { buffer = 0, byteOffset = 0, byteLength } = view;
    if (
      !isIndex(buffer, buffers.length) ||
      !isIndex(byteOffset, 2 ** 40) ||
      !isIndex(byteLength, 2 ** 40) ||
      byteOffset + byteLength > binary.length
    )
      damaged(t`it describes data beyond its end`);
  });
/** @type {(accessors: Json[], views: Json[]) => void} */
const checkAccessors = (accessors, views) => {
  let total = 0;
  for (const { bufferView, byteOffset = 0, componentType, count, type, sparse } of accessors) {
    const width = BYTES[componentType] * WIDTHS[type];
    if (type === "MAT2" || type === "MAT3") continue; // nothing that is shown uses them
    if (!(width > 0) || !isIndex(count, 2 ** 31) || !isIndex(byteOffset, 2 ** 40))
      damaged(t`it has numbers of an unknown kind`);
    total += count;
    if (total > 40 * MOST_VERTICES) refuse(t`The file describes more numbers than the page can show.`);
    /** @type {(where: any, offset: number, each: number, most: number) => void} */
    const fits = (where, offset, each, most) => {
      const { byteLength, byteStride = 0 } = views[index(where, views, t`part of the data`)];
      if (offset % 1 || offset + (most - 1) * Math.max(byteStride, each) + each > byteLength)
        damaged(t`it describes numbers beyond its end`);
    };
    if (bufferView !== undefined && count) fits(bufferView, byteOffset, width, count);
    if (sparse) {
      if (!isIndex(sparse.count, count + 1)) damaged(t`it replaces more numbers than there are`);
      if (sparse.count) {
        fits(
          sparse.indices?.bufferView,
          sparse.indices?.byteOffset ?? 0,
          BYTES[sparse.indices?.componentType] || 4,
          sparse.count,
        );
        fits(sparse.values?.bufferView, sparse.values?.byteOffset ?? 0, width, sparse.count);
      }
    }
  }
};
/** The parents of all nodes. @type {(nodes: Json[]) => { parents: number[], order: number[] }} */
const treeOf = (nodes) => {
  const parents = nodes.map(() => -1),
    order = [];
  const childrenOf = nodes.map(({ children = [] }) =>
    Array.isArray(children) ? children : damaged(t`the children of a node are no list`),
  );
  childrenOf.forEach((children, i) =>
    children.forEach((child) => {
      index(child, nodes, t`node`);
      if (parents[child] >= 0) damaged(t`node ${child} has two parents`);
      parents[child] = i;
    }),
  );
  const waiting = parents.flatMap((parent, node) => (parent < 0 ? node : [])).reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    order.push(node);
    waiting.push(...childrenOf[node].toReversed());
  }
  if (order.length < nodes.length) damaged(t`a node is its own ancestor`);
  return { parents, order };
};

// --- reduction ----------------------------------------------------------------------------

/** @type {(node: Json) => Json} */
const transformOf = (node) => {
  const matrix = numbersOf(node.matrix, 16);
  if (matrix) return { matrix };
  return Object.fromEntries(
    /** @type {[string, number][]} */ ([
      ["translation", 3],
      ["rotation", 4],
      ["scale", 3],
    ]).flatMap(([name, count]) => {
      const found = numbersOf(node[name], count);
      if (node[name] !== undefined && !found) damaged(t`the ${name} of a node is not ${count} numbers`);
      return found && !(name === "rotation" && !found.some((part) => part)) ? [[name, found]] : [];
    }),
  );
};
const ATTRIBUTES = {
  POSITION: ["VEC3"],
  NORMAL: ["VEC3"],
  TEXCOORD_0: ["VEC2"],
  TEXCOORD_1: ["VEC2"],
  COLOR_0: ["VEC3", "VEC4"],
  JOINTS_0: ["VEC4"],
  WEIGHTS_0: ["VEC4"],
};
// The morph targets of a shape, each with all of the attributes that one has: for an attribute that a
// target has not, GLTFLoader would take that of the shape, so it gets zeros.
/** @type {(targets: Json, accessors: Json[], count: number, zeros: (count: number) => number) => Record<string, number>[]} */
const targetsOf = (targets, accessors, count, zeros) => {
  const given = (Array.isArray(targets) ? targets : [])
    .slice(0, MOST_TARGETS)
    .map((target) =>
      Object.entries(target ?? {}).filter(([, at]) => accessors[at]?.type === "VEC3" && accessors[at].count === count),
    );
  const names = ["POSITION", "NORMAL"].filter((name) => given.some((target) => target.some(([own]) => own === name)));
  return given.map((target) =>
    Object.fromEntries(names.map((name) => [name, target.find(([own]) => own === name)?.[1] ?? zeros(count)])),
  );
};
/** @type {(mesh: Json, accessors: Json[], materials: Json[], zeros: ((count: number) => number) | null) => { primitives: Json[] }} */
const meshOf = ({ primitives }, accessors, materials, zeros) => {
  if (!Array.isArray(primitives)) return damaged(t`a mesh has no shapes`);
  const found = primitives.flatMap(({ attributes, indices, material, mode = 4, targets }) => {
    const position = accessors[attributes?.POSITION];
    if (!position || ![4, 5, 6].includes(mode) || position.type !== "VEC3" || !position.count) return [];
    const kept = Object.entries(ATTRIBUTES).flatMap(([name, types]) => {
      const accessor = accessors[attributes[name]];
      return accessor && types.includes(accessor.type) && accessor.count === position.count
        ? [[name, attributes[name]]]
        : [];
    });
    if (indices !== undefined && accessors[index(indices, accessors, t`list of corners`)].type !== "SCALAR")
      damaged(t`the corners of a shape are no numbers`);
    const morphs = zeros ? targetsOf(targets, accessors, position.count, zeros) : [];
    return [
      {
        attributes: Object.fromEntries(kept),
        ...(morphs.length && { targets: morphs }),
        ...(indices !== undefined && { indices }),
        ...(isIndex(material, materials.length) && { material }),
        mode,
      },
    ];
  });
  return { primitives: found };
};
/** @type {(material: Json, i: number) => Paint} */
const materialOf = ({ pbrMetallicRoughness: pbr = {}, alphaMode, alphaCutoff, doubleSided, extensions }, i) => {
  const map = pbr.baseColorTexture;
  return {
    name: `m${i}`,
    color: numbersOf(pbr.baseColorFactor, 4) ?? [1, 1, 1, 1],
    texture:
      map && isIndex(map.index, 1e5)
        ? { index: map.index, channel: map.texCoord === 1 ? 1 : 0, transform: map.extensions?.KHR_texture_transform }
        : null,
    cutoff: alphaMode === "MASK" ? (alphaCutoff ?? 0.5) : 0,
    isBlended: alphaMode === "BLEND",
    isDouble: doubleSided === true,
    isUnlit: Boolean(extensions?.KHR_materials_unlit),
  };
};
/** @type {(animation: Json, nodes: Json[], accessors: Json[]) => { name: string | null, channels: Json[], samplers: Json[] }} */
const animationOf = ({ channels = [], samplers = [], name }, nodes, accessors) => {
  const seen = new Set();
  const kept = channels.flatMap((/** @type {Json} */ { sampler: at, target }) => {
    const node = target?.node,
      path = target?.path;
    if (node === undefined || !Object.hasOwn(PATHS, path)) return [];
    index(node, nodes, t`node`);
    const { input, output, interpolation = "LINEAR" } = samplers[index(at, samplers, t`sampler`)];
    const times = accessors[index(input, accessors, t`list of times`)],
      values = accessors[index(output, accessors, t`list of values`)],
      key = `${node} ${path}`;
    const keys = interpolation === "CUBICSPLINE" ? 3 : 1;
    if (seen.has(key) || !["LINEAR", "STEP", "CUBICSPLINE"].includes(interpolation))
      damaged(t`an animation moves a node in two ways`);
    const each = values.count / (keys * times.count); // for weights, one of each morph target
    if (
      times.type !== "SCALAR" ||
      times.componentType !== 5126 ||
      !times.count ||
      WIDTHS[values.type] !== PATHS[path] ||
      (path === "weights" ? each < 1 || each % 1 : each !== 1)
    )
      damaged(t`an animation has other values than times`);
    seen.add(key);
    return [{ channel: { target: { node, path } }, sampler: { input, output, interpolation } }];
  });
  return {
    name: typeof name === "string" ? name : null,
    channels: kept.map((/** @type {Json} */ { channel }, /** @type {number} */ sampler) => ({ ...channel, sampler })),
    samplers: kept.map((/** @type {Json} */ { sampler }) => sampler),
  };
};
/** The node of each humanoid bone that a VRM file names. @type {(json: Json) => Record<string, number>} */
const humanBonesOf = (json) => {
  const { VRMC_vrm: vrm, VRM: old } = json.extensions ?? {},
    count = (json.nodes ?? []).length;
  const named = Object.entries(vrm?.humanoid?.humanBones ?? {}).map(([bone, told]) => [bone, told?.node]);
  const older = listed(old?.humanoid?.humanBones).map((told) => [told?.bone, told?.node]);
  return Object.fromEntries(
    (named.length ? named : older).filter(
      (/** @type {any[]} */ [bone, node]) => typeof bone === "string" && isIndex(node, count),
    ),
  );
};

/**
 * Check a file and keep what is shown. Nodes and materials are named by their index.
 * @param {Parts} parts
 */
export const reduced = ({ json, binary }) => {
  if (typeof json !== "object" || json === null || !String(json.asset?.version).startsWith("2"))
    refuse(t`The file does not say that it is glTF of version 2.`);
  const required = [].concat(json.extensionsRequired ?? []).find((name) => !KNOWN.includes(name));
  if (required)
    refuse(
      t`The file needs ${quoted(required)}, which the page cannot read.` +
        (COMPRESSED.test(required) ? ` ${t`Export it without compression.`}` : ""),
    );
  const [buffers, views, accessors, nodes, meshes, skins, materials, animations, scenes, images] = [
    "buffers",
    "bufferViews",
    "accessors",
    "nodes",
    "meshes",
    "skins",
    "materials",
    "animations",
    "scenes",
    "images",
  ].map((name) => listOf(json, name));
  const elsewhere = [...buffers, ...images].find(({ uri }) => uri !== undefined);
  if (elsewhere)
    refuse(
      t`The file refers to data outside of it, ${quoted(elsewhere.uri)}. Save it as one .glb with everything inside: the page asks for no other file.`,
    );
  if (buffers.length > 1) refuse(t`The file has several buffers; save it as one .glb.`);
  if (!nodes.length) refuse(t`The file has no nodes, so there is nothing to show.`);
  if (nodes.length > MOST_NODES) refuse(t`The file has ${nodes.length} nodes; the page shows up to ${MOST_NODES}.`);
  checkViews(views, buffers, binary);
  checkAccessors(accessors, views);
  const { parents, order } = treeOf(nodes),
    humanBones = humanBonesOf(json);
  const kept = animations.map((each) => animationOf(each, nodes, accessors));
  const joints = jointsOf({ json, nodes, skins, scenes, parents, order, animations: kept, humanBones });
  // Morph targets that nothing shows would only take memory. Those of expressions are left out, too, if they
  // are too many.
  const turned = new Set(
    kept.flatMap(({ channels }) => channels.flatMap(({ target }) => (target.path === "weights" ? target.node : []))),
  );
  const weightsOf = (/** @type {Json} */ { mesh, weights = meshes[mesh]?.weights }) =>
    Array.isArray(weights) ? weights.map((each) => (Number.isFinite(each) ? each : 0)) : [];
  const all = expressionsOf(json, nodes, meshes),
    faces = new Set(all.flatMap(({ binds }) => binds.map(({ node }) => node)));
  const sizeOfMesh = (/** @type {number} */ mesh) =>
    listed(meshes[mesh]?.primitives).reduce(
      (sum, { attributes, targets }) => sum + listed(targets).length * (accessors[attributes?.POSITION]?.count ?? 0),
      0,
    );
  const isSmall =
      [...new Set([...faces].map((node) => nodes[node].mesh))].reduce((sum, mesh) => sum + sizeOfMesh(mesh), 0) <=
      MOST_MORPHED / 2,
    expressions = isSmall ? all : [];
  // GLTFLoader animates no weights of a node that is a joint of a skin: a node below it has its mesh then.
  const bones = new Set(skins.flatMap(({ joints: own }) => listed(own)));
  const morphed = nodes.flatMap((node, i) =>
    turned.has(i) || (isSmall && faces.has(i)) || weightsOf(node).some((each) => each)
      ? [{ node: i, mesh: node.mesh, weights: weightsOf(node) }]
      : [],
  );
  const below = new Map(morphed.filter(({ node }) => bones.has(node)).map(({ node }, i) => [node, nodes.length + i])),
    placeOf = (/** @type {number} */ node) => below.get(node) ?? node;
  const shaped = new Set(morphed.map(({ mesh }) => mesh)),
    numbers = accessors.slice();
  const zeros = (/** @type {number} */ count) => numbers.push({ componentType: 5126, count, type: "VEC3" }) - 1;
  const shapes = meshes.map((mesh, i) => meshOf(mesh, accessors, materials, shaped.has(i) ? zeros : null)),
    primitives = shapes.flatMap((mesh) => mesh.primitives);
  const total = (/** @type {(primitive: Json) => number} */ times) =>
    primitives.reduce((sum, each) => sum + times(each) * accessors[each.attributes.POSITION].count, 0);
  if (
    primitives.length > MOST_PRIMITIVES ||
    total(() => 1) > MOST_VERTICES ||
    total(({ targets = [] }) => targets.length) > MOST_MORPHED
  )
    refuse(t`The model is too large for the page: save it with fewer shapes.`);
  const shapeOf = (/** @type {Json} */ { mesh, skin }) =>
    isIndex(mesh, shapes.length)
      ? { ...(shapes[mesh].primitives.length && { mesh }), ...(isIndex(skin, skins.length) && { skin }) }
      : {};
  const clean = {
    asset: { version: "2.0" },
    buffers: binary.length ? [{ byteLength: binary.length }] : [],
    bufferViews: views.map(({ byteOffset, byteLength, byteStride }) => ({
      buffer: 0,
      byteOffset,
      byteLength,
      byteStride,
    })),
    accessors: numbers.map(({ bufferView, byteOffset, componentType, count, type, normalized, sparse }) => ({
      bufferView,
      byteOffset,
      componentType,
      count,
      type,
      normalized,
      sparse,
      min: [0, 0, 0],
      max: [0, 0, 0],
    })),
    nodes: [
      ...nodes.map((node, i) => ({
        name: `n${i}`,
        children: below.has(i) ? [...listed(node.children), below.get(i)] : node.children,
        ...transformOf(node),
        ...(!below.has(i) && shapeOf(node)),
      })),
      ...[...below].map(([node, i]) => ({ name: `n${i}`, ...shapeOf(nodes[node]) })),
    ],
    meshes: shapes,
    skins: skins.map(({ joints: own, inverseBindMatrices: inverse }) => {
      if (!Array.isArray(own) || !own.length || own.length > MOST_JOINTS) damaged(t`a skin has no joints, or too many`);
      own.forEach((/** @type {number} */ node) => index(node, nodes, t`node`));
      const matrices = accessors[inverse],
        isFit = matrices?.type === "MAT4" && matrices.componentType === 5126 && matrices.count >= own.length;
      return { joints: own, ...(isFit && { inverseBindMatrices: inverse }) };
    }),
    materials: materials.map((_, i) => ({ name: `m${i}` })),
    animations: kept
      .map(({ channels, samplers }) => ({
        channels: channels.map(({ sampler, target: { node, path } }) => ({
          sampler,
          target: { path, node: path === "weights" ? placeOf(node) : node },
        })),
        samplers,
      }))
      .filter(({ channels }) => channels.length),
    scenes: [{ nodes: order.filter((node) => parents[node] < 0) }],
    scene: 0,
  };
  return {
    clean,
    binary,
    joints,
    parents,
    humanBones,
    morphed: morphed.map(({ node, weights }) => ({ node: placeOf(node), weights })),
    expressions: expressions.map(({ binds, ...one }) => ({
      ...one,
      binds: binds.map((bind) => ({ ...bind, node: placeOf(bind.node) })),
    })),
    names: nodes.map(({ name }, i) => (typeof name === "string" && name ? name.slice(0, 200) : `node_${i}`)),
    clipNames: kept.filter(({ channels }) => channels.length).map(({ name }) => name),
    materials: materials.map(materialOf),
    json,
  };
};

// The nodes that are joints, parents first: those that are animated, in a skin or a humanoid bone, and
// their ancestors; as in `motion/from_gltf.py`.
/** @type {(file: { json: Json, nodes: Json[], skins: Json[], scenes: Json[], parents: number[], order: number[], animations: { channels: Json[] }[], humanBones: Record<string, number> }) => number[]} */
const jointsOf = ({ json, nodes, skins, scenes, parents, order, animations, humanBones }) => {
  const used = new Set(Object.values(humanBones));
  for (const { channels } of animations)
    for (const { target } of channels) if (target.path !== "weights") used.add(target.node);
  for (const { joints = [] } of skins) for (const node of joints) used.add(index(node, nodes, t`node`));
  const roots = scenes.length ? (scenes[isIndex(json.scene, scenes.length) ? json.scene : 0].nodes ?? []) : null,
    shown = new Set(roots ?? order);
  for (const node of order) if (shown.has(parents[node])) shown.add(node);
  const both = [...used].filter((node) => shown.has(node)),
    joints = new Set(/** @type {number[]} */ ([]));
  for (let node of both.length ? both : used.size ? used : shown)
    for (; node >= 0 && !joints.has(node); node = parents[node]) joints.add(node);
  if (joints.size > MOST_JOINTS)
    refuse(t`The skeleton has ${joints.size} joints; the page shows up to ${MOST_JOINTS}.`);
  return order.filter((node) => joints.has(node));
};

// --- images -------------------------------------------------------------------------------

// Width and height of a PNG or a JPEG, by its header; null if it is neither.
const sizeOf = (/** @type {Uint8Array} */ bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length > 24 && view.getUint32(0) === 0x89504e47) return [view.getUint32(16), view.getUint32(20)];
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + view.getUint16(at + 2)) {
    const kind = bytes[at + 1];
    if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind))
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
  }
  return null;
};
/** The image of a texture, and how it repeats; null if it cannot be decoded. @type {(json: Json, binary: Uint8Array<ArrayBuffer>, texture: number) => Promise<{ image: ImageBitmap, sampler: Json } | null>} */
export const imageOf = async (json, binary, texture) => {
  const told = json.textures?.[texture],
    { bufferView, mimeType } = json.images?.[told?.source] ?? {},
    view = json.bufferViews?.[bufferView];
  if (!view || typeof createImageBitmap === "undefined") return null;
  const bytes = binary.subarray(view.byteOffset ?? 0, (view.byteOffset ?? 0) + view.byteLength),
    size = sizeOf(bytes);
  if (!size || Math.max(...size) > WIDEST_IMAGE) return null;
  try {
    const image = await createImageBitmap(new Blob([bytes], { type: mimeType }), { colorSpaceConversion: "none" });
    return { image, sampler: json.samplers?.[told.sampler] ?? {} };
  } catch {
    return null;
  }
};
