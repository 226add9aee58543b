// The orbit of the camera in the scenes in space, by mouse, wheel, touch and keys: OrbitControls of
// three.js, which turns a camera about the origin. The angles and the zoom are in the state, so
// they are in the address too; the camera here is at the distance 1 / zoom and draws nothing.
import { byId } from "../elements.js";
import { MOUSE, MathUtils, PerspectiveCamera, TOUCH } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { scenes } from "../scenes/scene.js";
import { state } from "../state/state.js";

export const orbit = (() => {
  const now = state.now;
  const picture = byId("picture");
  const MOST = 85; // degrees of pitch
  const SPEED = 0.4; // degrees per pixel
  const WHEEL = -0.0015 / (0.01 * Math.log(0.95)); // a zoom by exp(0.0015) per pixel

  const camera = new PerspectiveCamera(),
    controls = new OrbitControls(camera, picture);
  controls.enablePan = false;

  // What the picture shows: in a scene with strict bounds, the angle and the zoom are within them.
  /** @type {() => { yaw: number, pitch: number, zoom: number }} */
  const shown = () => {
    const { yaw, pitch, zoom } = now,
      { orbit } = scenes.shown();
    if (!orbit?.isStrict) return { yaw, pitch, zoom };
    const [least, most] = orbit.zooms;
    return { yaw, pitch: Math.max(orbit.least, pitch), zoom: Math.min(most, Math.max(least, zoom)) };
  };

  // Put the camera where the state has it. A view beyond the bounds, from an address, does not jump to
  // them.
  const follow = () => {
    const { orbit } = scenes.shown();
    controls.enabled = orbit !== null;
    if (!orbit) return;
    const { yaw, pitch, zoom } = shown(),
      [least, most] = orbit.zooms,
      polar = MathUtils.degToRad(90 - pitch);
    camera.position.setFromSphericalCoords(1 / zoom, polar, MathUtils.degToRad(yaw));
    camera.lookAt(controls.target);
    controls.minDistance = Math.min(1 / most, 1 / zoom);
    controls.maxDistance = Math.max(1 / least, 1 / zoom);
    controls.minPolarAngle = Math.min(MathUtils.degToRad(90 - MOST), polar);
    controls.maxPolarAngle = Math.max(MathUtils.degToRad(90 - orbit.least), polar);
  };
  state.on((changed) => {
    if (["scene", "yaw", "pitch", "zoom"].some((name) => changed.includes(name))) follow();
  });

  /** @type {(v: number) => number} */
  const degrees = (v) => Math.round(MathUtils.radToDeg(v) * 100) / 100;
  controls.addEventListener("change", () => {
    const { yaw, pitch, zoom } = shown(),
      turned = (degrees(controls.getAzimuthalAngle()) - yaw) % 360;
    // The yaw goes on from where it is, to either side.
    const aside = turned - 360 * Math.round(turned / 360),
      away = Number((1 / controls.getDistance()).toPrecision(6));
    const high = 90 - degrees(controls.getPolarAngle());
    // What did not move keeps its number.
    state.set(
      {
        ...(Math.abs(aside) > 0.005 && { yaw: (Math.round((yaw + aside) * 100) / 100) % 360 }),
        ...(Math.abs(high - pitch) > 0.005 && { pitch: high }),
        ...(Math.abs(away - zoom) > 1e-5 * zoom && { zoom: away }),
      },
      "view",
    );
    follow();
  });

  // --- pointers -------------------------------------------------------------------------------

  // One finger leads what is shown if it can be led; else it orbits, as two always do.
  picture.addEventListener(
    "pointerdown",
    () => {
      controls.rotateSpeed = (SPEED * picture.clientHeight) / 360;
      controls.zoomSpeed = 1;
      const isLed = scenes.shown().orbit?.isLed === true;
      controls.touches = { ONE: isLed ? null : TOUCH.ROTATE, TWO: TOUCH.DOLLY_ROTATE };
      controls.mouseButtons = {
        LEFT: MOUSE.ROTATE,
        MIDDLE: isLed ? MOUSE.ROTATE : null,
        RIGHT: null,
      };
    },
    true,
  );
  picture.addEventListener(
    "wheel",
    () => {
      controls.zoomSpeed = WHEEL;
    },
    true,
  );

  return {
    follow,
    shown,
    // Add degrees to yaw and pitch, and multiply the zoom by a factor: for keys.
    turn: (/** @type {number} */ yaw, /** @type {number} */ pitch) => {
      controls.rotateLeft(MathUtils.degToRad(-yaw));
      controls.rotateUp(MathUtils.degToRad(pitch));
    },
    zoom: (/** @type {number} */ factor) => controls.dollyIn(1 / factor),
    // A finger that was on a handle becomes the first of two.
    adopt: (/** @type {number} */ pointerId, /** @type {number[]} */ [clientX, clientY]) => {
      picture.dispatchEvent(
        new PointerEvent("pointerdown", { pointerId, clientX, clientY, pointerType: "touch", button: 0 }),
      );
    },
  };
})();
