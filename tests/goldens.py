"""The golden vectors, and how a page is asked for its answers to them without losing a bit."""

import base64
import json
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).parent / "golden"
NAMES = {2: "plane", 3: "space"}

# Rows of float64 come and go as bytes, so that nothing is rounded on the way.
ANSWER = """([bytes, size, unreachable]) => {
    const given = new Float64Array(Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)).buffer);
    const width = size === 2 ? 5 : 9, found = [];
    for (let i = 0; i < given.length; i += width) {
        const target = given.slice(i, i + size), [r1, r2, side] = given.slice(i + size);
        const pole = size === 2 ? null : given.slice(i + 6, i + 9);
        const answer = twobone.reach(target, r1, r2, {side, pole, unreachable});
        found.push(...answer.joint, ...answer.end, answer.status);
    }
    const out = new Uint8Array(Float64Array.from(found).buffer);
    return btoa(Array.from(out, (byte) => String.fromCharCode(byte)).join(""));
}"""


def answers(evaluate, given, unreachable="clamp"):
    """Return joint, end and status as a page finds them; `evaluate` runs `ANSWER` there."""
    size = given["target"].shape[-1]
    order = [given[name] for name in ("target", "r1", "r2", "side", "pole") if name in given]
    rows = np.column_stack(order).astype("<f8")
    found = []
    for start in range(0, len(rows), 2000):  # long messages take long
        text = base64.b64encode(rows[start : start + 2000].tobytes()).decode()
        found.append(base64.b64decode(evaluate([text, size, unreachable])))
    found = np.frombuffer(b"".join(found), "<f8").reshape(-1, 2 * size + 1)
    assert len(found) == len(rows)
    return found[:, :size], found[:, size:-1], found[:, -1]


def assert_same(have, want):
    """Every number the same; NaN equals NaN, and -0.0 equals 0.0."""
    for name, a, b in zip(("joint", "end", "status"), have, want, strict=True):
        np.testing.assert_array_equal(a, b, err_msg=name)


def golden(size, word):
    """Return the arguments of `reach` and its answers."""
    table = json.loads((GOLDEN / f"{NAMES[size]}.json").read_text())
    rows = [row[1:] for row in table["rows"] if row[0] == word]
    values = [[v if isinstance(v, int) else float.fromhex(v) for v in row] for row in rows]
    columns = dict(zip(table["columns"][1:], np.array(values, float).T, strict=True))

    def vector(prefix):
        return np.stack([columns[f"{prefix}{part}"] for part in "xyz"[:size]], axis=-1)

    given = {"target": vector("p"), **{name: columns[name] for name in ("r1", "r2", "side")}}
    if size == 3:
        given["pole"] = vector("n")
    return given, (vector(""), vector("end_"), columns["status"])
