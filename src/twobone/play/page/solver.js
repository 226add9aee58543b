// Where is the joint of two bones? The same formula as in Python, line by line, and the same bits.
//
// This is `core/exact.py`, `formula.py`, `scaling.py`, `fitting.py`, `policies.py` and `answer.py`
// for one limb of float64 numbers, in the same order of operations and with the same names: what
// is meant is explained there. Only `+ - * /`, comparisons and `Math.sqrt`, each rounded once, so
// every answer is that of `twobone.reach`, bit for bit (tests/play/test_solver.py). The sines of
// limits given in degrees alone may differ in their last bit from browser to browser.
//
// A pair is [value, what rounding lost], a vector is an array of its parts. `u > v ? u : v` is not
// `Math.max`: NaN must come out as it does in Python.
//
//     twobone.reach([1, 1], 1, 1)                            a target in the plane
//     twobone.reach([1, 1, 0], 1, 1, {pole: [0, 1, 0]})      in space
//     twobone.reach([3, 0], 1, 1, {side: -1, unreachable: {limits: [0, 150], soft: 0.1}})
const twobone = (() => {
"use strict";

const STATUS = ["REACHED", "TOO_FAR", "TOO_NEAR", "AMBIGUOUS", "INVALID"];
const [REACHED, TOO_FAR, TOO_NEAR, AMBIGUOUS, INVALID] = STATUS.keys();

// --- exact.py -----------------------------------------------------------------------------

// Browsers need not round `2 ** n` rightly; doubling is exact.
const two = (n) => (n < 0 ? 1 / two(-n) : n > 0 ? 2 * two(n - 1) : 1);

// The constants of float64.
const t = {
    eps: two(-52),
    splitter: two(27) + 1,
    nudge: two(-53) * (1 + two(-52)),
    digits: two(52),
    largest: (2 - two(-52)) * two(1023),
    coarse: two(500),
    step: two(600),
    flush: two(-480),
    faint: two(-511),
    speck: two(-200),
    near: two(-480),
    thin: two(900),
    planeSize: two(100),
    planePart: two(200),
    spaceSize: two(60),
    spacePart: two(80),
};

// s + e is a + b exactly.
function twoSum(a, b) {
    const s = a + b, c = s - a;
    return [s, (a - (s - c)) + (b - c)];
}

// The same where a is not smaller than b.
function fastTwoSum(a, b) {
    const s = a + b;
    return [s, b - (s - a)];
}

// A number and its two halves, short enough to multiply exactly.
function split(a) {
    const c = t.splitter * a, high = c - (c - a);
    return {whole: a, high, low: a - high};
}

// p + e is a b exactly, for two splits.
function twoProduct(a, b) {
    const p = a.whole * b.whole;
    return [p, ((a.high * b.high - p) + a.high * b.low + a.low * b.high) + a.low * b.low];
}

function twoSquare(a) {
    const p = a.whole * a.whole, cross = a.high * a.low;
    return [p, ((a.high * a.high - p) + (cross + cross)) + a.low * a.low];
}

function sumOfPairs([[high, low], ...rest]) {
    let lost;
    for (const pair of rest) {
        [high, lost] = twoSum(high, pair[0]);
        low = lost + (low + pair[1]);
    }
    return [high, low];
}

function productOfPairs(u, v) {
    const [p, e] = twoProduct(split(u[0]), split(v[0]));
    return [p, e + (u[0] * v[1] + u[1] * v[0])];
}

// u / v of two pairs as one number, given 1 / v rounded somehow: one step of long division.
function quotientOfPairs(u, v, inverse) {
    const q = u[0] * inverse;
    const [p, e] = twoProduct(split(q), split(v[0]));
    return q + (((u[0] - p) - e) + (u[1] - q * v[1])) * inverse;
}

// first + sum(words) + tail as a pair, as if added with threefold precision.
function sumOfWords(first, [high, ...rest], tail) {
    let low, lost;
    for (const word of rest) {
        [high, lost] = twoSum(high, word);
        tail += lost;
    }
    [high, low] = twoSum(first, high);
    return [high, low + tail];
}

// The power of two just below v > 0.
function powerOfTwo(v) {
    const grow = v < 1 / t.coarse ? t.step : v > t.coarse ? 1 / t.step : 1;
    v *= grow;
    return ((v + t.nudge * v) - v) * t.digits / grow;
}

// --- formula.py: small words --------------------------------------------------------------

const least = (u, v) => (u < v ? u : v);
const greatest = (u, v) => (u > v ? u : v);
const largest = (v) => v.map(Math.abs).reduce(greatest);
const dot = (u, v) => u.map((part, i) => part * v[i]).reduce((sum, product) => sum + product);
const squares = (v) => v.map((part) => twoSquare(split(part)));
const twice = ([high, low]) => [high + high, low + low];

// --- formula.py: the bend -----------------------------------------------------------------

// What the two lengths give, whatever the target.
function bones(r1, r2) {
    const fold = twoSum(r1, -r2), four = twoProduct(split(4 * r1), split(r2));
    return {r1, fold, four, reach: r1 + r2, folded: Math.abs(fold[0])};
}

// The pairs h = p.p and b = h - fold^2, good to 2^-104 h.
function gap(squared, [f, fLow]) {
    const [ff, ffLow] = twoSquare(split(f));
    const [h, hLow] = sumOfPairs(squared);
    const [b, lost] = twoSum(h, -ff);
    return [[h, hLow], fastTwoSum(b, lost + (hLow - (ffLow + 2 * (f * fLow))))];
}

// The same, good to 2^-158 h: a thin first bone needs every digit.
function fineGap(squared, [f, fLow]) {
    const [ff, ffLow] = twoSquare(split(f));
    const [fe, feLow] = twoProduct(split(2 * f), split(fLow));
    const [[first, low], ...rest] = squared;
    const words = [low];
    let b = first, lost;
    for (const [square, squareLow] of rest) {
        [b, lost] = twoSum(b, square);
        words.push(squareLow, lost);
    }
    [b, lost] = twoSum(b, -ff);
    words.push(lost, -ffLow, -fe);
    return [sumOfPairs(squared), twoSum(...sumOfWords(b, words, -(feLow + fLow * fLow)))];
}

// How far the limb bends: a triangle, or none, before it is known in which plane.
function findBend(h, [b, bLow], {r1, fold: [f, fLow], four, reach, folded}, near = 1, thin = 1) {
    // An edge met but for rounding is met.
    const tooNear = b < -8 * t.eps * (f * f);
    b *= thin;
    bLow *= thin;
    const square = near * near;
    const [left, lost] = twoSum(four[0], -(square * b));
    const [a, aLow] = fastTwoSum(left, lost + (four[1] - square * bLow));
    const tooFar = a < -8 * t.eps * (reach * reach) * thin;
    const [c, cLow] = twoProduct(split(2 * r1), split(f));
    const w = [c + near * b, near * bLow + (cLow + 2 * (r1 * fLow))];
    const extended = a <= 0, met = a >= 0 && b >= 0;
    const area = productOfPairs([a, aLow], met ? [b, bLow] : [1, 0]);
    return {
        h, w, area, met, tooFar, tooNear, r1,
        inside: met && area[0] > t.speck * (h[0] * (r1 * r1)),
        straight: extended || f >= 0 ? 1 : -1,
        edge: extended ? reach : folded,
    };
}

// --- formula.py: the plane it bends in ----------------------------------------------------

// A limb is x = along p + across q, along = w / (2 h). Side +1 bends left.
function bendInPlane(p, bend, side) {
    const root = rootOf(bend, bend.area[0] + bend.area[1]), double = twice(bend.h);
    const inverse = 1 / double[0];
    const across = quotientOfPairs([root, root * 0], double, inverse);
    return {p, q: [-side * p[1], side * p[0]], across, root, inverse, bend, ambiguous: false};
}

// Side +1 bends along m, which is square to p, of any length.
function bendInSpace(p, m, bend, side, ambiguous) {
    const below = productOfPairs(bend.h, sumOfPairs(squares(m)));
    const double = bend.h[0] + bend.h[0], both = 1 / (double * below[0]);
    const root = rootOf(bend, quotientOfPairs(bend.area, below, both * double));
    const q = m.map((part) => side * part);
    return {p, q, across: 0.5 * root, root, inverse: both * below[0], bend, ambiguous};
}

const rootOf = (bend, under) => Math.sqrt(bend.inside ? under : bend.h[0] + bend.h[1]);

// The joint w / (2 h) p + across q.
function place({p, q, across, inverse, bend}, w) {
    const along = quotientOfPairs(w, twice(bend.h), inverse);
    const aside = bend.inside ? across : 0;
    return p.map((part, i) => along * part + aside * q[i]);
}

// In place of w what keeps the first bone's length where there is no triangle.
function straightAlong({bend, root}) {
    const w = 2 * bend.straight * bend.r1 * root;
    return [w, w * 0];
}

// m = h pole - (p.pole) p, the pole made square to p, each part rounded once.
function towards(p, pole, [h, hLow]) {
    const splitP = p.map(split), splitPole = pole.map(split);
    const [d, dLow] = sumOfPairs(splitP.map((part, i) => twoProduct(part, splitPole[i])));
    const splitH = split(h), splitD = split(d);
    return splitPole.map((part, i) => {
        const along = splitP[i];
        const [u, uLow] = twoProduct(part, splitH), [v, vLow] = twoProduct(along, splitD);
        const [s, lost] = twoSum(u, -v);
        return s + (lost + ((uLow - vLow) + (part.whole * hLow - along.whole * dLow)));
    });
}

// Is the pole zero or within 4 eps of the target line?
function isAlong(m, h, pole) {
    return dot(m, m) <= (16 * t.eps * t.eps) * ((h[0] * h[0]) * dot(pole, pole));
}

// The axis of coordinates least along v, the first of equals: 0, 1 or 2.
function leastAxis(v) {
    const [x, y, z] = v.map(Math.abs);
    return x <= y && x <= z ? 0 : y <= z ? 1 : 2;
}

// v x e, where e is that axis.
function crossLeastAxis(v) {
    const [x, y, z] = v;
    return [[0, z, -y], [-z, 0, x], [y, -x, 0]][leastAxis(v)];
}

// --- formula.py: a limb without scaling, the usual one ------------------------------------

function easyLimb({p, r1, r2, side, pole}) {
    const prepared = bones(r1, r2), [h, b] = gap(squares(p), prepared.fold);
    const bend = findBend(h, b, prepared);
    if (!pole) return bendInPlane(p, bend, side);
    const m = towards(p, pole, h), along = isAlong(m, h, pole);
    return bendInSpace(p, along ? [1, 1, 1] : m, bend, side, along);
}

// Nothing needs scaling, no digit is at risk and all is finite. A pole along the target line is
// found later.
function isEasy({p, r1, r2, side, pole}) {
    const [size, part] = pole ? [t.spaceSize, t.spacePart] : [t.planeSize, t.planePart];
    const moderate = (r) => r >= 1 / size && r <= size;
    const fine = (v) => largest(v) >= 1 / size && v.map(Math.abs).every(
        (each) => each <= size && (each >= 1 / part || each === 0));
    return 4 * r1 >= r2 && side * side === 1 && moderate(r1) && moderate(r2) && fine(p)
        && (!pole || fine(pole));
}

// --- scaling.py: any limb at all ----------------------------------------------------------

function isValid({p, r1, r2, side, pole}) {
    return r1 >= 0 && r1 <= t.largest && r2 >= 0 && r2 <= t.largest && side * side === 1
        && [...p, ...(pole || [])].every((part) => Math.abs(part) <= t.largest);
}

// Target, longer bone and first bone each get a power of two as unit of their own.
function anyLimb({p, r1, r2, side, pole}) {
    pole = pole && inUnitsOfItsOwn(pole);
    const atRoot = largest(p) === 0;
    if (atRoot) p = start(pole);
    const target = powerOfTwo(largest(p));
    p = p.map((part) => part / target);
    const [units, ring] = scale(target, atRoot, r1, r2);
    const prepared = scaledBones(units, ring, r1);
    const seen = p.map((part) => (Math.abs(part) < t.faint ? 0 : part));
    const [h, b] = fineGap(squares(seen), prepared.fold);
    const bend = findBend(h, b, prepared, units.near, units.thin);
    // At the root nothing is too far, and the joint is square to the way exactly.
    if (atRoot) bend.tooFar = false;
    if (atRoot && bend.inside) bend.w = [0, 0];
    const limb = bendAnywhere(p, pole, bend, side);
    limb.ambiguous = bend.inside && (atRoot || limb.ambiguous);
    goWild(p, units, ring, prepared);
    return [limb, units, ring];
}

// In the plane, or in space with another pole where this one lies along the way.
function bendAnywhere(p, pole, bend, side) {
    if (!pole) return bendInPlane(p, bend, side);
    let m = towards(p, pole, bend.h);
    const along = isAlong(m, bend.h, pole);
    if (along) {
        const other = [0, 0, 0];
        other[leastAxis(p)] = 1;
        m = towards(p, other, bend.h);
    }
    return bendInSpace(p, m, bend, side, along);
}

// Where a target at the root is taken to lie: on +x, or square to the pole.
function start(pole) {
    if (!pole) return [1, 0];
    return largest(pole) === 0 ? [1, 0, 0] : crossLeastAxis(pole);
}

function inUnitsOfItsOwn(pole) {
    const size = largest(pole), unit = powerOfTwo(size > 0 ? size : 1);
    return pole.map((part) => (Math.abs(part / unit) < t.flush ? 0 : part / unit));
}

// Powers of two that bring the bones to the size of 1, and the ring measured in the longer bone.
// What is too extreme to change the answer is bounded, so that nothing can overflow.
function scale(target, atRoot, r1, r2) {
    let longerBone = greatest(r1, r2);
    longerBone = longerBone > 0 ? longerBone : 1;
    const longer = powerOfTwo(longerBone), first = powerOfTwo(r1 > 0 ? r1 : longerBone);
    const thin = least(longer / first, t.thin);
    const distance = atRoot ? t.near : greatest(least(target / longer, 1 / t.near), t.near);
    r1 = r1 / first / thin;
    r2 = r2 / longer;
    r2 = r2 < t.flush ? 0 : r2;
    const outer = twoSum(r1, r2), fold = twoSum(r1, -r2);
    const inner = [Math.abs(fold[0]), fold[0] < 0 ? -fold[1] : fold[1]];
    return [
        {target, longer, first, distance, near: least(distance, 8), thin, atRoot},
        {outer, inner, width: 2 * least(r1, r2), r1, r2, fold},
    ];
}

// Bones as `findBend` wants them: each quantity in its own unit, the fold bounded.
function scaledBones(units, ring, r1) {
    r1 = r1 / units.first;
    const [f, fLow] = ring.fold.map((part) => part / units.near);
    const fold = Math.abs(f) < 8 ? [f, fLow] : [f < 0 ? -8 : 8, 0];
    const four = twoProduct(split(4 * r1), split(ring.r2));
    return {r1, fold, four, reach: ring.outer[0], folded: ring.inner[0]};
}

// Where the target is far out of reach, and how far along it the joint is all the same.
function goWild(p, units, ring, prepared) {
    const far = units.distance;
    units.wild = far > 4 || Math.abs(prepared.fold[0]) > 4;
    units.wildAlong = 0.5 + 0.5 * ((ring.fold[0] / far) * (ring.outer[0] / far) / dot(p, p));
}

// --- fitting.py: an end elsewhere than on the target --------------------------------------

// The greatest distance that is told from others, in units of the longer bone.
const farthest = 0.25 * t.largest;

// u - v of two pairs, rounded once.
function pairDifference(u, v) {
    const [high, lost] = twoSum(u[0], -v[0]);
    return high + (lost + (u[1] - v[1]));
}

// The target measured against the ring, in double words.
function fitTarget(limb, units, ring) {
    const [h, low] = sumOfPairs(squares(limb.p)), root = Math.sqrt(h);
    const [square, squareLow] = twoSquare(split(root));
    const rootLow = ((h - square) + (low - squareLow)) / (root + root);
    const unit = units.atRoot ? 0 : least(units.target / units.longer, farthest);
    const d = [root * unit, rootLow * unit], four = 4 * ring.r1 * ring.r2;
    return {
        distance: d[0],
        far: pairDifference(ring.outer, d),
        near: pairDifference(d, ring.inner),
        outer: ring.outer[0],
        inner: ring.inner[0],
        width: ring.width,
        outerRest: 0,
        outerOver: four,
        innerRest: 0,
        innerUnder: four,
        stretch: 1,
        moved: false,
        met: false,
        ring,
        fine: powerOfTwo(ring.width > 0 ? ring.width : 1),
    };
}

// How far from the root the end is put, before the bones stretch.
const endDistance = (fit) => (fit.far < fit.near ? fit.outer - fit.far : fit.inner + fit.near);

// Joint and end of a limb whose end is put at a distance.
function limbAt(limb, units, fit) {
    const ring = fit.ring, d = endDistance(fit);
    const a = fit.outerRest + fit.far * (2 * fit.outer - fit.far);
    const b = fit.innerRest + fit.near * (2 * fit.inner + fit.near);
    const w = b + 2 * (ring.r1 * ring.fold[0]);
    const apart = d > t.near || d !== d, safe = apart ? d : 1;
    const bent = a > 0 && (b > 0 || d <= t.near);
    const root = Math.sqrt(bent ? a : 1) * Math.sqrt(bent && apart ? b : 1);
    const length = Math.sqrt(dot(limb.p, limb.p));
    const toP = 1 / length, toQ = 1 / Math.sqrt(dot(limb.q, limb.q));
    const along = (apart ? w / (safe + safe) : 0) * units.thin * toP;
    const across = (bent ? root / (safe + safe) : 0) * units.thin * toQ;
    const free = limb.p.map((p, i) => along * p + across * limb.q[i]);
    const joint = asLongAs(free, ring.r1 * units.thin);
    // The order keeps the greatest factors and the smallest units from overflowing.
    const factor = fit.met ? length / safe / units.thin : 1;
    const unit = fit.met ? units.target : units.first;
    const end = limb.p.map((p) => d * toP * p * units.longer * fit.stretch);
    return [joint.map((part) => part * factor * unit * fit.stretch), end];
}

// A vector that is that long but for rounding, exactly so but for the last.
function asLongAs(v, length) {
    const [vv, low] = sumOfPairs(squares(v)), [square, squareLow] = twoSquare(split(length));
    const excess = square > 0 ? ((vv - square) + (low - squareLow)) / (square + square) : 0;
    return v.map((part) => part - excess * part);
}

// --- policies.py --------------------------------------------------------------------------

const NAMED = {clamp: {}, stretch: {gives: true}, nan: {signals: true}, raise: {}};

// `v`, or where it is not positive something that a root and a division can bear.
const positive = (v) => (v > 0 ? v : 1);

// The policy that `unreachable` is: a word, or the chain of the parts it has.
function resolve(unreachable) {
    if (typeof unreachable === "string" && Object.hasOwn(NAMED, unreachable)) {
        return NAMED[unreachable];
    }
    if (typeof unreachable !== "object") throw new RangeError(`No policy "${unreachable}".`);
    const {limits = null, soft = null, stretch = null} = unreachable || {};
    const steps = [];
    if (limits !== null) steps.push(limitsOf(limits));
    if (soft !== null) steps.push(softOf(soft));
    if (stretch !== null) steps.push(stretchOf(stretch));
    if (!steps.length) return NAMED.clamp;
    return {fits: true, fit: (fit) => steps.reduce((fit, step) => step(fit), fit)};
}

// How an opening divides 4 r1 r2 between the fold and full reach.
const shares = (degrees) => ({sin2: sin2Half(degrees), cos2: sin2Half(180 - degrees)});

// sin^2(angle / 2), exactly 1/2 for a right angle.
function sin2Half(degrees) {
    const sine = Math.sin(degrees * (Math.PI / 180) / 2);
    return degrees === 90 ? 0.5 : sine * sine;
}

// [least, greatest] in degrees, or {least, greatest} as `shares` gives them.
function limitsOf(limits) {
    if (Array.isArray(limits)) {
        const [low, high] = limits;
        if (!(0 <= low && low <= high && high <= 180)) {
            throw new RangeError("Limits: wanted 0 <= least <= greatest <= 180.");
        }
        limits = {least: shares(low), greatest: shares(high)};
    }
    return (fit) => narrow(fit, limits.least, limits.greatest);
}

// Keep the opening of the joint within limits: the ring is only narrower.
function narrow(fit, closed, open) {
    const ring = fit.ring, four = 4 * ring.r1 * ring.r2;
    const outerRest = greatest(four * open.cos2, fit.outerRest);
    const outerOver = least(four * open.sin2, fit.outerOver);
    const innerRest = greatest(four * closed.sin2, fit.innerRest);
    const innerUnder = least(four * closed.cos2, fit.innerUnder);
    const lower = outerRest > fit.outerRest || outerOver < fit.outerOver;
    const higher = innerRest > fit.innerRest || innerUnder < fit.innerUnder;
    const outer = lower ? edgeOf(ring, outerOver, outerRest) : fit.outer;
    const inner = higher ? edgeOf(ring, innerRest, innerUnder) : fit.inner;
    // The edges move by differences of squares over sums, each that of the smaller squares.
    const hardlyOpens = outerOver < outerRest, hardlyCloses = innerUnder < innerRest;
    const less = (hardlyOpens ? fit.outerOver - outerOver : outerRest - fit.outerRest)
        / positive(fit.outer + outer);
    const more = (hardlyCloses ? fit.innerUnder - innerUnder : innerRest - fit.innerRest)
        / positive(fit.inner + inner);
    const square = hardlyOpens ? outerOver - innerRest : innerUnder - outerRest;
    const width = lower || higher ? greatest(square, 0) / positive(outer + inner) : fit.width;
    // What is left to the nearer edge is known best; the rest of the width is to the other.
    const low = fit.near < fit.far, far = fit.far - less, near = fit.near - more;
    return {
        ...fit,
        far: low ? width - near : far,
        near: low ? near : width - far,
        outer, inner, width, outerRest, outerOver, innerRest, innerUnder,
    };
}

// An edge whose square is the fold's and `over`, and full reach's less `under`.
function edgeOf(ring, over, under) {
    const fold = ring.inner[0], reach = ring.outer[0];
    const square = over < under ? fold * fold + over : reach * reach - under;
    return square > 0 ? Math.sqrt(square) : 0;
}

// Approach the edges of the ring smoothly.
function softOf(softness) {
    if (!(0 < softness && softness < 1)) throw new RangeError("Soft: wanted between 0 and 1.");
    return (fit) => {
        const half = 0.5 * fit.width;
        const [far, slow] = ease(fit, fit.far, least(softness * fit.outer, half));
        const [near, fast] = ease(fit, fit.near, least(softness * fit.inner, half));
        return {
            ...fit,
            far: fast ? fit.width - near : far,
            near: slow ? fit.width - far : near,
            moved: fit.moved || slow || fast,
        };
    };
}

// What is left to an edge after easing, and whether that is not what came.
function ease(fit, left, zone) {
    if (!(left < zone && zone > 0)) return [left, false];
    const inside = greatest(left + zone, 0) / fit.fine;
    return [inside * inside / (4 * (zone / fit.fine)) * fit.fine, true];
}

// Lengthen both bones in proportion to meet a far target, up to a limit, then clamp.
function stretchOf(limit) {
    if (!(limit >= 1)) throw new RangeError("Stretch: wanted at least 1.");
    return (fit) => {
        fit = keepWithin(fit);
        const d = endDistance(fit), short = fit.moved && d < fit.distance && d > t.near;
        const met = short && fit.distance / d <= limit
            && (limit === Infinity || fit.distance < farthest);
        return {...fit, stretch: short && !met ? limit : fit.stretch, met};
    };
}

// Clamp the end to the ring.
function keepWithin(fit) {
    if (fit.far < 0) return {...fit, far: 0, near: fit.width, moved: true};
    if (fit.near < 0) return {...fit, far: fit.width, near: 0, moved: true};
    return fit;
}

// --- answer.py ----------------------------------------------------------------------------

// The usual case, by a named policy; null where the pole lies along the way.
function easy(targets, policy) {
    const limb = easyLimb(targets);
    if (limb.ambiguous) return null;
    const joint = place(limb, alongOf(limb, policy));
    return signal({joint, end: endOf(limb, targets.p, 1, policy), status: statusOf(limb)}, policy);
}

// Every case.
function any(targets, policy) {
    const nan = targets.p.map(() => NaN);
    if (!isValid(targets)) return {joint: nan, end: [...nan], status: INVALID};
    const [limb, units, ring] = anyLimb(targets);
    const answer = named(limb, units, targets.p, policy);
    return policy.fits ? fitted(limb, units, ring, targets.p, policy, answer) : answer;
}

// As a named policy answers; one that fits as "clamp" does.
function named(limb, units, p, policy) {
    let joint = place(limb, alongOf(limb, policy));
    if (!policy.gives) {
        joint = joint.map((part) => part * units.first);
    } else if (!units.wild) {
        // Where the bones give, the first one's own size no longer matters.
        const unit = limb.bend.inside ? units.first : units.longer / units.thin;
        joint = joint.map((part) => part * unit);
    } else if (units.atRoot) {
        joint = named(limb, units, p, NAMED.clamp).joint;
    } else {
        joint = limb.p.map((part) => units.wildAlong * part * units.target);
    }
    const end = endOf(limb, p, units.longer, policy);
    return signal({joint, end, status: statusOf(limb)}, policy);
}

// As a policy that fits answers; `plain` is the answer where it moves nothing.
function fitted(limb, units, ring, p, policy, plain) {
    const fit = keepWithin(policy.fit(fitTarget(limb, units, ring)));
    if (!fit.moved) return plain;
    const [joint, end] = limbAt(limb, units, fit), d = endDistance(fit);
    const slack = 4 * t.eps * greatest(fit.inner, d);
    let status = fit.distance - d > slack ? TOO_FAR : plain.status;
    status = d - fit.distance > slack ? TOO_NEAR : status;
    return {joint, end: fit.met ? p : end, status: d === d ? status : INVALID};
}

// w, or where there is no triangle what keeps the first bone's length.
function alongOf(limb, policy) {
    return policy.gives || limb.bend.inside ? limb.bend.w : straightAlong(limb);
}

// Where the second bone really ends.
function endOf(limb, p, unit, policy) {
    if (policy.gives || limb.bend.met) return p;
    const along = limb.bend.edge * limb.root / limb.bend.h[0];
    return limb.p.map((part) => along * part * unit);
}

function statusOf({bend, ambiguous}) {
    return bend.tooFar ? TOO_FAR : bend.tooNear ? TOO_NEAR : ambiguous ? AMBIGUOUS : REACHED;
}

function signal(answer, policy) {
    if (!policy.signals || ![TOO_FAR, TOO_NEAR].includes(answer.status)) return answer;
    const nan = answer.joint.map(() => NaN);
    return {joint: nan, end: [...nan], status: answer.status};
}

// Place the joint; say where the end really is and what became of the target (see STATUS).
// Values never throw, shapes and policies do. "raise" is "clamp": the caller reads the status.
function reach(target, r1, r2, {side = 1, pole = null, unreachable = "clamp"} = {}) {
    const p = Array.from(target, Number), policy = resolve(unreachable);
    pole = pole && Array.from(pole, Number);
    if (p.length !== 2 && p.length !== 3) throw new RangeError("target: wanted 2 or 3 numbers.");
    if ((pole ? pole.length : 2) !== p.length) {
        throw new RangeError("pole: wanted 3 numbers in space, none in the plane.");
    }
    const targets = {p, r1: Number(r1), r2: Number(r2), side: Number(side), pole};
    return (!policy.fits && isEasy(targets) && easy(targets, policy)) || any(targets, policy);
}

return {reach, shares, STATUS, exact: {twoSum, twoSquare, split}};
})();
