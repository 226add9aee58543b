// The scenes in space, drawn by three.js: key light from the upper left with shadows, light from the
// sky, ground with a faint grid that fades into fog.
//
// A scene is {solids, wires, glass, floor, boxes, land}: solids are round cones {a, b, ra, rb, colour}
// (a ball if a equals b), wires are thin ones, glass is transparent balls {a, r, colour}, boxes are
// superellipsoids {half, centre, axes, power, colour}, spots are soft shadows {at, r, dark} right below something. The ground is level at `floor`, or it is
// `land`: {corner, size, vertices}, positions and normals on a square grid. `model` is an object of three.js.
// With `isHigh` the sun is high. The grid of a ground that `isFixed` stays in its place when the centre moves.
import * as THREE from "three";
import { limb } from "../limb/limb.js";
import { draw } from "./draw.js";

/** @typedef {{ a: number[], b?: number[], r?: number, ra?: number, rb?: number, colour: string }} Solid */
/** @typedef {{ half: number[], centre: number[], axes: number[][], power: number, colour: string }} Box */
/** A soft shadow on the ground, which takes a fraction of its light. @typedef {{ at: number[], r: number, dark: number }} Spot */
/** @typedef {{ corner: number[], size: number, vertices: Float32Array<ArrayBuffer> }} Land */
/** @typedef {{ solids: Solid[], wires: Solid[], glass: Solid[], floor: number, boxes?: Box[], spots?: Spot[], land?: Land, isFixed?: boolean, isHigh?: boolean, model?: THREE.Object3D | null }} Scene */
/** @typedef {{ right: number[], up: number[], back: number[], eye: number[], centre: number[], far: number, lens: number, shift: number[] }} View */

export const stage = (() => {
  const { minus } = limb.vectors;

  // Quality levels for slower and slower machines: the maximum pixels per CSS pixel, whether shadows are
  // soft, whether shapes have fine meshes.
  /** @type {[number, boolean, boolean][]} */
  const LEVELS = [
    [2, true, true],
    [1, true, true],
    [0.75, false, false],
    [0.6, false, false],
    [0.45, false, false],
  ];
  const SHADOWS = 1024;
  const SPOTS = 40; // the most that are drawn
  const SUN = new THREE.Vector3(-0.55, 0.95, 0.5).normalize();
  // The shadow of what floats far above the ground is in the picture if the sun is high, behind the camera.
  const HIGH = new THREE.Vector3(0.1, 0.95, 0.4).normalize();
  /** The direction in which the sun is. @type {(isHigh: boolean) => THREE.Vector3} */
  const sunOf = (isHigh) => (isHigh ? HIGH : SUN);
  // Light that reaches a surface: from the sky and from the ground, by day and by night, and of the sun.
  // The ground is darker by what a level surface in the sun gets, so that there it has its own colour.
  const SKY = [0.56, 0.68],
    EARTH = [0.17, 0.24],
    KEY = 0.68;
  // Land is shaded as if it were this much steeper, as on maps, and a little darker, so that its sunny
  // slopes are brighter than level ground.
  const RELIEF = "1.7",
    HEADROOM = 1.08;

  /** @type {THREE.WebGLRenderer} */
  let renderer;
  /** @type {ReturnType<typeof build>} */
  let world;
  let level = 0,
    first = 0; // the level of motion, and the one to begin with
  // How many pixels a level has per CSS pixel of this screen.
  const ratioOf = (/** @type {number} */ level) => Math.min(devicePixelRatio || 1, LEVELS[level][0]);
  /** Whether motion is drawn at less than full quality. */
  const isCoarse = () => {
    const [, soft, fine] = LEVELS[level];
    return !soft || !fine || ratioOf(level) < ratioOf(0);
  };

  // --- shapes ---------------------------------------------------------------------------------

  // A round cone is one ball whose upper half is moved to `last` and whose lower half to `first`; the
  // fourth numbers are the radii.
  const CONE = `
    attribute float end;
    attribute vec4 first, last;
    vec3 coneNormal() {
      vec3 d = last.xyz - first.xyz;
      float l = length(d);
      vec3 y = l > 0. ? d / l : vec3(0, 1, 0);
      vec3 x = normalize(abs(y.y) < .9 ? cross(y, vec3(0, 1, 0)) : cross(y, vec3(1, 0, 0)));
      return mat3(x, y, cross(x, y)) * position;
    }
    vec3 conePoint() {
      vec3 n = coneNormal();
      return mix(first.xyz + first.w * n, last.xyz + last.w * n, end);
    }`;
  /** @template {THREE.Material} M @param {M} material */
  const asCones = (material) => {
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", `#include <common>\n${CONE}`)
        .replace("#include <beginnormal_vertex>", "vec3 objectNormal = coneNormal();")
        .replace("#include <begin_vertex>", "vec3 transformed = conePoint();");
    };
    return material;
  };

  // A ball as circles of latitude joined by quads; the equator is there twice, once for each end.
  /** @type {(around: number, high: number) => { normals: number[], ends: number[], corners: number[] }} */
  const ball = (around, high) => {
    const normals = [],
      ends = [],
      corners = [],
      rows = 2 * high + 2,
      wide = around + 1;
    for (let row = 0; row < rows; row++) {
      const end = row > high ? 1 : 0,
        a = (((row - end) / high - 1) * Math.PI) / 2;
      for (let j = 0; j < wide; j++) {
        const b = (2 * Math.PI * j) / around,
          at = row * wide + j;
        normals.push(Math.cos(a) * Math.cos(b), Math.sin(a), Math.cos(a) * Math.sin(b));
        ends.push(end);
        if (j < around && row + 1 < rows) corners.push(at, at + wide, at + 1, at + 1, at + wide, at + wide + 1);
      }
    }
    return { normals, ends, corners };
  };

  // A row of numbers for each instance.
  /** @type {(size: number, count: number) => THREE.InstancedBufferAttribute} */
  const rowOf = (size, count) =>
    new THREE.InstancedBufferAttribute(new Float32Array(size * count), size).setUsage(THREE.DynamicDrawUsage);

  // Many round cones in one call; their number grows as needed.
  class Cones {
    /** @type {THREE.InstancedBufferGeometry[]} */
    geometries = [];
    most = 0;
    rows = { first: rowOf(4, 0), last: rowOf(4, 0), color: rowOf(3, 0) };
    /** @param {number[][]} shapes the meshes of a ball, from fine to coarse: its meridians and parallels */
    constructor(shapes, most = 64) {
      this.material = asCones(new THREE.MeshLambertMaterial({ vertexColors: true }));
      this.shapes = shapes.map(([around, high]) => ball(around, high));
      this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
      this.mesh.customDepthMaterial = asCones(new THREE.MeshDepthMaterial());
      this.mesh.frustumCulled = false;
      this.mesh.castShadow = this.mesh.receiveShadow = true;
      this.grow(most);
    }
    /** @param {number} most */
    grow(most) {
      for (const geometry of this.geometries) geometry.dispose();
      this.rows = { first: rowOf(4, most), last: rowOf(4, most), color: rowOf(3, most) };
      this.geometries = this.shapes.map(({ normals, ends, corners }) => {
        const geometry = new THREE.InstancedBufferGeometry();
        geometry.setIndex(corners);
        // Without normals, three.js would shade flat facets.
        for (const name of ["position", "normal"])
          geometry.setAttribute(name, new THREE.Float32BufferAttribute(normals, 3));
        geometry.setAttribute("end", new THREE.Float32BufferAttribute(ends, 1));
        for (const [name, row] of Object.entries(this.rows)) geometry.setAttribute(name, row);
        return geometry;
      });
      this.most = most;
    }
    // Graphics cards compute in float32, so positions are relative to the centre of the picture.
    /** @param {Solid[]} solids @param {number[]} centre @param {boolean} fine @param {(v: number[]) => number} least */
    set(solids, centre, fine, least = () => 0) {
      if (solids.length > this.most) this.grow(2 * solids.length);
      const { first, last, color } = this.rows;
      solids.forEach(({ a, b = a, r = 0, ra = r, rb = r, colour }, i) => {
        const [x, y, z] = minus(a, centre),
          [u, v, w] = minus(b, centre);
        first.setXYZW(i, x, y, z, Math.max(ra, least(a)));
        last.setXYZW(i, u, v, w, Math.max(rb, least(b)));
        const { r: red, g, b: blue } = paint(colour);
        color.setXYZ(i, red, g, blue);
      });
      for (const row of [first, last, color]) row.needsUpdate = true;
      this.mesh.geometry = this.geometries[fine ? 0 : this.geometries.length - 1];
      for (const geometry of this.geometries) geometry.instanceCount = solids.length;
      this.mesh.visible = solids.length > 0;
    }
  }

  // A superellipsoid |x/a|^p + |y/b|^p + |z/c|^p = 1, kept for the next frames.
  const forms = new Map();
  /** @type {(half: number[], power: number, fine: boolean) => THREE.BufferGeometry} */
  const superellipsoid = (half, power, fine) => {
    const key = `${half},${power},${fine}`;
    if (forms.has(key)) return forms.get(key);
    const { normals, corners } = fine ? ball(32, 12) : ball(18, 5),
      places = [],
      outwards = [];
    for (let i = 0; i < normals.length; i += 3) {
      const v = normals.slice(i, i + 3),
        k = v.reduce((sum, part) => sum + Math.abs(part) ** power, 0) ** (-1 / power);
      const n = new THREE.Vector3(
        ...v.map((part, axis) => (Math.sign(part) * (Math.abs(part) * k) ** (power - 1)) / half[axis]),
      ).normalize();
      places.push(...v.map((part, axis) => part * k * half[axis]));
      outwards.push(n.x, n.y, n.z);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(corners);
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(outwards, 3));
    forms.set(key, geometry);
    return geometry;
  };

  // --- materials ------------------------------------------------------------------------------

  const paints = new Map();
  /** @type {(name: string) => THREE.Color} */
  const paint = (name) => {
    const hex = draw.colour(name);
    if (!paints.has(hex)) paints.set(hex, new THREE.Color(hex));
    return paints.get(hex);
  };
  const matt = new Map();
  /** @type {(name: string) => THREE.MeshLambertMaterial} */
  const mattOf = (name) => {
    const color = paint(name);
    if (!matt.has(color)) matt.set(color, new THREE.MeshLambertMaterial({ color }));
    return matt.get(color);
  };

  // Ground with lines, `cell` apart, that fade with the distance, and before they are too dense to see.
  const groundMaterial = () => {
    const material = new THREE.MeshLambertMaterial();
    const uniforms = {
      cell: { value: 1 },
      off: { value: new THREE.Vector2() },
      lines: { value: new THREE.Color() },
      range: { value: new THREE.Vector2() },
      spots: { value: new Float32Array(4 * SPOTS) },
      count: { value: 0 },
    };
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 place;")
        .replace(
          "#include <beginnormal_vertex>",
          `vec3 objectNormal = normalize(normal * vec3(${RELIEF}, 1, ${RELIEF}));`,
        )
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nplace = (modelMatrix * vec4(position, 1)).xz;");
      shader.fragmentShader = shader.fragmentShader
        .replace(
          "#include <common>",
          `#include <common>
          varying vec2 place;
          uniform float cell;
          uniform vec2 off, range;
          uniform vec3 lines;
          uniform vec4 spots[${SPOTS}];
          uniform int count;`,
        )
        .replace(
          "#include <color_fragment>",
          `
          vec2 g = (place + off) / cell, w = fwidth(g), d = abs(fract(g - .5) - .5) / w;
          float grid = max((1. - min(d.x, 1.)) * (1. - smoothstep(.2, .6, w.x)), (1. - min(d.y, 1.)) * (1. - smoothstep(.2, .6, w.y)));
          float fade = 1. - smoothstep(range.x * .4, range.y * .8, length(vViewPosition));
          diffuseColor.rgb = mix(diffuseColor.rgb, lines, .8 * grid * fade);
          for (int i = 0; i < count; i++) {
            vec2 away = (place - spots[i].xy) / spots[i].z;
            diffuseColor.rgb *= 1. - spots[i].w * exp(-dot(away, away));
          }`,
        );
    };
    return Object.assign(material, { numbers: uniforms });
  };

  // Glass shows its rim and its equator.
  const glassMaterial = () =>
    new THREE.ShaderMaterial({
      uniforms: { tint: { value: new THREE.Color() } },
      vertexShader: `
        varying vec3 at, facing;
        varying float high;
        void main() {
          vec4 seen = modelViewMatrix * vec4(position, 1);
          at = seen.xyz;
          facing = normalMatrix * normal;
          high = normal.y;
          gl_Position = projectionMatrix * seen;
        }`,
      fragmentShader: `
        uniform vec3 tint;
        varying vec3 at, facing;
        varying float high;
        void main() {
          float rim = 1. - abs(dot(normalize(facing), normalize(at)));
          float equator = 1. - smoothstep(0., 1.5, abs(high) / fwidth(high));
          gl_FragColor = vec4(tint, .03 + .45 * pow(rim, 5.) + .25 * equator);
          #include <colorspace_fragment>
        }`,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      forceSinglePass: false,
    });

  // --- starting -------------------------------------------------------------------------------

  // Whether WebGL is rendered in software; antialiasing is then switched off.
  const isSoftware = () => {
    const probe = document.createElement("canvas").getContext("webgl2");
    const told = probe && probe.getExtension("WEBGL_debug_renderer_info");
    const name = told ? probe.getParameter(told.UNMASKED_RENDERER_WEBGL) : "";
    probe?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
  };

  const build = () => {
    const scene = new THREE.Scene(),
      camera = new THREE.PerspectiveCamera();
    const sky = new THREE.HemisphereLight(),
      sun = new THREE.DirectionalLight(0xffffff, KEY * Math.PI);
    sun.castShadow = true;
    sun.shadow.mapSize.set(SHADOWS, SHADOWS);
    const cones = new Cones([
        [18, 5],
        [10, 3],
      ]),
      wires = new Cones([[6, 1]], 512);
    const ground = groundMaterial();
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(2, 2).rotateX(-Math.PI / 2), ground),
      land = new THREE.Mesh(new THREE.BufferGeometry(), ground);
    for (const mesh of [floor, land]) Object.assign(mesh, { receiveShadow: true, frustumCulled: false });
    /** @type {THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>[]} */
    const boxes = [];
    /** @type {THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>[]} */
    const glass = [];
    const fog = (scene.fog = new THREE.Fog(0xffffff)),
      background = (scene.background = new THREE.Color());
    scene.add(sky, sun, sun.target, cones.mesh, wires.mesh, floor, land);
    camera.matrixAutoUpdate = false;
    return {
      scene,
      camera,
      sky,
      sun,
      cones,
      wires,
      ground,
      floor,
      land,
      boxes,
      glass,
      fog,
      background,
      drawn: new Float32Array(),
      rows: new THREE.InterleavedBuffer(new Float32Array(), 6),
      model: /** @type {THREE.Object3D | null} */ (null),
    };
  };

  /**
   * Prepare a canvas; return whether WebGL2 is there.
   * @param {HTMLCanvasElement} canvas
   */
  const start = (canvas) => {
    const slow = isSoftware();
    const context = canvas.getContext("webgl2", {
      antialias: !slow,
      alpha: false,
      powerPreference: "high-performance",
    });
    if (!context) return false;
    if (renderer?.getContext() === context) return !context.isContextLost(); // three.js has restored it
    // The console is for what is wrong; losing the context is not.
    THREE.setConsoleFunction((kind, ...said) => kind !== "log" && console[kind](...said));
    renderer?.dispose();
    renderer = new THREE.WebGLRenderer({ canvas, context });
    renderer.shadowMap.enabled = true;
    world ??= build();
    first = slow ? 1 : 0;
    level = Math.max(level, first);
    return true;
  };

  // --- rendering ------------------------------------------------------------------------------

  /** @type {(boxes: Box[], centre: number[], fine: boolean) => void} */
  const showBoxes = (boxes, centre, fine) => {
    while (world.boxes.length < boxes.length) {
      const mesh = new THREE.Mesh(new THREE.BufferGeometry(), mattOf("body"));
      Object.assign(mesh, { castShadow: true, receiveShadow: true, matrixAutoUpdate: false, frustumCulled: false });
      world.boxes.push(mesh);
      world.scene.add(mesh);
    }
    world.boxes.forEach((mesh, i) => {
      mesh.visible = i < boxes.length;
      if (!mesh.visible) return;
      const {
          half,
          power,
          axes: [x, y, z],
          centre: middle,
          colour,
        } = boxes[i],
        [a, b, c] = minus(middle, centre);
      mesh.geometry = superellipsoid(half, power, fine);
      mesh.material = mattOf(colour);
      mesh.matrix.set(x[0], y[0], z[0], a, x[1], y[1], z[1], b, x[2], y[2], z[2], c, 0, 0, 0, 1);
      mesh.matrixWorldNeedsUpdate = true;
    });
  };

  /** @type {(balls: Solid[], centre: number[]) => void} */
  const showGlass = (balls, centre) => {
    while (world.glass.length < balls.length) {
      const mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 64, 40), glassMaterial());
      world.glass.push(mesh);
      world.scene.add(mesh);
    }
    world.glass.forEach((mesh, i) => {
      const radius = balls[i]?.r ?? 0;
      mesh.visible = i < balls.length && radius > 0;
      if (!mesh.visible) return;
      mesh.position.fromArray(minus(balls[i].a, centre));
      mesh.scale.setScalar(radius);
      mesh.material.uniforms.tint.value.copy(paint(balls[i].colour));
    });
  };

  // Show an object of three.js in its place, instead of the one before. One that is not shown stays in the
  // scene, where `forget` finds it.
  /** @type {(model: THREE.Object3D | null, centre: number[]) => void} */
  const showModel = (model, centre) => {
    if (model && world.model !== model) {
      world.model?.removeFromParent();
      world.scene.add((world.model = model));
    }
    if (world.model) world.model.visible = model !== null;
    model?.position.fromArray(centre).negate();
  };

  /** Forget what a lost context had on the graphics card: three.js would delete it from the next one. */
  const forget = () => {
    world.sun.shadow.dispose();
    for (const geometry of [...forms.values(), ...world.cones.geometries, ...world.wires.geometries])
      geometry.dispose();
    world.scene.traverse((one) => {
      if (!(one instanceof THREE.Mesh)) return;
      const { geometry, material, customDepthMaterial, skeleton } = /** @type {any} */ (one);
      for (const each of [geometry, material, material.map, customDepthMaterial, skeleton]) each?.dispose();
    });
  };

  // Show the land, uploading its vertices only if they are new.
  /** @type {(land: Land, centre: number[]) => void} */
  const showLand = ({ size, vertices, corner }, centre) => {
    const { land } = world;
    land.position.fromArray(minus(corner, centre));
    if (world.drawn === vertices) return;
    world.drawn = vertices;
    if (world.rows.array.length !== vertices.length) {
      land.geometry.dispose();
      const corners = [],
        at = (/** @type {number} */ i, /** @type {number} */ k) => i * size + k;
      for (let i = 0; i + 1 < size; i++)
        for (let k = 0; k + 1 < size; k++)
          corners.push(at(i, k), at(i + 1, k), at(i, k + 1), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
      land.geometry = new THREE.BufferGeometry();
      land.geometry.setIndex(corners);
      world.rows = new THREE.InterleavedBuffer(new Float32Array(vertices.length), 6).setUsage(THREE.DynamicDrawUsage);
      land.geometry.setAttribute("position", new THREE.InterleavedBufferAttribute(world.rows, 3, 0));
      land.geometry.setAttribute("normal", new THREE.InterleavedBufferAttribute(world.rows, 3, 3));
    }
    world.rows.array.set(vertices);
    world.rows.needsUpdate = true;
  };

  /**
   * Draw a scene as seen by a camera. The resolution follows the size of the canvas on the screen, so it
   * must have a layout.
   * @param {HTMLCanvasElement} canvas
   * @param {View} cam
   * @param {Scene} parts
   * @param {number} reach the radius around the centre in which things cast shadows
   * @param {boolean} best whether to draw at full quality
   * @param {number[] | null} size width and height in pixels, instead of those on the screen
   */
  const render = (
    canvas,
    { centre, right, up, back, eye, far, lens, shift: [aside, down] },
    parts,
    reach,
    best = false,
    size = null,
  ) => {
    const [, soft, fine] = LEVELS[best ? 0 : level],
      ratio = ratioOf(best ? 0 : level);
    const [width, height] =
      size ?? [canvas.clientWidth, canvas.clientHeight].map((v) => Math.max(1, Math.round(v * ratio)));
    if (canvas.width !== width || canvas.height !== height) renderer.setSize(width, height, false);
    const { scene, camera, sky, sun, ground, floor, land, fog, background } = world;

    const [x, y, z] = minus(eye, centre);
    camera.matrix.set(
      right[0],
      up[0],
      back[0],
      x,
      right[1],
      up[1],
      back[1],
      y,
      right[2],
      up[2],
      back[2],
      z,
      0,
      0,
      0,
      1,
    );
    camera.matrixWorldNeedsUpdate = true;
    camera.fov = (360 / Math.PI) * Math.atan(1 / lens);
    camera.setViewOffset(1, 1, -aside, -down, 1, 1);
    Object.assign(camera, { aspect: width / height, near: 0.02 * far, far: 12 * far });
    camera.updateProjectionMatrix();

    const night = draw.isDark() ? 1 : 0,
      white = paint("#ffffff");
    sky.color.copy(white);
    sky.groundColor.copy(white).multiplyScalar(EARTH[night] / SKY[night]);
    sky.intensity = SKY[night] * Math.PI;
    background.copy(paint("fog"));
    fog.color.copy(paint("fog"));
    Object.assign(fog, { near: far + 1.5 * reach, far: far + 7 * reach });
    const high = sunOf(!!parts.isHigh);
    sun.position.copy(high).multiplyScalar(4.4 * reach);
    const wide = 2.2 * reach,
      box = { left: -wide, right: wide, top: wide, bottom: -wide, near: 0, far: 4 * wide };
    Object.assign(sun.shadow.camera, box).updateProjectionMatrix();
    sun.shadow.intensity = night ? 1 : 0.8;
    sun.shadow.normalBias = 0.008 * reach;
    const kind = soft ? THREE.PCFShadowMap : THREE.BasicShadowMap;
    if (renderer.shadowMap.type !== kind) renderer.shadowMap.type = kind;

    // Far wires stay wide enough to be seen.
    /** @type {(v: number[]) => number} */
    const least = (v) =>
      (0.8 * -minus(v, eye).reduce((sum, part, i) => sum + part * back[i], 0)) / ((lens * height) / 2);
    world.cones.set(parts.solids, centre, fine);
    world.wires.set(parts.wires, centre, true, least);
    world.wires.mesh.castShadow = !parts.land;
    showBoxes(parts.boxes ?? [], centre, fine);
    showGlass(parts.glass, centre);
    showModel(parts.model ?? null, centre);
    const spots = soft ? (parts.spots ?? []).slice(0, SPOTS) : [];
    spots.forEach(({ at: [x, , z], r, dark }, i) =>
      ground.numbers.spots.value.set([x - centre[0], z - centre[2], r, dark], 4 * i),
    );
    ground.numbers.count.value = spots.length;
    const cell = reach / 4,
      { numbers } = ground,
      dim = 1 / (SKY[night] + KEY * high.y) / (parts.land ? HEADROOM : 1);
    ground.color.copy(paint("ground")).multiplyScalar(dim);
    numbers.lines.value.copy(paint("line")).multiplyScalar(dim);
    numbers.cell.value = cell;
    // The grid lines of land stay where they are while the centre moves.
    const isFixed = parts.land || parts.isFixed;
    numbers.off.value.set(isFixed ? centre[0] % cell : 0, isFixed ? centre[2] % cell : 0);
    numbers.range.value.set(fog.near, fog.far);
    floor.visible = !parts.land;
    land.visible = !!parts.land;
    floor.position.y = parts.floor - centre[1];
    floor.scale.setScalar(14 * reach);
    if (parts.land) showLand(parts.land, centre);
    renderer.render(scene, camera);
  };
  /** Call a function when the graphics card has drawn all that it was told to. @param {() => void} then */
  const whenDrawn = (then) => {
    const gl = /** @type {WebGL2RenderingContext} */ (renderer.getContext()),
      sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const look = () => {
      if (!sync || gl.isContextLost()) return;
      if (gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED) return void setTimeout(look, 4);
      gl.deleteSync(sync);
      then();
    };
    setTimeout(look, 4);
  };

  /** @type {(steps: number) => void} */
  const coarsen = (steps) => {
    level = Math.min(LEVELS.length - 1, level + steps);
  };
  /** Draw motion as at the beginning. */
  const refine = () => {
    level = first;
  };

  return {
    start,
    forget,
    render,
    sun: (/** @type {boolean} */ isHigh) => sunOf(isHigh).toArray(),
    whenDrawn,
    coarsen,
    refine,
    isCoarse,
    isCoarsest: () => level === LEVELS.length - 1,
    level: () => level,
    isRound: () => LEVELS[level][2],
    context: () => renderer?.getContext() ?? null,
  };
})();
