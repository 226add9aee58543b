// Characters of glTF files (.glb, .vrm): GLTFLoader of three.js makes their meshes, skins and tracks; what
// it gets was checked in gltf_check.js. Joints and frames are those of `motion/from_gltf.py`.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { t } from "../../texts/texts.js";
import { frameCount, frameRate } from "./keys.js";
import { imageOf, reduced, unwrap, wrap } from "./gltf_check.js";
import { conjugate, minus, multiply, plus, rotate, unitQuaternion } from "./rotations.js";
import { FARTHEST, Refused, quoted } from "./refused.js";
import { weightsOf } from "./expressions.js";
import { skeletonOf, toWorld } from "./skeleton.js";

/** @typedef {import("./skeleton.js").Pose} Pose */
/** @typedef {import("./skeleton.js").World} World */
/** @typedef {import("./clips.js").Source} Source */
/** @typedef {import("./gltf_check.js").Paint} Paint */
/** @typedef {{ position: number[], quaternion: number[], scale: number[] }} Local */
/** @typedef {{ object: THREE.Object3D, expressions: string[], apply: (pose: Pose, world: World, face?: number[]) => void, box: () => number[][], dispose: () => void }} Model */

const SMALLEST = 0.04,
  LARGEST = 20,
  UNITS = [0.01, 0.001],
  TWICE = 100; // metres: other skeletons have another unit
const SAME_SCALE = 1e-4,
  MOST_FRAMES = 100000;

/** Read a .glb or .vrm file. @param {ArrayBuffer} buffer @returns {Promise<{ source: Source, model: Model }>} */
export const readGltf = async (buffer) => {
  const found = reduced(unwrap(buffer)),
    { clean, binary, joints } = found;
  let gltf;
  try {
    gltf = await new GLTFLoader().parseAsync(wrap({ json: clean, binary }), "");
  } catch (error) {
    throw new Refused(t`three.js cannot read the file: ${error instanceof Error ? error.message : error}`);
  }
  const object = gltf.scene,
    named = (/** @type {number} */ node) => /** @type {THREE.Object3D} */ (object.getObjectByName(`n${node}`)),
    nodes = joints.map(named);
  const places = new Map(joints.map((node, joint) => [node, joint])),
    parents = joints.map((node) => places.get(found.parents[node]) ?? -1);
  const rest = nodes.map(localOf),
    isScaled =
      rest.some(({ scale }) => scale.some((part) => Math.abs(part - 1) > SAME_SCALE)) ||
      gltf.animations.some(({ tracks }) => tracks.some(({ name }) => name.endsWith(".scale")));
  const skeleton = skeletonOf(
    joints.map((node) => found.names[node]),
    parents,
    toPose(parents, rest, isScaled),
  );
  const positions = toWorld(skeleton, skeleton.rest).positions,
    far = positions.findIndex((v) => !v.every((part) => Math.abs(part) <= FARTHEST));
  if (far >= 0) throw new Refused(t`The node ${quoted(skeleton.names[far])} is not at a position up to ${FARTHEST}.`);
  const spans = [0, 1, 2].map(
    (axis) => Math.max(...positions.map((v) => v[axis])) - Math.min(...positions.map((v) => v[axis])),
  );
  const span = Math.max(...spans),
    large = UNITS.find((unit) => span * unit <= LARGEST) ?? UNITS[1],
    metres = span > 0 && span < SMALLEST ? TWICE : span <= LARGEST ? 1 : large;
  /** @type {Local[]} */
  let shown = rest;
  const faces = new Map(found.morphed.map(({ node, weights }) => [node, { ...meshesOf(named(node)), weights }]));
  let weights = new Map(/** @type {[number, number[]][]} */ ([])); // of morph targets, by node; those of the rest pose where there are none
  const clips = gltf.animations.map((animation, i) => {
    /** @type {{ joint: number, property: keyof Local, times: Float32Array, interpolant: any }[]} */
    const tracks = [];
    /** @type {{ node: number, times: Float32Array, interpolant: any }[]} */
    const turns = [];
    let next = 0; // of weights there is a track for each mesh of the node, and all are equal
    for (const {
      target: { node, path },
    } of clean.animations[i].channels) {
      const isFace = path === "weights",
        joint = places.get(node),
        track = animation.tracks[next],
        count = isFace ? (faces.get(node)?.count ?? 0) : 1;
      next += count;
      if (!count) continue;
      if (
        !track.times.every((time, at) => Number.isFinite(time) && (at === 0 || time > track.times[at - 1])) ||
        !track.values.every(Number.isFinite)
      )
        throw new Refused(
          t`The file is damaged: ${t`the times of an animation do not increase, or its values are no numbers`}.`,
        );
      const one = {
        times: track.times,
        interpolant: /** @type {any} */ (track).createInterpolant(new Float32Array(track.getValueSize())),
      };
      if (isFace) turns.push({ ...one, node });
      else if (joint !== undefined)
        tracks.push({ ...one, joint, property: /** @type {keyof Local} */ (track.name.split(".")[1]) });
    }
    const times = (tracks.length ? tracks : turns).map((track) => track.times),
      first = Math.min(...times.map((each) => each[0])),
      last = Math.max(...times.map((each) => each[each.length - 1]));
    const rate = frameRate(times),
      { fps } = rate,
      count = times.length ? frameCount(first, last, rate) : 1;
    if (!(count <= MOST_FRAMES)) throw new Refused(t`A clip has ${count} frames; the page shows up to ${MOST_FRAMES}.`);
    const poseAt = (/** @type {number} */ frame) => {
      shown = rest.map((local) => ({ ...local }));
      const time = Math.min(first + frame / fps, last);
      for (const { joint, property, interpolant } of tracks)
        shown[joint][property] = Array.from(interpolant.evaluate(time));
      weights = new Map(turns.map(({ node, interpolant }) => [node, Array.from(interpolant.evaluate(time))]));
      return toPose(parents, shown, isScaled);
    };
    return { name: found.clipNames[i], count, fps, poseAt };
  });
  if (!clips.length)
    clips.push({ name: null, count: 1, fps: 30, poseAt: () => ((shown = rest), toPose(parents, rest, isScaled)) });
  const humanBones = Object.fromEntries(
    Object.entries(found.humanBones).flatMap(([bone, node]) =>
      places.has(node) ? [[bone, Number(places.get(node))]] : [],
    ),
  );
  const dispose = await paint(object, found);
  const place = new THREE.Vector3(),
    spaces = nodes.map(() => new THREE.Matrix4()),
    back = new THREE.Matrix4();
  const apply = (/** @type {Pose} */ pose, /** @type {World} */ world, /** @type {number[]} */ face = []) => {
    nodes.forEach((node, joint) => {
      const [x, y, z] = isScaled ? shown[joint].position : pose.translations[joint],
        [sx, sy, sz] = shown[joint].scale,
        [a, b, c, d] = pose.rotations[joint];
      node.position.set(x, y, z);
      node.scale.set(sx, sy, sz);
      node.quaternion.set(a, b, c, d);
    });
    const strong = weightsOf(found.expressions, face);
    for (const [node, { meshes, weights: own }] of faces) {
      const added = found.expressions.flatMap(({ binds }, i) =>
        strong[i]
          ? binds.filter((bind) => bind.node === node).map(({ target, weight }) => ({ target, by: weight * strong[i] }))
          : [],
      );
      const weightOf = (/** @type {number} */ target) =>
        added.reduce((sum, one) => sum + (one.target === target ? one.by : 0), (weights.get(node) ?? own)[target] ?? 0);
      for (const mesh of meshes)
        mesh.morphTargetInfluences = mesh.morphTargetInfluences?.map(
          (/** @type {number} */ _, /** @type {number} */ target) => weightOf(target),
        );
    }
    if (!isScaled) return;
    // Below a scale a translation is not that of the node: put each joint where the pose has it.
    for (const joint of skeleton.order) {
      const node = nodes[joint],
        [x, y, z] = world.positions[joint],
        above = spaces[parents[joint]];
      if (above) {
        place.set(x, y, z).applyMatrix4(back.copy(above).invert());
        if (above.determinant() !== 0) node.position.copy(place);
      }
      node.updateMatrix();
      spaces[joint].copy(node.matrix);
      if (above) spaces[joint].premultiply(above);
    }
  };
  return {
    source: { skeleton, up: "y", metres, humanBones, clips },
    model: { object, expressions: found.expressions.map(({ name }) => name), apply, box: () => boxOf(object), dispose },
  };
};

// The meshes of a node that have morph targets, and how many of them an animation of GLTFLoader moves: in a
// group it counts those of the nodes below too.
const meshesOf = (/** @type {THREE.Object3D} */ object) => {
  const all = [object, ...object.children].flatMap((each) =>
    each instanceof THREE.Mesh && each.morphTargetInfluences ? [each] : [],
  );
  return {
    meshes: all.filter((each) => each === object || !/^n\d+$/.test(each.name)),
    count: /** @type {any} */ (object).isGroup ? all.length : all.filter((each) => each === object).length,
  };
};

const MOST_PRECISE = 200000; // vertices: of larger models the box is that of the rest pose
// Two corners of the box around a model in its present pose.
const boxOf = (/** @type {THREE.Object3D} */ object) => {
  const { x, y, z } = object.position,
    box = new THREE.Box3();
  let vertices = 0;
  object.position.set(0, 0, 0);
  object.updateMatrixWorld(true);
  object.traverse((node) => (vertices += node instanceof THREE.Mesh ? node.geometry.attributes.position.count : 0));
  box.setFromObject(object, vertices < MOST_PRECISE);
  if (box.isEmpty()) object.traverse((node) => box.expandByPoint(node.getWorldPosition(new THREE.Vector3())));
  object.position.set(x, y, z);
  return [box.min.toArray(), box.max.toArray()];
};

const localOf = (/** @type {THREE.Object3D} */ node) => ({
  position: node.position.toArray(),
  quaternion: unitQuaternion(node.quaternion.toArray()),
  scale: node.scale.toArray(),
});

// A pose without scales: the translations of joints below a scale are what they are in the world, in the
// space of the parent's rotation.
/** @type {(parents: number[], locals: Local[], isScaled: boolean) => Pose} */
const toPose = (parents, locals, isScaled) => {
  const rotations = locals.map(({ quaternion }) => unitQuaternion(quaternion));
  if (!isScaled) return { rotations, translations: locals.map(({ position }) => position) };
  /** @type {{ axes: number[][], at: number[], turned: number[] }[]} */
  const world = [];
  const translations = locals.map(({ position, scale }, joint) => {
    const above = world[parents[joint]] ?? {
      axes: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      at: [0, 0, 0],
      turned: [0, 0, 0, 1],
    };
    /** @type {(v: number[]) => number[]} */
    const into = (v) =>
      above.axes[0].map((_, i) => above.axes[0][i] * v[0] + above.axes[1][i] * v[1] + above.axes[2][i] * v[2]);
    const at = plus(above.at, into(position)),
      axes = [
        [scale[0], 0, 0],
        [0, scale[1], 0],
        [0, 0, scale[2]],
      ].map((v) => into(rotate(rotations[joint], v)));
    world[joint] = { axes, at, turned: multiply(above.turned, rotations[joint]) };
    return rotate(conjugate(above.turned), minus(at, above.at));
  });
  return { rotations, translations };
};

// --- materials ----------------------------------------------------------------------------

// The base colours of a model, matt as all of the page.
/** @type {(object: THREE.Object3D, file: { materials: Paint[], json: any, binary: Uint8Array<ArrayBuffer> }) => Promise<() => void>} */
const paint = async (object, { materials, json, binary }) => {
  /** @type {{ dispose: () => void }[]} */
  const used = [];
  const textures = new Map();
  /** @type {(wanted: { index: number, channel: number, transform: any }) => Promise<THREE.Texture | null>} */
  const textureOf = async ({ index, channel, transform }) => {
    if (!textures.has(index)) textures.set(index, await imageOf(json, binary, index));
    const found = textures.get(index);
    if (!found) return null;
    const texture = new THREE.Texture(found.image),
      repeat = /** @type {Record<number, THREE.Wrapping>} */ ({
        33071: THREE.ClampToEdgeWrapping,
        33648: THREE.MirroredRepeatWrapping,
      });
    Object.assign(texture, {
      flipY: false,
      colorSpace: THREE.SRGBColorSpace,
      channel,
      wrapS: repeat[found.sampler.wrapS] ?? THREE.RepeatWrapping,
      wrapT: repeat[found.sampler.wrapT] ?? THREE.RepeatWrapping,
      needsUpdate: true,
    });
    if (transform) {
      texture.offset.fromArray(transform.offset ?? [0, 0]);
      texture.repeat.fromArray(transform.scale ?? [1, 1]);
      texture.rotation = transform.rotation ?? 0;
    }
    used.push(texture); // its image is not closed: the shadows of three.js may use it once more
    return texture;
  };
  const made = await Promise.all(
    materials.map(async ({ color: [r, g, b, a], texture, cutoff, isBlended, isDouble, isUnlit }) => {
      const map = texture && (await textureOf(texture));
      const options = {
        map,
        alphaTest: cutoff,
        transparent: isBlended,
        opacity: isBlended ? a : 1,
        side: isDouble ? THREE.DoubleSide : THREE.FrontSide,
      };
      const material = isUnlit ? new THREE.MeshBasicMaterial(options) : new THREE.MeshLambertMaterial(options);
      material.color.setRGB(r, g, b, THREE.LinearSRGBColorSpace);
      return material;
    }),
  );
  const plain = new THREE.MeshLambertMaterial({ color: 0x8d99ae });
  object.traverse((node) => {
    if (!(node instanceof THREE.Mesh)) return;
    const own = Array.isArray(node.material) ? node.material[0] : node.material,
      chosen = made[Number(/^m(\d+)/.exec(own?.name ?? "")?.[1] ?? NaN)] ?? plain;
    const hasColours = "color" in node.geometry.attributes;
    node.material = hasColours ? Object.assign(chosen.clone(), { vertexColors: true }) : chosen;
    if (!node.geometry.attributes.normal) node.geometry.computeVertexNormals();
    Object.assign(node, { castShadow: true, receiveShadow: true, frustumCulled: false });
    used.push(node.geometry, node.material);
    if (node instanceof THREE.SkinnedMesh) used.push(node.skeleton);
  });
  return () => used.forEach((each) => each.dispose());
};
