// What the scene adds to the page: controls, messages and hints.
import { texts } from "../../texts/texts.js";

texts.insert(
  "intro",
  "append",
  `
<button id="character-open" class="primary" type="button" title="Choose a .glb, .vrm or .bvh file, or drop it on the page. It stays on this machine." hidden>Open your character</button>
<p id="character-hint" class="small hint" hidden>Or drop a file of a character or a motion here: .glb, .vrm or .bvh. It stays on this machine.</p>
`,
);
texts.insert(
  "picture",
  "append",
  `
<div id="character-handles" role="group" aria-label="Hands, feet and poles: arrow keys move them, Delete lets go" hidden></div>
`,
);
texts.insert(
  "low",
  "before",
  `
<p id="character-said" role="status" hidden></p>
<p id="character-drop" hidden>Drop it: the page reads it here, nothing is uploaded.</p>
<input id="character-file" type="file" accept=".glb,.vrm,.bvh" aria-label="File of a character" tabindex="-1" hidden>
`,
);
texts.insert(
  "tools",
  "before",
  `
<div id="transport" role="group" aria-label="Clip" hidden>
  <button id="clip-play" type="button" title="Play or pause the clip (Space)">Play</button>
  <input id="clip-frame" type="range" min="0" max="1" step="1" value="0" aria-label="Frame" title="The frame of the clip">
  <span id="clip-where"></span>
  <select id="clip-name" aria-label="Clip" title="The clip that is played"></select>
</div>
`,
);
texts.insert(
  "verdict",
  "before",
  `
<section aria-labelledby="character-title" data-scene="character" hidden>
  <h2 id="character-title">Character</h2>
  <div class="grid thirds">
    <button id="character-choose" type="button" title="Choose a .glb, .vrm or .bvh file, or drop it on the page. It stays on this machine.">Open a file</button>
    <button id="character-sample" type="button" title="Show the page’s own figure">Sample</button>
    <button id="character-reset" type="button" title="Let all limbs and the face follow the clip again, with no limits">Reset</button>
  </div>
  <div id="limb-list" role="group" aria-label="Limbs"></div>
</section>
<section id="face" aria-labelledby="face-title" hidden>
  <h2 id="face-title">Expressions</h2>
  <div id="face-fields" role="group" aria-labelledby="face-title"></div>
</section>
<section aria-labelledby="limb-title-of" data-scene="character" hidden>
  <h2 id="limb-title-of">Limb</h2>
  <div id="limb-fields"></div>
</section>
`,
);
texts.insert(
  "saves",
  "before",
  `
<div class="grid thirds" role="group" aria-label="Copy code for this limb" data-scene="character" hidden>
  <span class="small">Copy code for this limb</span>
  <button type="button" data-copy="limb-python" title="Python code that poses this limb of this file">Python</button>
  <button type="button" data-copy="limb-three" title="A function that poses this limb in three.js">three.js</button>
  <button type="button" data-copy="limb-glsl" title="GLSL code that computes the joint of this limb">GLSL</button>
</div>
`,
);
