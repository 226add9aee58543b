// The orbit of the camera in the scenes in space, by mouse, wheel, touch and keys: OrbitControls of
// three.js, which turns a camera about the origin. The angles and the zoom are in the state, so
// they are in the address too; the camera here is at the distance 1 / zoom and draws nothing.
import { byId } from "../elements.js";
import { MOUSE, MathUtils, PerspectiveCamera, TOUCH } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { state } from "../state/state.js";

export const orbit = (() => {
  const now = state.now;
  const picture = byId("picture");
  /** @type {Record<string, number>} */
  const LEAST = { space: -20, creature: 5, character: -5 };
  const MOST = 85; // degrees of pitch
  /** @type {Record<string, [number, number]>} */
  const ZOOMS = { space: [0.1, 20], creature: [0.35, 3], character: [0.2, 12] };
  const SPEED = 0.4; // degrees per pixel
  const WHEEL = -0.0015 / (0.01 * Math.log(0.95)); // a zoom by exp(0.0015) per pixel

  const camera = new PerspectiveCamera(),
    controls = new OrbitControls(camera, picture);
  controls.enablePan = false;

  // What the picture shows: in the Creature scene, the angle and the zoom are within its bounds.
  /** @type {() => { yaw: number, pitch: number, zoom: number }} */
  const shown = () => {
    if (now.scene !== "creature") return { yaw: now.yaw, pitch: now.pitch, zoom: now.zoom };
    const [least, most] = ZOOMS.creature;
    return {
      yaw: now.yaw,
      pitch: Math.max(LEAST.creature, now.pitch),
      zoom: Math.min(most, Math.max(least, now.zoom)),
    };
  };

  // Put the camera where the state has it. A view beyond the bounds, from an address, does not jump to
  // them.
  const follow = () => {
    controls.enabled = now.scene !== "plane";
    if (!controls.enabled) return;
    const { yaw, pitch, zoom } = shown(),
      [least, most] = ZOOMS[now.scene],
      polar = MathUtils.degToRad(90 - pitch);
    camera.position.setFromSphericalCoords(1 / zoom, polar, MathUtils.degToRad(yaw));
    camera.lookAt(controls.target);
    controls.minDistance = Math.min(1 / most, 1 / zoom);
    controls.maxDistance = Math.max(1 / least, 1 / zoom);
    controls.minPolarAngle = Math.min(MathUtils.degToRad(90 - MOST), polar);
    controls.maxPolarAngle = Math.max(MathUtils.degToRad(90 - LEAST[now.scene]), polar);
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

  // One finger leads the animal if there is one to lead; else it orbits, as two always do.
  let leads = () => false;
  picture.addEventListener(
    "pointerdown",
    () => {
      controls.rotateSpeed = (SPEED * picture.clientHeight) / 360;
      controls.zoomSpeed = 1;
      controls.touches = { ONE: now.scene === "creature" && leads() ? null : TOUCH.ROTATE, TWO: TOUCH.DOLLY_ROTATE };
      controls.mouseButtons = {
        LEFT: MOUSE.ROTATE,
        MIDDLE: now.scene === "creature" ? MOUSE.ROTATE : null,
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

  follow();
  return {
    ZOOMS,
    shown,
    // Say when one finger leads the animal.
    setLeads: (/** @type {() => boolean} */ ask) => {
      leads = ask;
    },
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
