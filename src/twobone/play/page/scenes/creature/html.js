// What the scene adds to the page: controls, messages and hints.
import { texts } from "../../texts/texts.js";

texts.insert(
  "intro",
  "append",
  `
<p id="support-hint" class="small hint" hidden>The outline on the ground is the support polygon, green while the centre of the body is inside it.</p>
`,
);
texts.insert(
  "low",
  "before",
  `
<section id="leg" aria-labelledby="leg-title" hidden>
  <header class="row">
    <h2 id="leg-title">Leg</h2>
    <button id="leg-close" class="cross" type="button" title="Close the numbers of the leg (Escape)" aria-label="Close the numbers of the leg">&times;</button>
  </header>
  <p id="leg-reach" class="small"></p>
  <p id="leg-below" class="small" hidden>The knee is solved; the segment below the ankle turns as the step plans it.</p>
  <div id="leg-formula" class="lines symbols"></div>
  <button id="leg-lesson" type="button" title="The lesson about limbs in space, with the numbers of this leg">Why? Open the lesson with this leg</button>
</section>
`,
);
texts.insert(
  "notice",
  "before",
  `
<p class="unseen" id="leg-heard" role="status"></p>
`,
);
texts.insert(
  "lesson-scroll",
  "before",
  `
<p id="lesson-from" class="row small" hidden><span id="lesson-leg"></span><button id="lesson-return" type="button" title="Back to the animal, which waits where it was">Back to the animal</button></p>
`,
);
texts.insert(
  "verdict",
  "before",
  `
<section aria-labelledby="creature-title" data-scene="creature" hidden>
  <h2 id="creature-title">Creature</h2>
  <div id="choices"></div>
  <div class="grid thirds">
    <button id="other-ground" type="button" title="Generate different hills of the same roughness">New hills</button>
    <button id="shove" type="button" title="Push the animal away from the camera; it steps to stay upright (X)">Shove <kbd>X</kbd></button>
  </div>
  <div class="grid thirds" role="group" aria-label="Show">
    <span class="small">Show</span>
    <button id="show-polygon" type="button" aria-pressed="true" title="The support polygon, green while the centre of the body is inside it">Support</button>
    <button id="show-paths" type="button" aria-pressed="false" title="The recent paths of the feet in swing">Foot paths</button>
    <button id="show-triangles" type="button" aria-pressed="false" title="The triangle of hip, knee and foot of each leg">Triangles</button>
    <button id="show-bones" type="button" aria-pressed="false" title="The two bones of each leg in blue and orange, as in the plane">Bones</button>
  </div>
  <p id="walk-words" class="small"></p>
</section>
<section aria-labelledby="figures-title" data-scene="creature" hidden>
  <h2 id="figures-title">Measured over the last four seconds</h2>
  <div id="figures" class="lines words"></div>
</section>
`,
);
