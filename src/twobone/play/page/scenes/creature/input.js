// The animal led by mouse and finger: the ground under a pointer, a shove, a leg to look at.
import { blur, byId } from "../../elements.js";
import { limb } from "../../limb/limb.js";
import { mode } from "../../state/mode.js";
import { camera as lens } from "../../stage/camera.js";
import { frame } from "../../stage/frame.js";
import { land } from "./land.js";
import { steering } from "./steering.js";
import { isHere } from "./here.js";
import { walk } from "./walk.js";
import { leg } from "./leg.js";
import { creature } from "./creature.js";
import { rotate } from "./body.js";

export const creatureInput = (() => {
  const { plus, minus, times, dot, unit } = limb.vectors;
  const picture = byId("picture");
  const SHOVE = 1.6; // of walking speed

  /** @type {(pixels: number[]) => { from: number[], direction: number[], far: number }} */
  const rayOf = ([x, y]) => {
    const cam = creature.camera(),
      k = (cam.lens * frame.height) / 2;
    const direction = plus(
      plus(times((x - cam.at[0]) / k, cam.right), times((cam.at[1] - y) / k, cam.up)),
      times(-1, cam.back),
    );
    return { from: cam.eye, direction: unit(direction), far: cam.far };
  };
  /** The point on the ground at a position in pixels, or null for the sky. @param {number[]} pixels */
  const groundAt = (pixels) => {
    const ground = walk.ground();
    if (!ground) return null;
    const { from, direction, far } = rayOf(pixels),
      most = 4 * far,
      step = far / 60,
      at = (/** @type {number} */ t) => plus(from, times(t, direction));
    const heightAt = (/** @type {number} */ t) => {
      const [x, y, z] = at(t);
      return y - land.height(ground, x, z);
    };
    for (let t = 0.2 * far; t < most; t += step)
      if (heightAt(t) < 0) {
        let [low, high] = [t - step, t];
        for (let i = 0; i < 24; i++)
          heightAt((low + high) / 2) < 0 ? (high = (low + high) / 2) : (low = (low + high) / 2);
        const [x, , z] = at(high);
        return [x, land.height(ground, x, z), z];
      }
    return null;
  };
  /** @param {number[]} pixels */
  const isOnBody = (pixels) => {
    const at = walk.at();
    if (!at) return false;
    const cam = creature.camera(),
      [x, y, k] = lens.project(cam, at.place),
      { half } = walk.animal().parts[0];
    return Math.hypot(pixels[0] - x, pixels[1] - y) < Math.max(14, k * Math.max(half[0], half[1], 0.6 * half[2]));
  };
  /** Push the animal horizontally away from the camera. Velocities are in the axes of the body. */
  const shove = () => {
    const at = walk.at();
    if (!at) return;
    const { back } = creature.camera(),
      level = times(SHOVE * walk.animal().pace, unit([-back[0], 0, -back[2]]));
    walk.push([dot(level, rotate(at.turned, [1, 0, 0])), dot(level, rotate(at.turned, [0, 0, 1]))]);
  };
  /** @param {PointerEvent} event */
  const sendTo = (event) => {
    const place = groundAt(mode.at(event));
    if (place) steering.lead(place);
  };

  // One finger sets the goal, two orbit the camera (orbit.js); a mouse orbits by a drag and sets the
  // goal by a click.
  /** @type {Map<number, number[]>} */
  const touches = new Map();
  let moved = false,
    pinched = false;
  /** @type {number[] | null} */
  let goal = null;
  picture.addEventListener("pointerdown", (event) => {
    if (!isHere() || event.button > 1) return;
    event.preventDefault();
    blur();
    picture.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, mode.at(event));
    pinched = touches.size > 1;
    // A second finger starts an orbit: restore the goal that the first one may have changed.
    if (!pinched) goal = steering.goal();
    else if (steering.goal() !== goal) steering.lead(goal);
    moved = pinched || event.button === 1;
  });
  picture.addEventListener("pointermove", (event) => {
    if (!isHere()) return;
    const from = touches.get(event.pointerId);
    if (!from) return point(event);
    const [dx, dy] = minus(mode.at(event), from);
    if (!moved && Math.hypot(dx, dy) < 4) return;
    moved = true;
    touches.set(event.pointerId, mode.at(event));
    // The finger that remains after a pinch does nothing.
    if (!pinched && event.pointerType === "touch") sendTo(event);
  });
  for (const kind of /** @type {const} */ (["pointerup", "pointercancel"]))
    picture.addEventListener(kind, (event) => {
      if (!touches.delete(event.pointerId) || moved || kind === "pointercancel" || !isHere() || !walk.at()) return;
      const pixels = mode.at(event),
        hit = leg.under(creature.camera(), pixels, event.pointerType);
      if (isOnBody(pixels)) shove();
      else if (hit >= 0) leg.open(hit);
      else sendTo(event);
    });
  /** Look at the leg that is nearest to the camera. */
  const lookAtLeg = () => {
    const at = walk.at();
    if (!at) return;
    const cam = creature.camera(),
      scales = at.knees.map((knee) => lens.project(cam, knee)[2]);
    leg.open(scales.indexOf(Math.max(...scales))); // the nearest one
    byId("leg-close").focus();
  };
  addEventListener("keyup", (event) => steering.release(event.key.toLowerCase()));
  addEventListener("blur", () => steering.release());
  document.addEventListener("visibilitychange", walk.rest);

  // A mouse above a leg shows that it can be clicked.
  /** @param {PointerEvent} event */
  const point = (event) => {
    const pixels = mode.at(event),
      isOnLeg =
        event.pointerType === "mouse" && !isOnBody(pixels) && leg.under(creature.camera(), pixels, "mouse") >= 0;
    picture.classList.toggle("clickable", isOnLeg);
  };

  return { groundAt, lookAtLeg, shove };
})();
