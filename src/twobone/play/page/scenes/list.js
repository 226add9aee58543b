// All scenes, in the order of their buttons.
//
// Printed from play/schema.py by `python tools/generate.py`: do not edit.
import { scene as plane } from "./plane/scene.js";
import { scene as space } from "./space/scene.js";
import { scene as creature } from "./creature/scene.js";
import { scene as character } from "./character/scene.js";

/** @type {Record<import("./scene.js").Name, import("./scene.js").Given>} */
export const SCENES = { plane, space, creature, character };
