"""The quality of drawing follows the times of frames, which these tests tell in node."""

import itertools

import pytest

# Stands in for the module that draws with WebGL: it has four levels.
STAGE = """
let level = 0;
export const stage = {
  isCoarsest: () => level >= 3,
  coarsen: (by) => (level = Math.min(3, level + by)),
  level: () => level,
  reset: () => (level = 0),
};
"""
OWN = itertools.count()
# Frames take a time for each kind of drawing, and longer while shaders are compiled.
DRAWN = """(() => {
  stage.reset();
  let isLit = true, fresh = 3, level = 0;
  return given.map(([withWebgl, withLines, compiling]) => {
    const time = !isLit ? withLines : compiling && fresh-- > 0 ? compiling : withWebgl;
    isLit = pace.count(time, isLit);
    if (stage.level() !== level) [fresh, level] = [3, stage.level()];
    return [isLit, stage.level()];
  });
})()"""


@pytest.fixture
def drawn(modules):
    """Return what draws after each frame, WebGL or lines, and on which level of WebGL."""
    folder = f"paced_{next(OWN)}"
    modules.add(f"{folder}/stage", STAGE)
    modules.add(f"{folder}/pace", modules.text("stage/pace"))
    names = {f"{folder}/stage": "stage", f"{folder}/pace": "pace"}

    def run(count, webgl, lines=0, compiling=0):
        return modules(names, DRAWN, [(webgl, lines, compiling)] * count)

    return run


def test_a_smooth_picture_stays_as_it_is(drawn):
    assert drawn(200, 16) == [[True, 0]] * 200


def test_a_jerky_picture_is_coarsened_level_by_level(drawn):
    levels = [level for _, level in drawn(400, 40)]
    assert sorted(set(levels)) == [0, 1, 2, 3]
    assert levels == sorted(levels)
    assert levels.index(1) < 25
    poor = [level for _, level in drawn(400, 80)]
    assert sorted(set(poor)) == [0, 2, 3]


def test_a_hopeless_picture_is_drawn_with_lines_where_these_are_faster(drawn):
    found = drawn(60, 600, 20)
    assert found[-1] == [False, 3]
    assert found[0][0]  # nothing is decided by one frame


def test_where_lines_are_slower_webgl_is_kept(drawn):
    lit = [is_lit for is_lit, _ in drawn(80, 600, 900)]
    assert not all(lit)
    assert lit[-1]
    assert lit == sorted(lit[: lit.index(False)], reverse=True) + sorted(lit[lit.index(False) :])


def test_frames_that_compile_shaders_are_not_counted(drawn):
    assert drawn(60, 20, compiling=1500) == [[True, 0]] * 60
    assert all(is_lit for is_lit, _ in drawn(100, 40, compiling=1500))


# A browser whose frames are late tells times that go back by some milliseconds.
LATE = """(() => {
  const told = [...given], seen = [];
  globalThis.requestAnimationFrame = (then) => then(told.shift());
  while (told.length) frames.next((time) => seen.push(time));
  delete globalThis.requestAnimationFrame;
  return seen;
})()"""


def test_times_of_frames_never_go_back(modules):
    times = [10, 26, 12, 42, 28, 58]
    assert modules({"stage/frames": "frames"}, LATE, times) == [10, 26, 26, 42, 42, 58]
