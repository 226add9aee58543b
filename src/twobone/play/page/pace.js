// How fast pictures follow each other while something moves decides how they are drawn: sharper or
// coarser (frame.js), and as lines where even the coarsest WebGL is slow and lines are faster.
const pace = (() => {
  "use strict";
  const SMOOTH = 24, POOR = 60, HOPELESS = 250; // milliseconds a picture
  let times = [], total = 0, withCard = null, isSettled = false;

  // Told how long a picture took, and whether WebGL drew it; answers whether WebGL draws the next.
  const count = (milliseconds, isLit) => {
    times.push(milliseconds);
    total += milliseconds;
    if (isSettled || times.length < 3 || (times.length < 16 && total < 1500)) return isLit;
    const middle = times.sort((a, b) => a - b)[times.length >> 1];
    times = [];
    total = 0;
    if (!isLit) {
      isSettled = true;
      return middle > withCard; // lines were no faster: the machine is slow at all
    }
    if (middle <= SMOOTH) return true;
    if (middle <= HOPELESS && (middle <= POOR || !frame.isCoarsest())) {
      frame.coarsen(middle > POOR ? 2 : 1);
      return true;
    }
    withCard = middle;
    return false;
  };

  return { count };
})();
