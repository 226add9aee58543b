// Convex hulls of points.

/**
 * The cross product of `u - o` and `v - o` in the plane of x and another axis: its sign is the side of `v`.
 * @param {number[]} o
 * @param {number[]} u
 * @param {number[]} v
 * @param {number} axis
 */
export const crossOf = (o, u, v, axis) => (u[0] - o[0]) * (v[axis] - o[axis]) - (u[axis] - o[axis]) * (v[0] - o[0]);

/**
 * The corners of the convex hull of points, projected on the plane of x and another axis. They go around all hulls
 * in the same direction.
 * @param {number[][]} points
 * @param {number} axis
 */
export const hullOf = (points, axis = 1) => {
  const half = (/** @type {number[][]} */ list) => {
    /** @type {number[][]} */
    const hull = [];
    for (const v of list) {
      while (hull.length > 1 && crossOf(hull[hull.length - 2], hull[hull.length - 1], v, axis) <= 0) hull.pop();
      hull.push(v);
    }
    return hull.slice(0, -1);
  };
  const sorted = points.slice().sort((u, v) => u[0] - v[0] || u[axis] - v[axis]);
  return [...half(sorted), ...half(sorted.slice().reverse())];
};
