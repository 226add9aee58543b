// The camera of scenes in space: where it is, and the way between points of the world and pixels.
import { limb } from "../limb/limb.js";
import { frame } from "./frame.js";

/** What a camera sees. @typedef {{ back: number[], right: number[], up: number[], eye: number[], centre: number[], far: number, lens: number, at: number[], shift: number[] }} View */

export const camera = (() => {
  const { plus, minus, times, dot, cross } = limb.vectors;
  const LENS = 2.2;

  // The camera: its axes, its position and its distance from the centre. It looks straight at the centre, whose image
  // is shifted to the middle of the free part: `at` in pixels, `shift` as a fraction of the picture.
  /** @type {(s: { yaw: number, pitch: number, zoom: number }, framed: { centre: number[], scale: number }) => View} */
  const at = (s, { centre, scale }) => {
    const yaw = (s.yaw * Math.PI) / 180,
      pitch = (s.pitch * Math.PI) / 180,
      pixel = 1 / (scale * s.zoom),
      { left, top, width, height } = frame.free;
    const back = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
    const right = [Math.cos(yaw), 0, -Math.sin(yaw)],
      up = cross(back, right),
      far = (LENS * frame.height * pixel) / 2;
    const middle = [left + width / 2, top + height / 2];
    return {
      back,
      right,
      up,
      far,
      eye: plus(centre, times(far, back)),
      centre,
      lens: LENS,
      at: middle,
      shift: [middle[0] / frame.width - 0.5, middle[1] / frame.height - 0.5],
    };
  };
  // Project a point to pixels; return x, y and the pixels per unit at its depth.
  /** @type {(cam: View, v: number[]) => number[]} */
  const project = (cam, v) => {
    const d = minus(v, cam.eye),
      depth = Math.max(1e-3 * cam.far, -dot(d, cam.back));
    const k = (cam.lens * frame.height) / 2 / depth;
    return [cam.at[0] + k * dot(d, cam.right), cam.at[1] - k * dot(d, cam.up), k];
  };
  // The point at a position in pixels, at the depth of another point.
  /** @type {(cam: View, pixels: number[], like: number[]) => number[]} */
  const unproject = (cam, [x, y], like) => {
    const k = project(cam, like)[2],
      depth = -dot(minus(like, cam.eye), cam.back);
    const aside = plus(times((x - cam.at[0]) / k, cam.right), times((cam.at[1] - y) / k, cam.up));
    return plus(plus(cam.eye, times(-depth, cam.back)), aside);
  };

  return { LENS, at, project, unproject };
})();
