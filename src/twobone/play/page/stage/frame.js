// The size of the picture in pixels, and the part of it that nothing covers; sight.js measures both.
export const frame = { width: 800, height: 600, free: { left: 0, top: 0, width: 800, height: 600 } };
