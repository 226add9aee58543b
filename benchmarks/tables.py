"""Write measured numbers into README and pages of docs: `python benchmarks/tables.py`.

The numbers come from the recorded runs and stand between `<!-- measured: NAME -->` and
`<!-- end -->`. Do not edit them by hand.
"""

import re
from pathlib import Path

import recorded

from twobone.commands.bench_rows import COPIES, COUNTS, MIXED, Case, from_json

PROJECT = Path(__file__).parents[1]
PAGES = (
    PROJECT / "README.md",
    *(PROJECT / "docs" / name for name in ("benchmarks.md", "walking_measurements.md")),
)
BLOCK = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
DOMAINS = {  # families of benchmarks/accuracy.py by what README calls them
    "ordinary": ("generic",),
    "near full stretch": ("extended",),
    "nearly folded": ("folded",),
    "target near the root, equal bones": ("tiny_target",),
    "bones in the ratio 1 : 1e12": ("lopsided",),
    "sizes near 1e-308 or 1e308": ("small", "large"),
}
FORMULAS = {
    "twobone": "twobone",
    "article": "Quilez's formula",
    "heron": "Heron's formula",
    "cosines": "law of cosines",
}
RIVALS = {
    "article": "Quilez's formula, NumPy",
    "cosines": "law of cosines, NumPy",
    "numba": "numba",
    "jax.jit": "jax.jit",
    "torch": "torch",
    "torch.compile": "torch.compile",
}
SINGLE = {
    "solve_xy": "`solve_xy`",
    "article in Python": "Quilez's formula, Python",
    "armkin": "armkin",
    "EAIK": "EAIK",
    "roboticstoolbox": "roboticstoolbox",
    "ikpy": "ikpy",
    "tinyik": "tinyik",
}
PAGE = {  # measurements of benchmarks/page.py
    "opening": "page: opening it from disk, until the limb is drawn",
    "plane: event": "page, plane: handling a pointer event",
    "plane: solve and draw": "page, plane: solving and drawing a frame",
    "space: event": "page, space: handling a pointer event",
    "space: solve and draw": "page, space: solving and drawing a frame",
    "character: pose 100 joints": "page, character: posing 100 joints",
    "to Python and back": "page: sending a state to Python, until the answer arrives",
    "creature: bend and draw": "page, creature: solving the legs and drawing a frame",
}
GUARANTEED = 2.5  # eps r1: the largest error that docs/guarantees.md allows
LIBRARIES = {"torch": "PyTorch", "jax": "JAX"}
SETS = {"avx2": "AVX2", "avx512": "AVX-512", "baseline": "without AVX2"}
KINDS = [(place, dtype) for place in ("plane", "space") for dtype in ("float64", "float32")]


# --- accuracy -----------------------------------------------------------------------------


def accuracy():
    """Yield the table of worst errors in the plane, in float64, and the worst of all."""
    run = recorded.read("accuracy")
    rows = {(row["family"], row["dtype"], row["place"]): row["worst"] for row in run["rows"]}
    yield from table(["limbs", *FORMULAS.values()])
    for name, families in DOMAINS.items():
        found = [rows[family, "float64", "plane"] for family in families]
        yield line([name, *(_worst(found, formula) for formula in FORMULAS)])
    worst = max(worst["twobone"] for worst in rows.values() if worst.get("twobone") is not None)
    yield ""
    if worst > GUARANTEED:
        raise SystemExit(f"an error of {worst:.2f} eps r1 is above the guarantee, {GUARANTEED}")
    yield (
        f"No error of twobone in all {run['limbs']:,} limbs, including those in space and in"
        f" float32, was above the guaranteed {GUARANTEED} eps `r1` (`python benchmarks/accuracy.py"
        f" --seed {run['seed']}`, {run['machine']['date']})."
    )


def _worst(found, formula):
    """Format the worst error of some families; NaN if one of them has no finite result."""
    errors = [worst[formula] for worst in found]
    if None in errors:
        return "NaN"
    return (
        f"{max(errors):.1f}"
        if max(errors) < 100
        else f"{max(errors):.0e}".replace("e+0", "e").replace("e+", "e")
    )


# --- speed --------------------------------------------------------------------------------


def speed():
    """Yield the table of large and small batches in float64."""
    run = recorded.read("speed")
    used = run["machine"]["instruction set"]
    heads = ["ns per limb, in reach", "mixed", "copying", *RIVALS.values()]
    yield from table([f"limbs, {SETS[used]}", *heads])
    for case, times in _cases(run).items():
        if (case.dtype, case.instruction_set) != ("float64", used) or case.count not in COUNTS:
            continue
        ours = times["twobone"]
        name = f"{case.place}, {case.count:,}" + f", {case.threads} threads" * (case.threads > 1)
        nanoseconds = [three(1e9 * times[who] / case.count) for who in ("twobone", MIXED)]
        rivals = (f"{three(times[who] / ours)}x" if who in times else "" for who in RIVALS)
        yield line([name, *nanoseconds, f"{_copy(times) / ours:.2f}", *rivals])
    yield ""
    yield machine_line("speed")


def headline():
    """Yield a small table of speed, and one sentence about single calls."""
    run = recorded.read("speed")
    by_case = _cases(run)
    sets = [name for name in SETS if any(case.instruction_set == name for case in by_case)]
    yield from table(["ns per limb: in reach, mixed", *(SETS[name] for name in sets)])
    for place, dtype in KINDS:
        cells = []
        for name in sets:
            times = by_case[Case(place, dtype, 1000, 1, name)]
            cells.append(", ".join(three(1e6 * times[who]) for who in ("twobone", MIXED)))
        yield line([f"{place}, {dtype}", *cells])
    about = run["machine"]
    one = _single(run)["solve_xy"]
    yield ""
    yield (
        "Batches of 1,000 targets on one thread; *mixed* means that a fifth of them is out of"
        f" reach. One call of `solve_xy` takes {three(1e9 * one)} ns. Measured on"
        f" {article_of(about['processor'])} (`python benchmarks/speed.py`, {about['date']})."
    )


def bounds():
    """Yield the table of times beside those of a copy and of the divider."""
    by_case = _cases(recorded.read("speed"))
    yield from table(["one thread, ns per limb", "in reach", "mixed", "divider", "copy"])
    for name in SETS:
        for place, dtype in KINDS:
            for count in COUNTS[-2:]:
                times = by_case.get(Case(place, dtype, count, 1, name))
                if times:
                    found = *(times[who] for who in ("twobone", MIXED, "divider")), _copy(times)
                    what = f"{SETS[name]}, {place}, {dtype}, {count:,}"
                    yield line([what, *(three(1e9 * value / count) for value in found)])


def float32():
    """Yield a sentence with the times of float32 relative to those of float64."""
    by_case = _cases(recorded.read("speed"))
    shares = [
        by_case[case._replace(dtype="float32")]["twobone"] / times["twobone"]
        for case, times in by_case.items()
        if case.dtype == "float64" and case.threads == 1 and case.count in COUNTS[1:]
    ]
    yield (
        f"float32 takes {min(shares):.2f} to {max(shares):.2f} times as long as float64, for 1,000"
        " limbs or more on one thread."
    )


def single():
    """Yield the table of solvers that take one limb per call, in the plane."""
    times = _single(recorded.read("speed"))
    known = sorted((who for who in SINGLE if who in times), key=lambda who: times[who])
    yield from table(["", *(SINGLE[who] for who in known)])
    yield line(["microseconds", *(three(1e6 * times[who]) for who in known)])


def _single(run):
    """Return the least time of each solver for one limb in the plane, in seconds.

    Other programs make single calls slower, in some runs by more than half.
    """
    case = Case("plane", "float64", 1, 1, run["machine"]["instruction set"])
    return {row.who: row.least for row in from_json(run) if row.case == case}


def engines():
    """Yield the table of how much longer NumPy takes than the kernel."""
    yield from table(["without the kernel", "time", "of that of the kernel"])
    for row in recorded.read("engines")["rows"]:
        numpy, ratio = row["us"]["numpy"], row["us"]["numpy"] / row["us"]["compiled"]
        yield line([row["what"], duration(1e3 * numpy), f"{float(f'{ratio:.2g}'):g} times"])
    yield ""
    yield machine_line("engines")


def tensors():
    """Yield the table of tensors beside six lines of the same library."""
    run = recorded.read("tensors")
    found = {}
    for row in run["rows"]:
        case = row["library"], row["how"], row["dtype"], row["count"]
        found.setdefault(case, {})[row["what"]] = row["us"]
    heads = ["", "forward", "six lines", "NumPy's kernel", "with gradient", "six lines"]
    yield from table(heads)
    for (library, how, dtype, count), us in found.items():
        cells = [f"{LIBRARIES[library]}, {how}, {dtype}, {count:,}"]
        for what in ("forward", "gradient"):
            ours = us[what]["twobone"]
            cells.append(duration(1e3 * ours))
            cells.append(f"{two(us[what]['six lines'] / ours)}x")
            if what == "forward":
                cells.append(f"{two(us[what]['NumPy'] / ours)}x")
        yield line(cells)
    yield ""
    yield machine_line("tensors")


def compiling():
    """Yield the table of how long libraries compile."""
    yield from table(["compiling", "twobone", "six lines"])
    for row in recorded.read("tensors")["compiling"]:
        seconds = (row["s"].get(who) for who in ("twobone", "six lines"))
        yield line([f"`{row['what']}`", *("" if s is None else f"{two(s)} s" for s in seconds)])


def calls():
    """Yield the table of single calls on tensors, each beside what it is measured by."""
    yield from table(["call", "time", "beside"])
    for row in recorded.read("tensors")["calls"]:
        us = {who: duration(1e3 * time) for who, time in row["us"].items()}
        beside = next(who for who in ("empty operator", "NumPy") if who in us)
        for who in (each for each in us if each != beside):
            what = row["what"] if who == "twobone" else f"{row['what']}, {who}"
            yield line([what, us[who], f"{beside}: {us[beside]}"])


def _cases(run):
    """Return medians in seconds, by case and by row name."""
    found = {}
    for row in from_json(run):
        found.setdefault(row.case, {})[row.who] = row.median
    return found


def _copy(times):
    """Return the time of the fastest copy."""
    return min(times[who] for who in COPIES if who in times)


# --- everything else ----------------------------------------------------------------------


def others():
    """Yield the table of all other times."""
    yield from table(["what", "measured", "script"])
    for rows, script in (
        (_limbs(), "limbs"),
        (_poses(), "poses"),
        (_blocks(), "blocks"),
        (_creature(), "creature"),
        (_page(), "page"),
        (_instructions(), "instructions"),
    ):
        for what, measured in rows:
            yield line([what, measured, f"`{script}.py`"])
    yield ""
    yield machine_line("limbs", "poses", "blocks", "creature", "page", "instructions")


def _poses():
    for row in recorded.read("poses")["rows"]:
        kernel, numpy = row["us"]["kernel"], row["us"]["numpy"]
        yield row["what"], f"{duration(1e3 * kernel)}; in NumPy {duration(1e3 * numpy)}"


def _limbs():
    for dtype in ("float32", "float64"):
        found = [
            row["ns"]["twobone"]
            for row in recorded.read("limbs")["rows"]
            if row["dtype"] == dtype and row["count"] >= 1000
        ]
        what = f"`correct_limb`, 1,000 to 1,000,000 limbs, {dtype}, one thread"
        yield what, f"{three(min(found))} to {three(max(found))} ns per limb"


def _blocks():
    run = recorded.read("blocks")
    large = max(row["count"] for row in run["rows"])
    for row in run["rows"]:
        ns = row["ns"]
        if row["dtype"] == "float64" and row["count"] == large:
            ratio = three(ns["twobone"] / ns["article"])
            what = f"`solve` without the kernel, {row['place']}, {large:,} limbs"
            yield what, f"{three(ns['twobone'])} ns per limb, {ratio} times Quilez's formula"
    one = next(row["ns"] for row in run["rows"] if row["count"] == 1 and row["place"] == "plane")
    yield "`solve` without the kernel, plane, one limb", duration(one["twobone"])
    yield "`solve_xy` without the kernel", duration(run["solve_xy_ns"])


def frames():
    """Yield the table of frames of walking animals."""
    run = recorded.read("frames")
    many = f"each of {run['count']:,}"
    yield from table(["microseconds", "Python", "slowest frame", "kernel", many, "in all cores"])
    for row in run["rows"]:
        times = (row[f"{what}_us"] for what in ("python", "slowest", "kernel", "each", "passed"))
        yield line([f"{row['animal']}, {row['ground']}", *(three(each) for each in times)])
    yield ""
    yield machine_line("frames")


def pose_limbs():
    """Yield the table of limbs of six and seven joints."""
    run, about = recorded.read("pose_limbs"), recorded.read("pose_limbs")["machine"]
    columns = {
        "all": "all branches",
        "reach": "`reach`",
        "floats": "`solve_pose`",
        "one": "single `reach`",
        "ranges": "`swivel_ranges`",
        "jax all": "JAX, all",
        "jax reach": "JAX, `reach`",
        "eaik": f"EAIK {about['eaik']}, all",
        "ssik": f"ssik {about['ssik']}, all",
        "ssik near": "ssik, one near",
    }
    yield from table(["microseconds a pose", *columns.values()])
    for row in run["rows"]:
        times = (three(row[name]) if name in row else "" for name in columns)
        yield line([row["limb"], *times])
    yield ""
    yield machine_line("pose_limbs")


def robot_limbs():
    """Yield the table of limbs of real robots, by class."""
    run = recorded.read("robot_limbs")
    heads = ["class", "limbs", "closed form", "approximate", "generating pose found"]
    yield from table([*heads, "within limits", "error of positions, m", "of rotations"])
    classes: dict[str, list] = {}
    for row in run["rows"]:
        classes.setdefault(row["class"], []).append(row)
    for name, rows in [*classes.items(), ("all", run["rows"])]:
        made = [[row for row in rows if row["made"] == how] for how in WAYS]
        exact = made[0]
        cells = [name.replace("||", " ∥ "), f"{len(rows)}", *(f"{len(each)}" for each in made)]
        cells += [_least(exact, "generating"), _least(exact, "within")]
        yield line([*cells, *(_worst_miss(exact, part) for part in ("position", "rotation"))])
    yield ""
    about = run["machine"]
    programs = f"Pinocchio {about['pinocchio']} and MuJoCo {about['mujoco']}"
    yield f"{run['poses']:,} poses of each limb, {programs}. {machine_line('robot_limbs')}"


WAYS = ("closed form", "approximate")


def _least(rows, name):
    """Return the least share of poses among limbs, in percent."""
    return f"{100.0 * min(row[name] for row in rows):.4g} %" if rows else ""


def _worst_miss(rows, part):
    """Return the greatest difference from both programs among limbs."""
    both = (row[name].get(part) for row in rows for name in ("pinocchio", "mujoco"))
    known = [each for each in both if each is not None]
    return f"{max(known):.0e}" if known else ""


def _creature():
    for row in recorded.read("creature")["rows"]:
        many = row["walkers"]
        whom = "one insect" if many == 1 else f"{many:,} insects, time per insect"
        what = f"`Walker.step(1 / 60)`, {whom}"
        yield what, duration(1e3 * row["step_us"] / many)


def _page():
    run = recorded.read("page")
    for row in run["rows"]:
        what = PAGE.get(row["what"], row["what"])
        yield what, f"{three(row['median_ms'])} ms; 95th percentile {three(row['p95_ms'])} ms"
    yield "page, creature: frames per second", three(run["pictures_a_second"])


def _instructions():
    counts = recorded.read("instructions")["instructions a limb"]
    for name in ("plane float64", "space float64", "plane float64, mixed", "solve_xy"):
        yield f"kernel with AVX2: {name}", f"{three(counts[name])} instructions per limb"


# --- costs --------------------------------------------------------------------------------


def costs():
    """Yield the table of what batches cost next to the simplest one."""
    found = {
        (SETS[run["set"]], run["size"], run["dtype"]): run["ns"]
        for run in recorded.read("costs")["costs"]
    }
    columns = list(dict.fromkeys((name, size) for name, size, _ in found))
    yield from table(["float64, float32", *(f"{name}, {size}-D" for name, size in columns)])
    simplest, *others = next(iter(found.values()))
    both = "float64", "float32"
    for name in (simplest, *others):
        cells = []
        for column in columns:
            times = [found[(*column, dtype)] for dtype in both]
            ratios = [time[name] / time[simplest] for time in times]
            shown = [f"{three(t[name])} ns" for t in times] if name == simplest else None
            cells.append(", ".join(shown or [two(ratio) for ratio in ratios]))
        yield line([name, *cells])
    yield ""
    yield machine_line("costs")


def two(ratio):
    """Format a ratio with two significant digits."""
    return f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.1f}"


# --- writing ------------------------------------------------------------------------------


def machine_line(*names):
    """Return a sentence about the machines of recorded runs, one clause per machine and day."""
    found = {}
    for name in names:
        about = recorded.read(name)["machine"]
        more = f", {about['browser']} {about['drawing']}" if "browser" in about else ""
        where = (
            f"{about['cores']} cores of {article_of(about['processor'])}, Python {about['python']},"
            f" NumPy {about['numpy']}, {about['date']}"
        )
        found.setdefault(where, []).append(f"`{name}.json`{more}")
    runs = "; ".join(f"{where} ({', '.join(kept)})" for where, kept in found.items())
    return f"Measured on {runs}."


def article_of(name):
    return f"an {name}" if name[:1] in "AEIO" else f"a {name}"


def three(value):
    """Format a number with three significant digits."""
    if value >= 100.0:
        return f"{value:,.0f}"
    return f"{value:.{2 if value < 10.0 else 1}f}"


def duration(ns):
    """Format nanoseconds with three significant digits, in a suitable unit."""
    for unit in ("ns", "us"):
        if ns < 1e3:
            return f"{three(ns)} {unit}"
        ns /= 1e3
    return f"{three(ns)} ms"


def line(cells):
    return f"| {' | '.join(cells)} |"


def table(heads):
    """Yield the first two lines of a table."""
    yield line(heads)
    yield "|" + "---|" * len(heads)


# --- walks --------------------------------------------------------------------------------

OBSTACLES = ("kerbs", "ditches", "walls", "holes")
GROUNDS = {"0.15": "hills of .15", "0.25": "hills of .25", "slope": "slopes of 30 degrees"}
WALKED = {
    "in the ground": lambda row: f"{row['deep']} of {row['walks']}",
    "deepest, of a leg": lambda row: f"{row['deepest']:.3f}" if row["part"] else "0",
    "speed over order": lambda row: f"{row['share']:.2f}",
    "least margin, of a leg": lambda row: _margin(row),
    "acceleration, g": lambda row: f"{row['down']:.2f}",
    "knees": lambda row: f"{row['knees']:.1f}",
    "plane of a leg, degrees": lambda row: f"{row['planes']:.0f}",
    "slow": lambda row: f"{row['slow']}",
    "blocked": lambda row: f"{100.0 * row['blocked']:.0f} %",
}


def walks():
    """Yield the table of walks on ground without obstacles."""
    yield from _walks(lambda ground: ground not in OBSTACLES)


def obstacles():
    """Yield the table of walks towards obstacles."""
    yield from _walks(lambda ground: ground in OBSTACLES)


def _walks(is_shown):
    run = recorded.read("walks")
    rows = [row for row in run["rows"] if is_shown(row["ground"])]
    yield from table(["", "ground", *WALKED])
    before = ""
    for row in rows:
        name = "" if row["animal"] == before else row["animal"]
        before = row["animal"]
        ground = GROUNDS.get(row["ground"], row["ground"])
        yield line([name, ground, *(write(row) for write in WALKED.values())])
    slid = max(row["slip"] for row in rows)
    longest = max(row["bones"] for row in rows)
    yield ""
    yield (
        f"Walks of {run['seconds']:g} seconds with seeds from {run['seed']} on"
        f" ({run['machine']['date']}). Feet on the ground moved by at most {slid:g} m, and bones"
        f" were wrong by at most {longest:.1f} eps of the coordinates."
    )


def _margin(row):
    """Format a static margin; animals on two and four legs are not statically stable."""
    return "" if row["margin"] is None else f"{row['margin']:.2f}"


COMPARED = {
    "foot sliding, m": ("slide", "{:g}"),
    "feet on the ground, minimum": ("least_feet_down", "{}"),
    "feet on the ground, mean": ("mean_feet_down", "{:.2f}"),
    "minimum static margin, of a leg": ("least_margin_over_leg", "{:.3f}"),
    "maximum reach, of the bones": ("greatest_reach", "{:.2f}"),
    "ankles out of reach, summed over frames": ("unreachable", "{}"),
    "touch-down speed, m/s": ("touch_down_speed", "{:.1f}"),
    "foot below the ground, m": ("depth_of_feet", "{:.2g}"),
    "leg below the ground, m": ("depth_of_legs", "{:.2g}"),
    "rotation of a knee's plane, radians per frame": ("knee_plane_rotation", "{:.2f}"),
    "peak acceleration of a foot, m/s^2": ("peak_acceleration", "{:.0f}"),
    "body moving backwards, m per frame": ("backwards", "{:.1g}"),
}


def insects():
    """Yield the table of our insect beside the original one."""
    found = recorded.read("insects")["reports"]
    yield from table(["", *found])
    for words, (name, how) in COMPARED.items():
        yield line([words, *(how.format(each[name]) for each in found.values())])


def accelerations():
    """Yield the table of the peak acceleration of feet at rising frame rates."""
    rows = recorded.read("insects")["accelerations"]
    yield from table(["frames per second", *(f"{row['fps']}" for row in rows)])
    for name in rows[0]:
        if name != "fps":
            yield line([name, *(f"{row[name]:,.0f}" for row in rows)])


def animated():
    """Yield the table of our dog beside animated animals, which docs/walk_clips.py measures."""
    run = recorded.read("animated")
    yield from table(["", *run["columns"]])
    for row in run["rows"]:
        yield line(row)


MEASURED = {
    make.__name__: make
    for make in (
        accuracy,
        headline,
        speed,
        float32,
        bounds,
        costs,
        single,
        engines,
        frames,
        pose_limbs,
        robot_limbs,
        others,
        tensors,
        compiling,
        calls,
        walks,
        obstacles,
        insects,
        accelerations,
        animated,
    )
}


def written(text):
    """Return the text of a page with all measured numbers replaced by the recorded ones."""

    def fill(match):
        head, name, foot = match.groups()
        return head + "\n".join(MEASURED[name]()) + "\n" + foot

    return BLOCK.sub(fill, text)


def main():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(written(text), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
