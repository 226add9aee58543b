"""Flip one sign or choice at a time in the source, and see that a test goes red each time.

Run by hand and by CI: python tests/flip_signs.py, with `core`, `pose`, `creature` or `robots` for
flips of that room alone and a number after it for every so many of them. Works on a copy; nothing
here is changed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).parents[1]
CORE = [
    ("core/formula.py", "exact.two_sum(r1, -r2)", "exact.two_sum(r1, r2)"),
    ("core/formula.py", "b, lost = exact.two_sum(h, -ff)", "b, lost = exact.two_sum(h, ff)"),
    ("core/formula.py", "lost + (h_low - (ff_low", "lost + (h_low + (ff_low"),
    ("core/formula.py", "words += [lost, -ff_low, -fe]", "words += [lost, -ff_low, fe]"),
    ("core/formula.py", "four_low - square * b_low", "four_low + square * b_low"),
    ("core/formula.py", "(-side * py, side * px)", "(side * py, -side * px)"),
    ("core/formula.py", "extended | (f >= 0.0), one", "extended, one"),
    ("core/formula.py", "inside = met & (", "inside = met | ("),
    ("core/formula.py", "met = (a >= 0.0) & (b >= 0.0)", "met = (a >= 0.0)"),
    ("core/formula.py", "exact.two_sum(u, -v)", "exact.two_sum(u, v)"),
    ("core/formula.py", "part.whole * h_low - along", "part.whole * h_low + along"),
    ("core/formula.py", "near * b_low + (c_low +", "near * b_low - (c_low +"),
    ("core/formula.py", "large = a < -8.0", "large = a < 8.0"),
    ("core/formula.py", "small = b[0] < -8.0", "small = b[0] < -0.0"),
    ("core/formula.py", "(16.0 * t.eps * t.eps)", "(0.0 * t.eps)"),
    ("core/formula.py", "(thick * r1 >= r2)", "(1e6 * thick * r1 >= r2)"),
    ("core/formula.py", "along * p + across * q", "along * p - across * q"),
    ("core/formula.py", "two_sum(four, -(square * b))", "two_sum(four, square * b)"),
    ("core/exact.py", "(a - (s - c)) + (b - c)", "(a - (s - c)) - (b - c)"),
    ("core/exact.py", "+ a.high * b.low + a.low", "+ a.high * b.low - a.low"),
    ("core/exact.py", "tail = tail + lost", "tail = tail - lost"),
    ("core/exact.py", "((u[0] - p) - e) + (", "((u[0] - p) - e) - ("),
    ("core/exact.py", "p, e + (u[0] * v[1]", "p, e - (u[0] * v[1]"),
    ("core/scaling.py", "near = formula.least(xp, distance, 8.0)", "near = distance"),
    ("core/scaling.py", "triangle.inside & (at_root | is_along)", "triangle.inside & (is_along)"),
    ("core/scaling.py", "xp.where(difference < 0.0, -low, low)", "low"),
    ("core/scaling.py", "side * side == 1.0", "side == side"),
    ("core/fitting.py", "lost + (u[1] - v[1])", "lost + (u[1] + v[1])"),
    ("core/fitting.py", "w = b + 2.0 * (reachable.r1", "w = b - 2.0 * (reachable.r1"),
    ("core/policies.py", "far=xp.where(fast, fit.width - near, far)", "far=far"),
    ("core/policies.py", "short & (factor <= self.limit)", "short & (factor >= self.limit)"),
    ("core/policies.py", "fit.far - less, fit.near - more", "fit.far - less, fit.near + more"),
    ("core/policies.py", "xp.where(hardly_opens, fit", "xp.where(hardly_closes, fit"),
    ("core/fitting.py", "part - excess * part", "part + excess * part"),
    ("core/fitting.py", "xp.where(fit.met, length / safe / units.thin", "xp.where(fit.met, 1.0"),
    (
        "core/answer.py",
        "triangle.edge * solution.root / triangle.h[0]",
        "triangle.edge / solution.root",
    ),
    (
        "core/answer.py",
        "solution.triangle.inside, units.first",
        "solution.triangle.inside, units.longer",
    ),
    ("core/answer.py", "xp.where(valid, answer.status, INVALID)", "answer.status"),
    ("core/engine.py", "answer.is_easy(NUMPY, t, targets) & np.logical_not", "np.logical_not"),
]
POSE = [
    ("rotations/quaternions.py", "choose(xp, dot(p, q) < 0.0", "choose(xp, dot(p, q) >= 0.0"),
    ("rotations/quaternions.py", "swing = vectors.minus(", "swing = vectors.plus("),
    ("core/vectors.py", "words += [lost, product_low]", "words += [lost]"),
    ("rotations/quaternions.py", "unit = unit / t.coarse / t.coarse", "unit = unit / t.coarse"),
    ("rotations/frames.py", "proper = dot(rows[0]", "proper = -dot(rows[0]"),
    ("rotations/frames.py", "choose(xp, a < -e, z, w)", "choose(xp, a < e, z, w)"),
    ("rotations/angles.py", "(((h - square) - lost) + h_low)", "((h - square) - lost)"),
    ("rotations/angles.py", "s * dc + c * ds", "s * dc - c * ds"),
    ("rotations/angles.py", "axis, a) | vectors", "axis, a) & vectors"),
    ("rotations/angles.py", "end = xp.where(away > 0.0", "end = xp.where(away < 0.0"),
    ("pose/placing.py", "quaternions.multiply(rotation, rotations[joint])", "rotations[joint]"),
    (
        "rotations/quaternions.py",
        "square > t.coarse, square < 1.0 / t.coarse",
        "square > t.coarse, square < 0.0",
    ),
    ("rotations/quaternions.py", "(scale - xp.constant(scale))", "0.0 * scale"),
    ("rotations/quaternions.py", "xp.where(square < INFINITY, square, NAN)", "square"),
    (
        "rotations/quaternions.py",
        "(square <= 1.0 + 32.0 * t.eps)",
        "(square <= 1.0 - 32.0 * t.eps)",
    ),
    ("pose/reaching.py", "keep_where(xp, is_still, inputs.rotations[joint], q)", "q"),
    ("pose/reaching.py", "given[2] = inputs.rotations[plan.end]", "pass"),
    ("pose/reaching.py", "wanted_valid & (found.hinge", "(found.hinge"),
    ("pose/reaching.py", "[*new, placed.local_rotations[plan.end]]", "new"),
    ("pose/reaching.py", "keep_where(xp, still[1], placed", "keep_where(xp, None, placed"),
    ("pose/reaching.py", "quaternions.nearer(xp, start, found.start)", "found.start"),
    (
        "pose/reaching.py",
        "quaternions.half_of(xp, dot(normal",
        "quaternions.half_of(xp, -dot(normal",
    ),
    ("pose/bending.py", "by_position * (1.0 - weights.pole)", "by_position"),
    (
        "pose/bending.py",
        "opposite(share_of_half(xp, share, less))",
        "share_of_half(xp, share, less)",
    ),
    ("pose/bending.py", "now - by_position * (then - own)", "now"),
    ("pose/ends.py", "blend(xp, *pair, twist_weight)", "pair[1]"),
    ("pose/transport.py", "motion * formula.least(xp, distance, 1.0)", "motion"),
    ("pose/normalizing.py", "valid[joint] & found[parent]", "valid[joint]"),
    ("pose/reaching.py", "where_valid(xp, described.placed.valid.end, state)", "state"),
    ("pose/reaching.py", "where_valid(xp, placed.valid.end, stretched)", "stretched"),
    ("pose/reaching.py", "(placed.valid.end | (weights.position >= 1.0))", "placed.valid.end"),
    ("pose/reaching.py", "valid = valid & (placed.valid.end", "valid = (placed.valid.end"),
    ("pose/limb.py", "is_valid = reached.valid & (found", "is_valid = (found"),
    ("pose/skeleton.py", "is_valid & valid[parent]", "is_valid"),
    ("pose/reaching.py", "distance == 0.0, at_rest, d", "distance != 0.0, at_rest, d"),
    ("pose/transport.py", "sin < 0.0, -max_step, max_step", "sin < 0.0, max_step, -max_step"),
    ("pose/transport.py", "valid & ((distance > 0.0) | ~started)", "valid"),
    (
        "pose/reaching.py",
        "back = quaternions.conjugate(placed.parent_rotation)\n    normal",
        "back = placed.parent_rotation\n    normal",
    ),
    ("pose/reaching.py", "quaternions.multiply(wanted, quaternions.conjugate(given))", "wanted"),
    ("pose/ends.py", "quaternions.conjugate(rest.end_rotation)", "rest.end_rotation"),
    ("rotations/angles.py", "back = cos < 0.0", "back = cos < -2.0"),
    ("pose/reaching.py", "first if joint <= plan.mid", "first if joint < plan.mid"),
    ("pose/reaching.py", "keep_where(xp, reached.still, given[joint], stretched)", "stretched"),
    ("pose/bending.py", "x * y + y * beyond", "x * y - y * beyond"),
    (
        "pose/bending.py",
        "vectors.minus(vectors.times(x, hinge.first)",
        "vectors.plus(vectors.times(x, hinge.first)",
    ),
    (
        "pose/bending.py",
        "(target_distance - hinge.offset) * (target_distance + hinge.offset)",
        "target_distance * target_distance + hinge.offset * hinge.offset",
    ),
    (
        "pose/bending.py",
        "vectors.times(1.0 - influence, fall",
        "vectors.times(1.0 + influence, fall",
    ),
    (
        "pose/bending.py",
        "dot(vectors.cross(direction, rotated_normal), wanted_normal)",
        "dot(vectors.cross(rotated_normal, direction), wanted_normal)",
    ),
    ("pose/bending.py", "hinge.is_skew | (end >", "hinge.is_skew & (end >"),
    ("rotations/quaternions.py", "beyond = c < 0.0", "beyond = c < -2.0"),
    ("pose/corrections.py", "(status == TOO_FAR) | (status == TOO_NEAR)", "(status == TOO_FAR)"),
    ("pose/corrections.py", "mid_space.sign * start_space.sign", "mid_space.sign"),
    ("pose/faults.py", "(square < 0.996) | ((square", "((square"),
    ("core/branches.py", "(1.0 - hysteresis) * (1.0 - hysteresis)", "(1.0 + hysteresis)"),
    ("core/branches.py", "xp.where(swap, -side, side)", "side"),
    ("pose/skeleton.py", "vectors.minus(position, positions[parent])", "position"),
    ("pose/describing.py", "vectors.cross(second, first)", "vectors.cross(first, second)"),
    ("pose/options.py", "return policy.gives", "return False"),
    ("pose/options.py", "limits | rest", "rest"),
    ("pose/limb.py", "if joint not in below]", "if joint in below]"),
    ("pose/limb.py", '"others": shape}) != shape:', '"others": shape}) == shape:'),
    ("pose/tree.py", "low.endswith(wanted) and wanted", "low.endswith(wanted)"),
    ("pose/tree.py", "> UNIFORM * array[:, 0]", "> UNIFORM"),
    ("pose/tree.py", "-np.frexp(largest)[1]", "np.frexp(largest)[1]"),
    ("pose/tree.py", "all(scale == 1.0 for", "any(scale == 1.0 for"),
    ("pose/tree.py", "else world[parent] for", "else scales[parent] for"),
    ("pose/tree.py", "sys.float_info.min <= world", "0.0 < world"),
    (
        "pose/tree.py",
        "    for joint in order:\n        if parents[joint] >= 0:",
        "    for joint in range(len(world)):\n        if parents[joint] >= 0:",
    ),
]
CREATURE = [
    ("creature/gait.py", "slow + (fast - slow)", "slow - (fast - slow)"),
    ("creature/gait.py", "along = 1.0 - duty_factor", "along = 1.0 + duty_factor"),
    ("creature/gait.py", "np.tile([0.0, 0.5], pairs)", "np.tile([0.0, 0.0], pairs)"),
    ("creature/gait.py", "[1, 0, 0, -10, 15, -6]", "[1, 0, 0, -10, 15, 6]"),
    ("creature/gait.py", "[0, 1, 0, -6, 8, -3]", "[0, 1, 0, -6, 8, 3]"),
    ("creature/gait.py", "[0, 0, 0.5, -1.5, 1.5, -0.5]", "[0, 0, 0.5, -1.5, 1.5, 0.5]"),
    ("creature/gait.py", "[1, -1, -18, 50", "[1, 1, -18, 50"),
    ("creature/gait.py", "[0, 1, -5.5, 10.5", "[0, -1, -5.5, 10.5"),
    ("creature/gait.py", "[0, -60, 300", "[0, 60, 300"),
    ("creature/gait.py", "[0, -36, 168", "[0, 36, 168"),
    ("creature/gait.py", "[1, -11, 37, -55", "[1, -11, 37, 55"),
    ("creature/gait.py", "[0, 0, 30, -90", "[0, 0, 30, 90"),
    ("creature/gait.py", "[0, 60, -300", "[0, 60, 300"),
    (
        "creature/gait.py",
        "np.minimum(np.maximum(value, least), greatest)",
        "np.maximum(value, least)",
    ),
    ("creature/gait.py", "64.0 * t * t * t", "16.0 * t * t"),
    ("creature/gait.py", "(fade * (1.0 + turn)) * away", "(fade * (1.0 - turn)) * away"),
    ("creature/gait.py", "+ (fade * dt) * speed", "- (fade * dt) * speed"),
    ("creature/gait.py", "(fade * (1.0 - turn)) * speed", "(fade * (1.0 + turn)) * speed"),
    ("creature/gait.py", "- (fade * rate * turn) * away", "+ (fade * rate * turn) * away"),
    ("creature/footing.py", "10.0 - 15.0 * ALONG", "10.0 + 15.0 * ALONG"),
    ("creature/footing.py", "cis(-heading)", "cis(heading)"),
    ("creature/footing.py", "(np.max(around, -1) - np.min", "(np.max(around, -1) + np.min"),
    ("creature/footing.py", "even & near & free &", "near & free &"),
    ("creature/footing.py", "even & near & free &", "even & free &"),
    ("creature/footing.py", "free & (need <= legs.max_lift[:, None])", "free"),
    ("creature/governor.py", "later - np.minimum(now, 0.0)", "later"),
    ("creature/governor.py", "later - np.minimum(now", "later + np.minimum(now"),
    (
        "creature/braking.py",
        "room - distance(from_above(goals) - hips)",
        "room + distance(from_above(goals) - hips)",
    ),
    (
        "creature/braking.py",
        "    if state.terrain.has_edges",
        "    if not state.terrain.has_edges",
    ),
    ("creature/braking.py", "np.argmin(free, 1)", "np.argmax(free, 1)"),
    ("creature/restraint.py", "swing[which, 0] += shift[which]", "swing[which, 0] -= shift[which]"),
    ("creature/braking.py", "turning + fraction * (motion", "turning - fraction * (motion"),
    ("creature/restraint.py", "above - state.slack.belly", "above + state.slack.belly"),
    ("creature/pacing.py", "seconds / SEEKS - 1.0", "seconds / SEEKS - 1e9"),
    (
        "creature/state.py",
        "self.place + rotated(from_above",
        "self.place - rotated(from_above",
    ),
    ("creature/carriage.py", "np.minimum(lower, 0.0), -most)", "np.minimum(lower, 0.0), -np.inf)"),
    ("creature/governor.py", "before - after, 1.0", "before + after, 1.0"),
    ("creature/governor.py", "away - limits.min_reach", "away + limits.min_reach"),
    ("creature/governor.py", "np.maximum(ahead - spare", "np.maximum(ahead + spare"),
    (
        "creature/restraint.py",
        "        BodyState(now.course, then.suspension),\n        then,\n",
        "",
    ),
    ("creature/restraint.py", "& (legs_then > far)", "& (legs_then < far)"),
    (
        "creature/restraint.py",
        "        BodyState(now.course, then.suspension),\n        then,\n    ):",
        "    ):",
    ),
    ("creature/restraint.py", "        BodyState(then.course, now.suspension),\n", ""),
    ("creature/restraint.py", "        then,\n    ):", "    ):"),
    (
        "creature/standing.py",
        "np.minimum.reduce(state.slack.least, 1) < 0.0",
        "np.minimum.reduce(state.slack.least, 1) < -99.0",
    ),
    ("creature/pacing.py", "np.maximum(asked[:, 2], -most)", "np.maximum(asked[:, 2], most)"),
    ("creature/pacing.py", "full * (1.0 - CURVED", "full * (1.0 + CURVED"),
    ("creature/pacing.py", "(goes < 0.1 * told)", "(goes > 0.1 * told)"),
    ("creature/footing.py", "np.abs(middle - legs.stood[:, 2:])", "(middle - legs.stood[:, 2:])"),
    ("creature/footing.py", "np.maximum(steep - STEEP, 0.0)", "np.maximum(STEEP - steep, 0.0)"),
    ("creature/footing.py", "0.0) + 0.02 / ASIDE", "0.0) - 0.02 / ASIDE"),
    ("creature/footing.py", "2.0 * np.maximum(longer, 0.0)", "2.0 * np.maximum(-longer, 0.0)"),
    ("creature/footing.py", "away - legs.far[:, None]", "away + legs.far[:, None]"),
    ("creature/footing.py", "legs.near[:, None] - away", "away - legs.near[:, None]"),
    ("creature/footing.py", "legs.tops[:, None] - middle", "legs.tops[:, None] + middle"),
    ("creature/footing.py", "tried - legs.hips[:, None]", "tried + legs.hips[:, None]"),
    ("creature/footing.py", "places - hips, tops - points", "places - hips, tops + points"),
    ("creature/footing.py", "drop * drop > reach", "drop * drop < reach"),
    ("creature/footing.py", "np.abs(tops - points[:, 2])", "np.abs(tops + points[:, 2])"),
    ("creature/footing.py", "reach * reach - drop * drop", "reach * reach + drop * drop"),
    ("creature/footing.py", "hips + fraction * away", "hips - fraction * away"),
    (
        "creature/footing.py",
        "from_above(path)) - path[..., 2]\n    need = np.max(under / HIGH",
        "from_above(path)) + path[..., 2]\n    need = np.max(under / HIGH",
    ),
    ("creature/footing.py", "clearance + np.maximum(need", "clearance - np.maximum(need"),
    ("creature/footing.py", "sums[:, 0] + stiff", "sums[:, 0] - stiff"),
    ("creature/footing.py", "xz * zy - zz * xy", "xz * zy + zz * xy"),
    ("creature/footing.py", "xz * xy - xx * zy", "xz * xy + xx * zy"),
    ("creature/footing.py", "xx * zz - xz * xz", "xx * zz + xz * xz"),
    ("creature/footing.py", "from_above(middle) - place", "from_above(middle) + place"),
    ("creature/footing.py", "leans.imag * away.imag)", "-leans.imag * away.imag)"),
    ("creature/footing.py", "rotated(leans, turned.conj())", "rotated(leans, turned)"),
    ("creature/anatomy.py", "np.array([1.0, 1.0j])", "np.array([1.0, -1.0j])"),
    ("creature/pacing.py", "(-1j * anatomy", "(1j * anatomy"),
    ("creature/pacing.py", "told - CALM_TO", "told + CALM_TO"),
    ("creature/swinging.py", "seen.real * sides", "-seen.real * sides"),
    ("creature/swinging.py", "step / LONG", "step * LONG"),
    ("creature/anatomy.py", "used=animal.body.stretch * reach", "used=reach"),
    ("creature/anatomy.py", "long=SLOW_FROM * reach", "long=reach"),
    ("creature/anatomy.py", "along = np.linspace(-0.9, 0.9", "along = np.linspace(0.0, 0.9"),
    ("creature/anatomy.py", "0.9, 3 + 2 * math.ceil(long / leg)", "0.9, 3"),
    (
        "creature/anatomy.py",
        "left = 1.0 - x**4 - z**4\n    there = (left > 0.0) |",
        "left = 1.0 - x**4 + z**4\n    there = (left > 0.0) |",
    ),
    ("creature/anatomy.py", "0.0) ** 0.25 + CLEAR", "0.0) ** 0.25 - CLEAR"),
    ("creature/anatomy.py", "1.5 * square - 0.5", "1.5 * square + 0.5"),
    ("creature/anatomy.py", "own = shape - beside", "own = shape + beside"),
    ("creature/anatomy.py", "parts = -0.5 * arch", "parts = 0.5 * arch"),
    ("creature/carriage.py", "bend -= YIELDS * pull", "bend += YIELDS * pull"),
    ("creature/carriage.py", "clear -= bent(", "clear += bent("),
    ("creature/governor.py", "keel[2] + bent(", "keel[2] - bent("),
    ("creature/posture.py", "hips[..., 2] += bent(", "hips[..., 2] -= bent("),
    ("creature/walker.py", "motion[:, :2] += like", "motion[:, :2] -= like"),
    ("creature/standing.py", "np.zeros((len(at), 3)))", "np.ones((len(at), 3)))"),
    (
        "creature/pacing.py",
        "np.logical_or.reduce(strayed.steps | flies, 1)",
        "np.logical_or.reduce(strayed.steps, 1)",
    ),
    (
        "creature/pacing.py",
        "np.logical_or.reduce(strayed.steps | flies, 1)",
        "np.logical_or.reduce(flies, 1)",
    ),
    (
        "creature/pacing.py",
        "np.maximum(cycle.duty_factor * speed",
        "np.maximum((1.0 - cycle.duty_factor) * speed",
    ),
    ("creature/pacing.py", "strayed.distance * ~flies", "strayed.distance * flies"),
    ("creature/pacing.py", "between(behind, 1.0", "between(0.0 * behind, 1.0"),
    ("creature/pacing.py", "WAIT + (1.0 - WAIT) * pace", "1.0 + 0.0 * pace"),
    ("creature/pacing.py", "(goal - cycle.hurry)", "(goal + cycle.hurry)"),
    ("creature/pacing.py", "rate = rate * hurry", "rate = rate / hurry"),
    ("creature/swinging.py", "strayed.steps | (speed >", "(speed >"),
    (
        "creature/swinging.py",
        "strayed.steps | (speed > still)[:, None]",
        "strayed.steps",
    ),
    (
        "creature/pacing.py",
        "pace(np.maximum(reach, strain))",
        "pace(reach)",
    ),
    (
        "creature/pacing.py",
        "pace(np.maximum(reach, strain))",
        "pace(strain)",
    ),
    ("creature/pacing.py", "motion = motion + change", "motion = motion - change"),
    ("creature/state.py", "cis(-0.5 * turn)", "cis(0.5 * turn)"),
    ("creature/state.py", "heading + turn, motion", "heading - turn, motion"),
    (
        "creature/anatomy.py",
        "place[:, None] + rotated(facing",
        "place[:, None] - rotated(facing",
    ),
    (
        "creature/swinging.py",
        "distance(state.feet.places - anatomy.footholds_at(*here))",
        "distance(state.feet.places + anatomy.footholds_at(*here))",
    ),
    ("creature/pacing.py", "(motion)[:, None] + turning", "(motion)[:, None] - turning"),
    ("creature/pacing.py", "duty_factor_at(speed) - cycle", "duty_factor_at(speed) + cycle"),
    ("creature/pacing.py", "np.maximum(np.minimum(change, most), -most)", "change"),
    ("creature/state.py", "self.phase[:, None] - gait", "self.phase[:, None] + gait"),
    ("creature/swinging.py", "phases < 0.5 * state", "phases > 0.5 * state"),
    ("creature/swinging.py", "~flies & wanted", "~flies"),
    ("creature/swinging.py", "~swings[:, 4:] & ~swings", "~swings[:, 4:] | ~swings"),
    ("creature/swinging.py", "(progress < LOCK) & ~", "(progress < 1.0) & ~"),
    ("creature/swinging.py", "LOCK) & ~fixed", "LOCK)"),
    ("creature/swinging.py", "landing -= rest", "landing += rest"),
    (
        "creature/carriage.py",
        "maximum(long * long - apart, 0.0)) - below",
        "maximum(long * long - apart, 0.0)) + below",
    ),
    (
        "creature/swinging.py",
        "(1.0 - state.feet.progress) * cycle",
        "(1.0 + state.feet.progress) * cycle",
    ),
    ("creature/swinging.py", "rate[:, None] + rest", "rate[:, None] - rest"),
    ("creature/swinging.py", "cis(-0.5 * course.motion", "cis(0.5 * course.motion"),
    ("creature/swinging.py", "there = rotated(middle, half)", "there = middle"),
    ("creature/swinging.py", "course.place[:, None] + ahead *", "course.place[:, None] - ahead *"),
    (
        "creature/swinging.py",
        "place + footholds, place + hips",
        "place + footholds, place - hips",
    ),
    ("creature/swinging.py", "plain + offset)", "plain - offset)"),
    ("creature/swinging.py", "ahead.footholds + state", "ahead.footholds - state"),
    (
        "creature/swinging.py",
        "hips[..., 2] + state.limits.rise",
        "hips[..., 2] - state.limits.rise",
    ),
    ("creature/swinging.py", "advance >= 1.0 - progress", "advance >= 1.0 + progress"),
    ("creature/swinging.py", "lands = advance >= 1.0", "lands = advance <= 1.0"),
    ("creature/gait.py", "(1.0 - 2.0 * t)\n\n\ndef arch", "(1.0 + 2.0 * t)\n\n\ndef arch"),
    ("creature/knees.py", "near * side + back", "back - near * side"),
    ("creature/knees.py", "normals -= (dot(", "normals += (dot("),
    ("creature/knees.py", "goals) < 0.0, -sines, sines)", "goals) < 0.0, sines, -sines)"),
    ("creature/knees.py", "None] * normals + parts", "None] * normals - parts"),
    (
        "creature/footing.py",
        "length * (1.0 - legs.progress))\n\n\n@",
        "length * (1.0 + legs.progress))\n\n\n@",
    ),
    ("creature/footing.py", "-(around[..., :2] - around", "(around[..., :2] - around"),
    ("creature/carriage.py", "rate * (2.0 / LEAN)", "rate * (-2.0 / LEAN)"),
    ("creature/carriage.py", "_smooth((1.0 - phases) / fade)", "_smooth((1.0 + phases) / fade)"),
    (
        "creature/carriage.py",
        "(phases - cycle.swing_fraction[:, None]) / fade",
        "(phases + cycle.swing_fraction[:, None]) / fade",
    ),
    ("creature/carriage.py", "feet.flies, from_above", "~feet.flies, from_above"),
    (
        "creature/carriage.py",
        "ahead = course.place + rotated((2.0 / LEAN)",
        "ahead = course.place - rotated((2.0 / LEAN)",
    ),
    (
        "creature/carriage.py",
        "rotated(middle - ahead, course.facing.conj())",
        "rotated(middle - ahead, course.facing)",
    ),
    ("creature/carriage.py", "goal = sideways * goal.real", "goal = -sideways * goal.real"),
    ("creature/carriage.py", "1j * forward * goal.imag", "-1j * forward * goal.imag"),
    (
        "creature/standing.py",
        "_replace(sway=sway_goal(state))",
        "_replace(sway=0.0 * sway_goal(state))",
    ),
    ("creature/springs.py", "shift, sine, -frequency", "shift, sine, frequency"),
    ("creature/springs.py", "cosine + shift, sine", "cosine - shift, sine"),
    ("creature/springs.py", "start * short, -DUCKS", "start * short, DUCKS"),
    ("creature/springs.py", "== 2 else -SINKS", "== 2 else SINKS"),
    ("creature/liveliness.py", "rate[:, 1] += free * gains", "rate[:, 1] -= free * gains"),
    ("creature/liveliness.py", "goal[:, 1, 0] += gains.turn", "goal[:, 1, 0] -= gains.turn"),
    ("creature/liveliness.py", "feel.velocity - before", "feel.velocity + before"),
    ("creature/liveliness.py", "between(1.0 - speed", "between(1.0 + speed"),
    ("creature/following.py", "AHEAD * state.course", "-AHEAD * state.course"),
    ("creature/following.py", "ends.lag_rate - (velocity", "ends.lag_rate + (velocity"),
    ("creature/following.py", "[1.0 - LEVEL * lively, 1.0 -", "[1.0 - LEVEL * lively, 1.0 +"),
    ("creature/standing.py", "ROUNDS = 3", "ROUNDS = 2"),
    ("creature/standing.py", "slack.legs < -most", "slack.legs > -most"),
    ("creature/standing.py", "state.slack.knees < -tiny", "state.slack.knees > -tiny"),
    ("creature/carriage.py", "*= body.tilt", "*= -body.tilt"),
    ("creature/carriage.py", "limits.reach - body.stretch", "limits.reach + body.stretch"),
    ("creature/carriage.py", "goal[:, 2] -= np.minimum(crouch", "goal[:, 2] += np.minimum(crouch"),
    ("creature/carriage.py", "np.minimum(crouch, 0.5", "np.maximum(crouch, 0.5"),
    ("creature/carriage.py", "between(clear - height", "between(clear + height"),
    ("creature/carriage.py", "np.minimum(clear, ceiling)", "clear"),
    ("creature/carriage.py", "np.minimum(clear, ceiling)", "ceiling"),
    (
        "creature/carriage.py",
        "at = course.place + rotated",
        "at = course.place - rotated",
    ),
    ("creature/posture.py", "plane[:, 2] + height", "plane[:, 2] - height"),
    ("creature/carriage.py", "legs.long**2 - apart", "legs.long**2 + apart"),
    (
        "creature/carriage.py",
        "legs.long**2 - apart, 0.0)) + to_feet[..., 2]",
        "legs.long**2 - apart, 0.0)) - to_feet[..., 2]",
    ),
    (
        "creature/carriage.py",
        "legs.short**2 - apart, 0.0)) + to_feet[..., 2]",
        "legs.short**2 - apart, 0.0)) - to_feet[..., 2]",
    ),
    ("creature/carriage.py", "height + np.minimum.reduce", "height - np.minimum.reduce"),
    ("creature/carriage.py", "np.minimum.reduce(room", "np.maximum.reduce(room"),
    ("creature/carriage.py", "from_above(goals) - state", "from_above(goals) + state"),
    ("creature/carriage.py", "take(flies) - goals[:, 2]", "take(flies) + goals[:, 2]"),
    ("creature/carriage.py", "np.sqrt(apart + below * below)", "np.abs(below)"),
    ("creature/carriage.py", "np.maximum.at(strain", "np.minimum.at(strain"),
    (
        "creature/carriage.py",
        "ahead = place + rotated(AHEAD",
        "ahead = place - rotated(AHEAD",
    ),
    (
        "creature/carriage.py",
        "rotated(turned[:, None], underside",
        "rotated(turned[:, None].conj(), underside",
    ),
    (
        "creature/carriage.py",
        "belly.real + plane[:, 1:2]",
        "belly.real - plane[:, 1:2]",
    ),
    ("creature/carriage.py", "clear = under + leans", "clear = under - leans"),
    ("creature/carriage.py", "leans + underside.low", "leans - underside.low"),
    ("creature/carriage.py", "1) - state.animal.body.height", "1) + state.animal.body.height"),
    ("creature/carriage.py", "feet[..., 1] += state.feet.lift", "feet[..., 1] -= state.feet.lift"),
    ("creature/posture.py", "UPRIGHT - both", "UPRIGHT + both"),
    (
        "creature/posture.py",
        "rotated(places, turned[:, None])",
        "rotated(places, turned[:, None].conj())",
    ),
    ("creature/posture.py", "cis(-0.5 * heading)", "cis(0.5 * heading)"),
    ("creature/posture.py", "1.0 + np.sqrt(1.0 + (leans", "1.0 - np.sqrt(1.0 + (leans"),
    ("creature/posture.py", "aside = rotated(-1j * leans", "aside = rotated(1j * leans"),
    ("creature/posture.py", "leans, half)  #", "leans, half.conj())  #"),
    ("creature/posture.py", "-upright * half.imag", "upright * half.imag"),
    ("creature/posture.py", "np.copysign(size, rotation[:, 3])", "size"),
    ("creature/pacing.py", "(SLOW_TO - reach)", "(SLOW_TO + reach)"),
    ("creature/carriage.py", "3.0 - 2.0 * t", "3.0 + 2.0 * t"),
    ("creature/paths.py", "np.copysign(self.most, aside)", "np.copysign(self.most, -aside)"),
    ("creature/paths.py", "bend = 2.0 * aside", "bend = -2.0 * aside"),
    (
        "creature/paths.py",
        "ARRIVE * (self.total - self.along)",
        "ARRIVE * (self.total + self.along)",
    ),
    (
        "creature/paths.py",
        "self.directions[:-1], -1) < CORNER",
        "self.directions[:-1], -1) > CORNER",
    ),
    ("creature/paths.py", "max(ahead, 0.0)", "max(-ahead, 0.0)"),
    ("creature/paths.py", "self.walker.place[0], -self", "self.walker.place[0], self"),
    ("creature/paths.py", "_rotated((0.0, 1.0), self", "_rotated((0.0, 1.0), -self"),
    ("creature/paths.py", "pace * abs(bend) > self.most", "pace * abs(bend) < self.most"),
    ("creature/paths.py", "2.0 * ahead / distance - 0.6", "2.0 * ahead / distance + 0.6"),
    ("creature/paths.py", "last = min(self.along", "last = max(self.along"),
    (
        "creature/paths.py",
        "complex(*vector) * facing(heading)",
        "complex(*vector) / facing(heading)",
    ),
    ("creature/measures.py", "ground - feet[..., 1]", "feet[..., 1] - ground"),
    ("creature/measures.py", "height - knees[..., 1]", "knees[..., 1] - height"),
    ("creature/measures.py", "return _greatest(-np.sum(step", "return _greatest(np.sum(step"),
    ("creature/measures.py", "2 * (x * z + w * y), w * w", "2 * (x * z - w * y), w * w"),
    ("creature/measures.py", "w * w - x * x - y * y + z * z", "w * w + x * x - y * y + z * z"),
    ("creature/measures.py", "w * w - x * x + y * y", "w * w + x * x + y * y"),
    ("creature/measures.py", "2 * (x * y - w * z), 2", "2 * (x * y + w * z), 2"),
    ("creature/measures.py", "(-other, -lost)", "(-other, lost)"),
    ("creature/measures.py", "two_sum(e, -s)", "two_sum(e, s)"),
    ("creature/contacts.py", "return contact & ~before", "return contact"),
    ("creature/measures.py", "reach >= min_reach - ROUNDING", "reach >= min_reach + ROUNDING"),
    ("creature/measures.py", "(reach <= 1.0 + ROUNDING) &", "(reach <= 1.0 + ROUNDING) |"),
    ("creature/measures.py", "touch_downs(contact)[1:]", "touch_downs(contact)[:-1]"),
    ("creature/polygons.py", "np.minimum(most, -least)", "np.minimum(most, least)"),
    (
        "creature/polygons.py",
        "[segment[..., 1], -segment[..., 0]]",
        "[segment[..., 1], segment[..., 0]]",
    ),
    ("creature/polygons.py", "-np.sum(a * segment", "np.sum(a * segment"),
    ("creature/polygons.py", "inside, 0.0 - outside", "inside, 0.0 + outside"),
    ("creature/polygons.py", "inside > 4e-15 * scale", "inside > -4e-15 * scale"),
    ("creature/polygons.py", "counted[:, first] & counted", "counted[:, first] | counted"),
]
ROBOTS = [
    (
        "robots/closed_form.py",
        "(radius - size) * (radius + size)",
        "(radius + size) * (radius + size)",
    ),
    ("robots/closed_form.py", "two - one]", "two + one]"),
    ("robots/closed_form.py", "append(turned - two)", "append(turned + two)"),
    (
        "robots/closed_form.py",
        "x - prepared.last[0], y - prepared",
        "x + prepared.last[0], y - prepared",
    ),
    ("robots/closed_form.py", "x = x - g.hip", "x = x + g.hip"),
    ("robots/closed_form.py", "cos * even + sin * odd", "cos * even - sin * odd"),
    ("robots/closed_form.py", "up * xp.xp.sin(pitch)", "-up * xp.xp.sin(pitch)"),
    ("robots/closed_form.py", "(1.0 if a * d - b * c <= 0.0", "(1.0 if a * d - b * c >= 0.0"),
    ("robots/closed_form.py", "return (1.0 if x >= 0.0", "return (1.0 if x <= 0.0"),
    ("robots/closed_form.py", "max(abs(r1 - r2) - slack, 0.0)", "max(abs(r1 - r2) + slack, 0.0)"),
    ("robots/choice.py", "reach < wanted, TOO_FAR", "reach > wanted, TOO_FAR"),
    (
        "robots/choice.py",
        "low + angles.PI, high - angles.PI\n            sound",
        "low - angles.PI, high + angles.PI\n            sound",
    ),
    (
        "robots/closed_form.py",
        "(angle >= low - slack) & (angle <= high + slack)",
        "(angle >= low + slack) & (angle <= high - slack)",
    ),
    (
        "robots/choice.py",
        "(new[1] == old[1]) & (new[2] < old[2])",
        "(new[1] == old[1]) & (new[2] > old[2])",
    ),
    (
        "robots/choice.py",
        "xp.where(reached, zero, 2.0) + xp.where(each.within, zero, 1.0)",
        "xp.where(each.within, zero, 1.0)",
    ),
    (
        "robots/geometry.py",
        "unit(cross(a, b))), a\n\n\ndef _frame_of_plane",
        "unit(cross(b, a))), a\n\n\ndef _frame_of_plane",
    ),
    ("robots/geometry.py", "math.copysign(1.0, dot(axes[i], b))", "1.0"),
    ("robots/geometry.py", "-1.0 if frame[2][2] < -THIN else 1.0", "1.0"),
    (
        "robots/geometry.py",
        "p - along * part for p, part in zip(beyond",
        "p + along * part for p, part in zip(beyond",
    ),
    ("robots/geometry.py", "cross(axis, beyond))", "cross(beyond, axis))"),
    ("robots/geometry.py", "abs(part) > 0.1", "abs(part) > 0.0"),
    (
        "robots/kinematics.py",
        "columns.append(cross(joint.axis, v))",
        "columns.append(cross(v, joint.axis))",
    ),
    ("robots/kinematics.py", "* side * g.signs[1]", "* side"),
    ("robots/kinematics.py", "2.0 * rise, root - slope", "2.0 * rise, root + slope"),
    ("robots/kinematics.py", "slope = p * two - q * one", "slope = q * one - p * two"),
    ("robots/kinematics.py", "slope * sign >= 0.0", "slope * sign <= 0.0"),
    ("robots/kinematics.py", "hinge * p * p - 2.0 * p * q", "hinge * p * p + 2.0 * p * q"),
    ("robots/kinematics.py", "xp.where(flat, sign, -sign)", "xp.where(flat, sign, sign)"),
    ("robots/kinematics.py", "bent - shared * beside", "bent + shared * beside"),
    ("robots/kinematics.py", "-g.signs[2] * (g.signs[0]", "g.signs[2] * (g.signs[0]"),
    ("robots/closed_form.py", "vectors.minus(x[1:], ends)", "vectors.minus(ends, x[1:])"),
    ("robots/closed_form.py", "x[0]) - prepared.s), p[1]", "x[0]) - 0.0), p[1]"),
    ("robots/float_corrections.py", "px += sign * (now", "px -= sign * (now"),
    (
        "robots/float_corrections.py",
        "sign, p, q, miss, one, two, other = -sign",
        "sign, p, q, miss, one, two, other = sign",
    ),
    (
        "robots/float_corrections.py",
        "    if not reached:\n        status = missed",
        "    if not reached:\n        status = status",
    ),
    ("robots/kinematics.py", "enough) & (now < square)", "enough) & (now > square)"),
    ("robots/floats.py", "s = sign * sqrt((radius - size)", "s = -sign * sqrt((radius - size)"),
    ("robots/floats.py", "q3 = third * (", "q3 = ("),
    ("robots/floats.py", "shared.signs[0] * (two - one)", "shared.signs[0] * (two + one)"),
    ("robots/floats.py", "shared.signs[1] * (turned - two)", "shared.signs[1] * (turned + two)"),
    ("robots/floats.py", "gap = size - radius", "gap = radius - size"),
    (
        "robots/floats.py",
        "low - FAR <= angles[i] <= high + FAR",
        "low + FAR <= angles[i] <= high - FAR",
    ),
    (
        "robots/floats.py",
        "least += (away - FAR) * (away - FAR)",
        "least += 9.0 * (away + FAR) * (away + FAR)",
    ),
    (
        "robots/chain.py",
        "math.fsum((cy * sp * sr, -sy * cr))",
        "math.fsum((cy * sp * sr, sy * cr))",
    ),
    ("robots/posture.py", "[-y, 0, x], [x, 0, y]", "[y, 0, x], [x, 0, y]"),
    ("robots/walking.py", "start + done * (position - start)", "start - done * (position - start)"),
    (
        "robots/walking.py",
        "position - rotations.rotate(rotation, origin)",
        "position + rotations.rotate(rotation, origin)",
    ),
    ("robots/kinematics.py", "y = -here[1], here[0], 0.0", "y = here[1], here[0], 0.0"),
]
# Flips of a room run its tests; what sees most of a file, or of the room, comes first.
FIRST = {
    "core": ["golden", "policies_accuracy", "edges"],
    "rotations": ["quaternions", "operations", "accuracy"],
    "pose": ["limb", "controls", "transport"],
    "creature": ["body", "walker", "walks"],
    "robots": ["limbs"],
    "gait.py": ["gait"],
    "footing.py": ["footing"],
    "governor.py": ["governor"],
    "braking.py": ["crossings"],
    "restraint.py": ["restraint", "crossings"],
    "standing.py": ["body", "crossings"],
    "paths.py": ["paths"],
    "measures.py": ["measures"],
    "contacts.py": ["measures"],
    "polygons.py": ["measures"],
    "branches.py": ["branches"],
    "tree.py": ["tree"],
    "corrections.py": ["peer_cases", "corrections"],
    "faults.py": ["peer_cases", "corrections"],
    "bending.py": ["peer_cases", "corrections"],
}
OPTIONS = ["-x", "-q", "-n", "2", "--slow", "-p", "no:cacheprovider", "-k", "not jax"]


def main():
    rooms = {"core": CORE, "pose": POSE, "creature": CREATURE, "robots": ROBOTS}
    flips = {**rooms, "": [*CORE, *POSE, *CREATURE, *ROBOTS]}[(sys.argv[1:] or [""])[0]]
    flips = flips[:: int((sys.argv[2:] or ["1"])[0])]
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        ignored = shutil.ignore_patterns(
            ".git", ".venv", "__pycache__", ".hypothesis", ".pytest_cache", "build", "node_modules"
        )
        shutil.copytree(PROJECT, copy, ignore=ignored)
        command = [sys.executable, "-c", "import twobone; print(twobone.__file__)"]
        found = subprocess.check_output(command, cwd=copy, env=environment_of(copy), text=True)
        if not Path(found.strip()).is_relative_to(copy):
            sys.exit(f"an editable install hides the copy: tests would import {found.strip()}")
        for name, old, new in flips:
            path = copy / "src" / "twobone" / name
            source = path.read_text(encoding="utf-8")
            if source.count(old) != 1:
                sys.exit(f"{name} has {source.count(old)} times: {old}")
            path.write_text(source.replace(old, new), encoding="utf-8")
            caught = run(copy, *name.split("/")) != 0
            path.write_text(source, encoding="utf-8")
            print("caught  " if caught else "SURVIVED", name, "|", old, "->", new, flush=True)
            if not caught:
                survivors.append((name, old))
    if survivors:
        sys.exit(f"{len(survivors)} of {len(flips)} flips were not caught")
    print(f"all {len(flips)} flips were caught")


def environment_of(copy):
    # The kernel has the formulas once more; `tests/core/test_kernel.py` and
    # `tests/creature/test_kernel.py` hold them against these.
    return os.environ | {"PYTHONPATH": str(copy / "src"), "TWOBONE_ENGINE": "numpy"}


def run(copy, room, file):
    names = FIRST.get(file, FIRST[room])
    first = [f"tests/{room}/test_{name}.py" for name in names]
    tests = [f"tests/{room}"]
    if room == "rotations":
        tests.append("tests/pose")
    elif file == "vectors.py":
        first, tests = ["tests/rotations"], ["tests/pose"]
    # In two runs, since pytest would sort the first files into their folder.
    for these in (first, tests):
        command = [sys.executable, "-m", "pytest", *these, *OPTIONS]
        code = subprocess.run(
            command, cwd=copy, env=environment_of(copy), stdout=subprocess.DEVNULL, check=False
        ).returncode
        if code > 2:  # 1: a test is red, 2: a file cannot be imported
            sys.exit(f"pytest did not run ({code}): {' '.join(command)}")
        if code:
            break
    return code


if __name__ == "__main__":
    main()
