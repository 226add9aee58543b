// What a scene is, and which one is shown. The rest of the page knows scenes by this interface alone; list.js
// has all of them.
import { state } from "../state/state.js";
import { VIEW } from "../state/schema.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../state/state.js").History} History */
/** @typedef {import("../stage/draw.js").Shape} Shape */
/** @typedef {State["scene"]} Name */
/**
 * The solution of the limb in the state.
 * @typedef {ReturnType<typeof import("../limb/limb.js").limb.solve>} Found
 */
/**
 * The bounds of a camera that goes around a scene in space.
 * @typedef {object} Orbit
 * @property {number} least pitch in degrees
 * @property {[number, number]} zooms the least and the greatest
 * @property {boolean} isStrict whether a view from an address is shown within these bounds, too
 * @property {boolean} isLed whether one finger, or a click, leads what is shown; two fingers orbit
 */
/**
 * What a scene about the limb of the state adds: where its points are in the picture.
 * @typedef {object} LimbView
 * @property {(v: number[]) => number[]} toPixels
 * @property {(pixels: number[], like: number[]) => number[]} toWorld the point at a position in pixels, as deep as another
 * @property {() => number} scale pixels per unit, at the root
 * @property {((s: State) => number[]) | null} poleTip where the handle of the pole is; null: there is no pole
 * @property {(pose: Record<string, any>) => (t: number) => void} approach returns what moves the view to that of a pose, as `t` goes from 0 to 1
 */
/**
 * The button of the first screen that leads on.
 * @typedef {object} Why
 * @property {string} words
 * @property {string} title
 * @property {() => void} act
 */
/**
 * What every scene has.
 * @typedef {object} Needed
 * @property {string} name on its button
 * @property {string} title of its button
 * @property {string} line the first screen's, with a line break
 * @property {(isLit: boolean) => Shape[]} shapes its 2D shapes: over the solids that WebGL draws, or with them
 * @property {(found: Found) => string} say what the picture shows, for those who cannot see it
 */
/**
 * What a scene may have; scenes without it have what DEFAULTS has.
 * @typedef {object} Optional
 * @property {Orbit | null} orbit null: a scene in the plane, which is drawn without WebGL
 * @property {LimbView | null} limb null: a scene that is not about the limb of the state
 * @property {History | null} history an undo of its own
 * @property {Why | null} why
 * @property {string} lesson that explains it
 * @property {object} view numbers that `resize` changes, and that come back after a picture for a file
 * @property {Record<string, object>} parts what the console of a browser has of it
 * @property {(canvas: HTMLCanvasElement, isBest?: boolean, size?: number[]) => void} render its solids, with WebGL
 * @property {() => boolean} isEmpty whether there is nothing to draw yet
 * @property {() => void} fit fits its view into the picture
 * @property {(isHeld: boolean) => void} resize fits a view that is nobody's own into a picture of another size; something may be held by a pointer
 * @property {(factor: number, from: number[], to: number[]) => void} zoom of a scene in the plane: the point at `from` appears at `to`
 * @property {() => void} start once, when the page begins
 * @property {(by: string) => void} enter when it becomes the one that is shown; see `state.on`
 * @property {() => boolean} isMoving whether it moves, apart from the motion that a button starts
 * @property {() => boolean} isBreathing whether it moves a little when it does not move, and few frames do for that
 * @property {(time: number, isMoving: boolean) => void} step before a frame, given its time in milliseconds
 * @property {() => void} solve before the frame is drawn
 * @property {(key: string) => boolean} holds whether a key leads what is shown as long as it is down
 * @property {(key: string) => boolean} press takes a key; false: it has no meaning here
 * @property {() => boolean} hasIntro whether the words of the first screen have their place
 * @property {(found: Found) => { words: string, status: string }} count the second line of the first screen, and the mark before it
 * @property {(found: Found) => string} caption of a picture that is saved
 * @property {(isHere: boolean) => void} arrange shows the controls of its own that are always there, or hides them
 * @property {(isHere: boolean) => void} show brings them up to date, after a frame
 */
/** @typedef {Needed & Optional} Scene */
/** @typedef {Needed & Partial<Optional>} Given */

const nothing = () => {};
const no = () => false;
/** @type {Omit<Optional, "caption">} */
const DEFAULTS = {
  orbit: null,
  limb: null,
  history: null,
  why: null,
  lesson: VIEW.lesson.default,
  view: {},
  parts: {},
  render: nothing,
  isEmpty: no,
  fit: nothing,
  resize: nothing,
  zoom: nothing,
  start: nothing,
  enter: nothing,
  isMoving: no,
  isBreathing: no,
  step: nothing,
  solve: nothing,
  holds: no,
  press: no,
  hasIntro: () => true,
  count: () => ({ words: "", status: "none" }),
  arrange: nothing,
  show: nothing,
};

export const scenes = (() => {
  /** @type {Map<string, Scene>} */
  const all = new Map();
  /** Before there are scenes, and in tests of what is common. @type {Scene} */
  const none = { ...DEFAULTS, name: "", title: "", line: "", shapes: () => [], say: () => "", caption: () => "" };
  const shown = () => all.get(state.now.scene) ?? none;

  return {
    /** Say which scenes there are. @param {Record<Name, Given>} given */
    add: (given) => {
      for (const [name, scene] of Object.entries(given)) {
        all.set(name, { ...DEFAULTS, caption: scene.say, ...scene });
        if (scene.history) state.keepFor(name, scene.history);
      }
    },
    /** All scenes by their names, in the order of their buttons. */
    all,
    /** The scene that is shown. */
    shown,
    /** Call a function for each scene. @param {(scene: Scene, isHere: boolean) => void} act */
    each: (act) => {
      for (const [name, scene] of all) act(scene, name === state.now.scene);
    },
    /** Whether the scene that is shown is about the limb of the state. */
    isLimb: () => shown().limb !== null,
    /** What the limb of the state looks like in the scene that is shown. @returns {LimbView} */
    limb: () => /** @type {LimbView} */ (shown().limb),
  };
})();
