// Support polygons: the signed distance to a convex hull (creature/polygons.py).

import { distance } from "./footing.js";
import { between, maximum, minimum } from "./gait.js";

/** @import { Place } from "./types.js" */

/**
 * Return the distance of a point to the boundary of a convex hull, negative outside.
 *
 * If the hull is a segment or a point, it is minus the distance to it; if no corner counts, -Infinity.
 * @param {Place} point
 * @param {Place[]} corners that span the hull
 * @param {boolean[]} counted which of them to use
 */
export const signedDistance = ([x, z], corners, counted) => {
  const used = corners.filter((_, leg) => counted[leg]).map((corner) => [corner[0] - x, corner[1] - z]);
  let inside = Infinity,
    outside = Infinity,
    scale = 0,
    apart = false,
    lost = false;
  used.forEach((a, first) => {
    if (a[0] !== a[0] || a[1] !== a[1]) lost = true;
    scale = maximum(scale, maximum(Math.abs(a[0]), Math.abs(a[1])));
    for (const b of used.slice(first)) {
      const segment = [b[0] - a[0], b[1] - a[1]],
        square = segment[0] * segment[0] + segment[1] * segment[1];
      if (square > 0) {
        const length = Math.sqrt(square),
          across = [segment[1] / length, -segment[0] / length];
        let most = -Infinity,
          least = Infinity;
        for (const corner of used) {
          const along = across[0] * corner[0] + across[1] * corner[1];
          most = maximum(most, along);
          least = minimum(least, along);
        }
        inside = minimum(inside, minimum(most, -least));
        apart = true;
      }
      const part = between(-(a[0] * segment[0] + a[1] * segment[1]) / (square > 0 ? square : 1), 0, 1);
      outside = minimum(outside, distance([a[0] + part * segment[0], a[1] + part * segment[1]]));
    }
  });
  return lost ? NaN : inside > 4e-15 * scale && apart ? inside : 0 - outside;
};
