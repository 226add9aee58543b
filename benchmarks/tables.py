"""Write measured numbers into README and docs/benchmarks.md: `python benchmarks/tables.py`.

The numbers come from the recorded runs and stand between `<!-- measured: NAME -->` and
`<!-- end -->`. Do not edit them by hand.
"""

import re
from pathlib import Path

import recorded

PROJECT = Path(__file__).parents[1]
PAGES = PROJECT / "README.md", PROJECT / "docs" / "benchmarks.md"
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
    "plane: event": "page, plane: handling a pointer event",
    "plane: solve and draw": "page, plane: solving and drawing a frame",
    "space: event": "page, space: handling a pointer event",
    "space: solve and draw": "page, space: solving and drawing a frame",
    "to Python and back": "page: sending a state to Python, until the answer arrives",
    "creature: bend and draw": "page, creature: solving the legs and drawing a frame",
    "1/60 s in Python": "page, creature: simulating 1/60 s in Python, until the answer arrives",
}
COPIES = (
    "np.copyto",
    "ordinary",
    "ordinary_avx2",
    "ordinary_avx512",
    "stream_avx2",
    "stream_avx512",
)


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
    yield (
        f"The largest error of twobone in all {run['limbs']:,} limbs, including those in space and"
        f" in float32, is {worst:.2f} (`python benchmarks/accuracy.py --seed {run['seed']}`,"
        f" {run['machine']['date']})."
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
    by_case = _cases(recorded.read("speed"))
    yield from table(["limbs", "ns per limb", "copying", *RIVALS.values()])
    for (place, dtype, count, threads, missed), times in by_case.items():
        if dtype != "float64" or missed or count not in (1, 1000, 100_000, 10_000_000):
            continue
        ours = times["twobone"]
        copy = min(times[who] for who in COPIES if who in times)
        name = f"{place}, {count:,}" + (f", {threads} threads" if threads > 1 else "")
        rivals = (f"{three(times[who] / ours)}x" if who in times else "" for who in RIVALS)
        yield line([name, three(1e9 * ours / count), f"{copy / ours:.2f}", *rivals])
    yield ""
    yield machine_line("speed")


def headline():
    """Yield one sentence about speed."""
    by_case = _cases(recorded.read("speed"))
    plane, space = (
        1e6 * by_case[place, "float64", 1000, 1, False]["twobone"] for place in ("plane", "space")
    )
    one = 1e9 * by_case["plane", "float64", 1, 1, False]["solve_xy"]
    about = recorded.read("speed")["machine"]
    yield (
        f"Solving takes {three(plane)} ns per limb in the plane and {three(space)} ns in space"
        f" (float64, batches of 1,000, one thread), and one call of `solve_xy` {three(one)} ns,"
        f" measured on {article_of(about['processor'])} (`python benchmarks/speed.py`,"
        f" {about['date']})."
    )


def float32():
    """Yield a sentence with the times of float32 relative to those of float64."""
    by_case = _cases(recorded.read("speed"))
    shares = [
        by_case[place, "float32", count, 1, False]["twobone"] / times["twobone"]
        for (place, dtype, count, threads, missed), times in by_case.items()
        if dtype == "float64"
        and not missed
        and threads == 1
        and count >= 1000
        and (place, "float32", count, 1, False) in by_case
    ]
    yield (
        f"float32 takes {min(shares):.2f} to {max(shares):.2f} times as long as float64, for 1,000"
        " limbs or more on one thread."
    )


def single():
    """Yield the table of solvers that take one limb per call, in the plane."""
    times = _cases(recorded.read("speed"))["plane", "float64", 1, 1, False]
    known = sorted((who for who in SINGLE if who in times), key=lambda who: times[who])
    yield from table(["", *(SINGLE[who] for who in known)])
    yield line(["microseconds", *(three(1e6 * times[who]) for who in known)])


def _cases(run):
    """Return medians in seconds, by case and by row name."""
    found = {}
    for row in run["rows"]:
        case = tuple(row[name] for name in ("place", "dtype", "count", "threads", "missed"))
        found.setdefault(case, {})[row["who"]] = row["median"]
    return found


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
    for name in ("plane float64", "space float64", "plane float64, 1/6 missed", "solve_xy"):
        what = name.replace("1/6 missed", "one target in six out of reach")
        yield f"kernel with AVX2: {what}", f"{three(counts[name])} instructions per limb"


# --- costs --------------------------------------------------------------------------------

SETS = {"avx2": "AVX2", "avx512": "AVX-512", "baseline": "without AVX2"}


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


MEASURED = {
    make.__name__: make for make in (accuracy, headline, speed, float32, costs, single, others)
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
