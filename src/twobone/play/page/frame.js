// WebGL2 rendering of the scenes in space: a key light from the upper left with shadows, ambient light
// from the sky, ground with a faint grid that fades into fog.
//
// A scene is {solids, wires, glass, floor, boxes, land}: solids are round cones {a, b, ra, rb,
// colour, alpha} (a ball if a equals b), wires are thin ones, glass is transparent balls {a, r,
// colour}, boxes are superellipsoids {half, centre, axes, power, colour}. The ground is level at
// `floor`, or it is `land`: {corner, size, vertices}, positions and normals on a square grid.
const frame = (() => {
  "use strict";
  const { dot, unit, cross, minus } = limb.vectors;

  const HEAD = "#version 300 es\nprecision highp float;\n";
  // A round cone is one ball whose upper half is moved to b and whose lower half is moved to a.
  const CONE = `${HEAD}
    layout(location=0) in vec4 ball;
    layout(location=1) in vec4 a;
    layout(location=2) in vec4 b;
    layout(location=3) in vec4 paint;
    uniform mat4 see;
    out vec3 at, normal;
    out vec4 tint;
    void main() {
      vec3 d = b.xyz - a.xyz;
      float l = length(d);
      vec3 y = l > 0. ? d / l : vec3(0, 1, 0);
      vec3 x = normalize(abs(y.y) < .9 ? cross(y, vec3(0, 1, 0)) : cross(y, vec3(1, 0, 0)));
      normal = mat3(x, y, cross(x, y)) * ball.xyz;
      at = mix(a.xyz + a.w * normal, b.xyz + b.w * normal, ball.w);
      tint = paint;
      gl_Position = see * vec4(at, 1);
    }`;
  // A superellipsoid |x/a|^p + |y/b|^p + |z/c|^p = 1, rotated by `axes` and moved to `place`.
  const BOX = `${HEAD}
    layout(location=0) in vec4 ball;
    uniform mat4 see;
    uniform mat3 axes;
    uniform vec4 halves, place;
    uniform vec3 paint;
    out vec3 at, normal;
    out vec4 tint;
    void main() {
      vec3 p = abs(ball.xyz);
      float power = halves.w, k = pow(pow(p.x, power) + pow(p.y, power) + pow(p.z, power), -1. / power);
      normal = axes * normalize(sign(ball.xyz) * pow(p * k, vec3(power - 1.)) / halves.xyz);
      at = place.xyz + axes * (halves.xyz * ball.xyz * k);
      tint = vec4(paint, 1);
      gl_Position = see * vec4(at, 1);
    }`;
  const SHADE = `
    uniform vec3 eye, light, ground, fog;
    uniform mat4 thrown;
    uniform highp sampler2DShadow dark;
    uniform vec2 range;
    uniform float soft;
    uniform bool hard;
    float lit(vec3 p, float slack) {
      vec4 c = thrown * vec4(p, 1);
      vec3 s = c.xyz * .5 + .5;
      if (any(lessThan(s, vec3(0))) || any(greaterThan(s, vec3(1)))) return 1.;
      if (hard) return texture(dark, vec3(s.xy, s.z - slack));
      float sum = 0.;
      for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++)
        sum += texture(dark, vec3(s.xy + vec2(i, j) * soft, s.z - slack));
      return sum / 9.;
    }
    vec3 hazy(vec3 c, vec3 p) { return mix(c, fog, smoothstep(range.x, range.y, distance(p, eye))); }`;
  const SOLID = `${HEAD}
    in vec3 at, normal;
    in vec4 tint;
    out vec4 colour;
    uniform float night;
    ${SHADE}
    void main() {
      vec3 n = normalize(normal), v = normalize(eye - at);
      float key = max(dot(n, light), 0.) * lit(at, .004);
      float sky = .5 + .5 * n.y;
      vec3 c = tint.rgb * (mix(.42, .5, night) + .34 * sky + .46 * key);
      c += .05 * pow(1. - max(dot(n, v), 0.), 3.);
      colour = vec4(hazy(c, at), tint.a);
    }`;
  const GLASS = `${HEAD}
    in vec3 at, normal;
    in vec4 tint;
    out vec4 colour;
    ${SHADE}
    void main() {
      float rim = 1. - abs(dot(normalize(normal), normalize(eye - at)));
      float grid = 1. - smoothstep(0., 1.5, abs(normal.y) / fwidth(normal.y));
      colour = vec4(tint.rgb, .03 + .45 * pow(rim, 5.) + .25 * grid);
    }`;
  const FLOOR = `${HEAD}
    layout(location=0) in vec4 ball;
    uniform mat4 see;
    uniform vec4 place;
    out vec3 at, normal;
    void main() {
      at = place.xyz + place.w * vec3(ball.x, 0, ball.y);
      normal = vec3(0, 1, 0);
      gl_Position = see * vec4(at, 1);
    }`;
  const LAND = `${HEAD}
    layout(location=0) in vec3 spot;
    layout(location=1) in vec3 up;
    uniform mat4 see;
    uniform vec4 place;
    out vec3 at, normal;
    void main() {
      at = spot + place.xyz;
      normal = up;
      gl_Position = see * vec4(at, 1);
    }`;
  const GROUND = `${HEAD}
    in vec3 at, normal;
    out vec4 colour;
    uniform float cell;
    uniform vec2 off;
    uniform vec3 lines;
    ${SHADE}
    void main() {
      vec2 g = (at.xz + off) / cell, d = abs(fract(g - .5) - .5) / fwidth(g);
      float grid = 1. - min(min(d.x, d.y), 1.);
      float fade = 1. - smoothstep(range.x * .4, range.y * .8, distance(at, eye));
      vec3 c = mix(ground, lines, .8 * grid * fade);
      float key = max(dot(normalize(normal), light), 0.) / light.y;
      c *= (1. - .22 * (1. - lit(at, .002))) * (.95 + .35 * (clamp(key, .2, 1.14) - 1.));
      colour = vec4(hazy(c, at), 1);
    }`;
  const CAST = `${HEAD}out vec4 colour; in vec4 tint; in vec3 at, normal; void main() { colour = vec4(1); }`;

  let gl = null, programs, cone, plain, bubble, box, wire, floor, land, instances, map, target, level = 0;
  // Quality levels for slower and slower machines: the maximum pixels per CSS pixel, whether shadows are
  // soft, whether shapes have fine meshes.
  const LEVELS = [[2, 1, 1], [1, 1, 1], [0.75, 0, 0], [0.6, 0, 0], [0.45, 0, 0]];
  const SHADOWS = 1024;

  const program = (vertex, fragment) => {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
      throw new Error(gl.getAttachedShaders(made).map((v) => gl.getShaderInfoLog(v)).join(" ") || gl.getProgramInfoLog(made));
    }
    const uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i++) {
      const { name } = gl.getActiveUniform(made, i);
      uniforms[name] = gl.getUniformLocation(made, name);
    }
    return { made, uniforms };
  };

  // A ball as circles of latitude joined by quads; the equator is there twice, once for each end.
  const ball = (around, high) => {
    const numbers = [], corners = [], rows = 2 * high + 2, wide = around + 1;
    for (let row = 0; row < rows; row++) {
      const end = row > high ? 1 : 0, a = (((row - end) / high - 1) * Math.PI) / 2;
      for (let j = 0; j < wide; j++) {
        const b = (2 * Math.PI * j) / around, at = row * wide + j;
        numbers.push(Math.cos(a) * Math.cos(b), Math.sin(a), Math.cos(a) * Math.sin(b), end);
        if (j < around && row + 1 < rows) corners.push(at, at + wide, at + 1, at + 1, at + wide, at + wide + 1);
      }
    }
    return { numbers, corners };
  };

  // Whether WebGL is rendered in software; antialiasing is then switched off.
  const isSoftware = () => {
    const probe = document.createElement("canvas").getContext("webgl2");
    const told = probe?.getExtension("WEBGL_debug_renderer_info");
    const name = told ? probe.getParameter(told.UNMASKED_RENDERER_WEBGL) : "";
    probe?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
  };

  const start = (canvas) => {
    const slow = isSoftware();
    gl = canvas.getContext("webgl2", { antialias: !slow, alpha: false });
    if (!gl) return false;
    if (slow) level = 1;
    const pairs = { solid: [CONE, SOLID], box: [BOX, SOLID], glass: [CONE, GLASS], ground: [FLOOR, GROUND], land: [LAND, GROUND], cast: [CONE, CAST], boxCast: [BOX, CAST] };
    programs = Object.fromEntries(Object.entries(pairs).map(([name, texts]) => [name, program(...texts)]));
    land = null;
    const mesh = ({ numbers, corners }) => {
      const array = gl.createVertexArray();
      gl.bindVertexArray(array);
      for (const [kind, data] of [[gl.ARRAY_BUFFER, new Float32Array(numbers)], [gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(corners)]]) {
        gl.bindBuffer(kind, gl.createBuffer());
        gl.bufferData(kind, data, gl.STATIC_DRAW);
      }
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
      return { array, count: corners.length };
    };
    instances = gl.createBuffer();
    // Glass balls are few and large, so they get a fine mesh; wires are many and thin.
    [cone, plain, bubble, box, wire] = [ball(18, 5), ball(10, 3), ball(64, 20), ball(32, 12), ball(5, 1)].map((points) => {
      const made = mesh(points);
      gl.bindBuffer(gl.ARRAY_BUFFER, instances);
      for (const at of [1, 2, 3]) {
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, 4, gl.FLOAT, false, 48, 16 * (at - 1));
        gl.vertexAttribDivisor(at, 1);
      }
      return made;
    });
    floor = mesh({ numbers: [-1, -1, 0, 0, 1, -1, 0, 0, -1, 1, 0, 0, 1, 1, 0, 0], corners: [0, 1, 2, 2, 1, 3] });
    map = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, map);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOWS, SHADOWS);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    target = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, map, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return true;
  };

  // --- matrices, column-major ----------------------------------------------------------------

  const viewMatrix = ({ right, up, back, eye }) => [
    right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ];
  const product = (a, b) =>
    Array.from({ length: 16 }, (_, i) => [0, 1, 2, 3].reduce((sum, k) => sum + a[(i % 4) + 4 * k] * b[(i & 12) + k], 0));
  const perspective = (lens, aspect, near, far) => [
    lens / aspect, 0, 0, 0, 0, lens, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0,
  ];
  const orthographic = (wide) => [1 / wide, 0, 0, 0, 0, 1 / wide, 0, 0, 0, 0, -1 / (2 * wide), 0, 0, 0, 0, 1];

  const paints = new Map();
  const rgb = (name) => {
    const hex = draw.colour(name);
    if (!paints.has(hex)) paints.set(hex, [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255));
    return paints.get(hex);
  };

  // --- rendering ----------------------------------------------------------------------------

  // Graphics cards compute in float32, so positions are relative to the centre of the picture.
  const numbersOf = (list, centre) => {
    const numbers = new Float32Array(12 * list.length);
    list.forEach(({ a, b = a, r, ra = r, rb = r, colour, alpha = 1 }, i) => {
      numbers.set(minus(a, centre), 12 * i);
      numbers[12 * i + 3] = ra;
      numbers.set(minus(b, centre), 12 * i + 4);
      numbers[12 * i + 7] = rb;
      numbers.set(rgb(colour), 12 * i + 8);
      numbers[12 * i + 11] = alpha;
    });
    return numbers;
  };

  // The resolution follows the size of the canvas on the screen, so it must have a layout. Return the
  // milliseconds this took.
  const render = (canvas, { centre, ...cam }, scene, reach, best = false) => {
    cam.eye = minus(cam.eye, centre);
    const began = performance.now();
    const [sharp, softly, round] = LEVELS[best ? 0 : level], ratio = Math.min(devicePixelRatio || 1, sharp);
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const fog = rgb("fog"), ground = rgb("ground"), night = ground[0] < 0.5 ? 1 : 0;
    const light = unit([-0.55, 0.95, 0.5]);
    const right = unit(cross([0, 1, 0], light)), sun = { right, up: cross(light, right), back: light, eye: [0, 0, 0] };
    const cast = product(orthographic(2.2 * reach), viewMatrix(sun));
    const see = product(perspective(cam.lens, width / height, 0.02 * cam.far, 12 * cam.far), viewMatrix(cam));
    const cell = reach / 4;
    const [solids, glass, wires] = [scene.solids, scene.glass, scene.wires].map((list) => numbersOf(list, centre));

    const use = ({ made, uniforms }, matrix) => {
      gl.useProgram(made);
      gl.uniformMatrix4fv(uniforms.see, false, matrix);
      gl.uniformMatrix4fv(uniforms.thrown ?? null, false, cast);
      for (const [name, value] of [["eye", cam.eye], ["light", light], ["ground", ground], ["fog", fog], ["lines", rgb("line")]])
        gl.uniform3fv(uniforms[name] ?? null, value);
      gl.uniform2f(uniforms.range ?? null, cam.far + 1.5 * reach, cam.far + 7 * reach);
      gl.uniform1f(uniforms.soft ?? null, 1.2 / SHADOWS);
      gl.uniform1i(uniforms.hard ?? null, softly ? 0 : 1);
      gl.uniform1f(uniforms.night ?? null, night);
      gl.uniform1f(uniforms.cell ?? null, cell);
      // Keep the grid lines fixed to the land while the centre moves.
      const [x, , z] = scene.land ? centre : [0, 0, 0];
      gl.uniform2f(uniforms.off ?? null, x % cell, z % cell);
      if (!scene.land) gl.uniform4f(uniforms.place ?? null, 0, scene.floor - centre[1], 0, 14 * reach);
      gl.uniform1i(uniforms.dark ?? null, 0);
    };
    const cones = ({ array, count }, data) => {
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, instances);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STREAM_DRAW);
      if (data.length) gl.drawElementsInstanced(gl.TRIANGLES, count, gl.UNSIGNED_SHORT, 0, data.length / 12);
    };
    const boxes = ({ made, uniforms }, matrix, { array, count }) => {
      use({ made, uniforms }, matrix);
      gl.bindVertexArray(array);
      for (const at of [1, 2, 3]) gl.disableVertexAttribArray(at);
      for (const { half, centre: middle, axes, power, colour } of scene.boxes) {
        gl.uniformMatrix3fv(uniforms.axes, false, axes.flat());
        gl.uniform4f(uniforms.halves, ...half, power);
        gl.uniform4f(uniforms.place, ...minus(middle, centre), 0);
        gl.uniform3fv(uniforms.paint ?? null, rgb(colour));
        gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_SHORT, 0);
      }
      for (const at of [1, 2, 3]) gl.enableVertexAttribArray(at);
    };

    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    const bone = round ? cone : plain;
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.viewport(0, 0, SHADOWS, SHADOWS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    use(programs.cast, cast);
    cones(plain, solids);
    if (!scene.land) cones(wire, wires);
    if (scene.boxes) boxes(programs.boxCast, cast, plain);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.bindTexture(gl.TEXTURE_2D, map);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...fog, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    use(scene.land ? programs.land : programs.ground, see);
    if (scene.land) {
      gl.uniform4f(programs.land.uniforms.place, ...minus(scene.land.corner, centre), 0);
      bindLand(scene.land);
    } else gl.bindVertexArray(floor.array);
    gl.drawElements(gl.TRIANGLES, scene.land ? land.count : floor.count, gl.UNSIGNED_SHORT, 0);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    use(programs.solid, see);
    cones(bone, solids);
    cones(wire, wires);
    if (scene.boxes) boxes(programs.box, see, round ? box : cone);
    gl.depthMask(false);
    gl.enable(gl.CULL_FACE);
    use(programs.glass, see);
    for (const face of [gl.FRONT, gl.BACK]) {
      gl.cullFace(face);
      cones(bubble, glass);
    }
    gl.disable(gl.CULL_FACE);
    gl.depthMask(true);
    return performance.now() - began;
  };

  // Bind the land, uploading its vertices only if they are new.
  const bindLand = ({ size, vertices }) => {
    if (land?.size !== size) {
      const corners = [], at = (i, k) => i * size + k;
      for (let i = 0; i + 1 < size; i++)
        for (let k = 0; k + 1 < size; k++) corners.push(at(i, k), at(i, k + 1), at(i + 1, k), at(i + 1, k), at(i, k + 1), at(i + 1, k + 1));
      land = { size, count: corners.length, array: gl.createVertexArray(), buffer: gl.createBuffer() };
      gl.bindVertexArray(land.array);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(corners), gl.STATIC_DRAW);
      gl.bindBuffer(gl.ARRAY_BUFFER, land.buffer);
      for (const at of [0, 1]) {
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 24, 12 * at);
      }
    }
    gl.bindVertexArray(land.array);
    if (land.vertices === vertices) return;
    land.vertices = vertices;
    gl.bindBuffer(gl.ARRAY_BUFFER, land.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STATIC_DRAW);
  };

  const coarsen = (steps) => {
    level = Math.min(LEVELS.length - 1, level + steps);
  };

  return { start, render, coarsen, isCoarsest: () => level === LEVELS.length - 1, level: () => level, isRound: () => LEVELS[level][2] === 1, context: () => gl };
})();
