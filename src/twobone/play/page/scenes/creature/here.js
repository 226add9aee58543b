// Whether the animal is what the page shows.
import { state } from "../../state/state.js";

export const isHere = () => state.now.scene === "creature";
