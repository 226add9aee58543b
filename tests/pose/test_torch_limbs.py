"""`Limb.reach`, `correct_limb` and `correct_aim` on PyTorch tensors run the kernel, both ways."""

import copy
import gc
import pickle
import subprocess
import sys
from unittest import mock

import numpy as np
import pytest

import limb_programs
import twobone
from derivative_cases import leg
from engines import KERNEL
from limb_programs import calls_of_operators, no_derivative_is_recorded, no_formula, only_formula
from twobone import Limits, Soft, Stretch
from twobone.pose import LocalPose, transport
from twobone.pose.limb import LIMBS

torch = pytest.importorskip("torch", reason="torch is not installed")
if KERNEL is None:
    pytest.skip("no compiled kernel", allow_module_level=True)

OPERATORS = limb_programs.operators()

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
ROWS = 60
LEG = leg("plain", 0)


def unit(rng, *shape):
    v = rng.normal(size=shape)
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def pose_arguments(rng, rows=ROWS):
    return {
        "rotations": unit(rng, rows, 6, 4),
        "translations": LEG.skeleton.offsets + 0.05 * rng.normal(size=(rows, 6, 3)),
        "target": np.array([0.0, 1.0, 0.0]) + 0.5 * rng.normal(size=(rows, 3)),
    }


def reaching(*names, frames=None, **options):
    """Return the case of `Limb.reach`: a function that draws arguments, and one that calls it."""
    more = {
        "pole": lambda rng: rng.normal(size=(ROWS, 3)),
        "pole_point": lambda rng: 3.0 * rng.normal(size=(ROWS, 3)),
        "end_rotation": lambda rng: unit(rng, ROWS, 4),
        **dict.fromkeys(
            ("position_weight", "rotation_weight", "pole_weight"),
            lambda rng: rng.uniform(-0.1, 1.1, ROWS),
        ),
    }

    def draw(rng):
        return pose_arguments(rng) | {name: more[name](rng) for name in names}

    def call(rotations, translations, **given):
        found = LEG.reach(LocalPose(rotations, translations), **given, **options)
        # Translations that no policy stretches are those that were given.
        parts = found.pose if "unreachable" in options else found.pose[:1]
        return *parts, found.conditioning, found.transported, found.status

    return draw, call


def matrices(rng, rows=ROWS):
    """Return random matrices of a limb whose scale is the same in all directions."""
    found = []
    for at in (0.0, 1.0, 2.0):
        matrix = np.zeros((rows, 4, 4))
        turned = twobone.rotations.quaternion_to_matrix(unit(rng, rows, 4))
        matrix[:, :3, :3] = rng.uniform(0.5, 2.0, (rows, 1, 1)) * turned
        matrix[:, :3, 3] = [at, 0.5 * at, 0.0] + 0.3 * rng.normal(size=(rows, 3))
        matrix[:, 3, 3] = 1.0
        found.append(matrix)
    return dict(zip(("start", "mid", "end"), found, strict=True))


def correcting(*names, **options):
    more = {
        "pole": lambda rng: rng.normal(size=(ROWS, 3)),
        "soften": lambda rng: rng.uniform(0.7, 1.0, ROWS),
        "weight": lambda rng: rng.uniform(-0.1, 1.1, ROWS),
    }

    def draw(rng):
        fixed = {"target": 2.0 * rng.normal(size=(ROWS, 3)), "mid_axis": unit(rng, ROWS, 3)}
        return matrices(rng) | fixed | {name: more[name](rng) for name in names}

    def call(**given):
        return tuple(twobone.correct_limb(**given, **options))

    return draw, call


def aiming(*names):
    more = {name: lambda rng: rng.normal(size=(ROWS, 3)) for name in ("target", "direction")}
    more |= {name: lambda rng: rng.normal(size=(ROWS, 3)) for name in ("up", "pole")}
    more |= {
        "offset": lambda rng: 0.1 * rng.normal(size=(ROWS, 3)),
        "weight": lambda rng: rng.uniform(-0.1, 1.1, ROWS),
    }

    def draw(rng):
        given = {"joint": matrices(rng)["mid"], "forward": rng.normal(size=(ROWS, 3))}
        return given | {name: more[name](rng) for name in names}

    return draw, lambda **given: tuple(twobone.correct_aim(**given))


WEIGHTS = ("position_weight", "rotation_weight", "pole_weight")
CASES = {
    "reach": reaching(unreachable=Soft(0.1)),
    "reach, pole": reaching("pole"),
    "reach, point, stretch": reaching("pole_point", unreachable=Stretch(limit=1.3)),
    "reach, turned": reaching("end_rotation", bend="rest", unreachable="nan"),
    "reach, local": reaching("pole", end_rotation="local", unreachable=Limits(20, 160)),
    "reach, weights": reaching("pole", "end_rotation", *WEIGHTS),
    "reach, transport": reaching("pole", bend="transport"),
    "correct_limb": correcting(),
    "correct_limb, pole": correcting("pole", "soften", "weight", unreachable=Soft(0.1)),
    "correct_aim": aiming("target", "offset"),
    "correct_aim, up": aiming("direction", "up", "pole", "weight"),
}
MAIN = ("reach, pole", "correct_limb, pole", "correct_aim, up")
DTYPES = ["float32", "float64"]


def drawn(name, dtype="float64", seed=0):
    draw, call = CASES[name]
    given = draw(np.random.default_rng(seed))
    return {key: value.astype(dtype) for key, value in given.items()}, call


def tensors(given, wanted=()):
    """Return arguments as tensors; those in `wanted` record gradients."""
    return {
        key: torch.from_numpy(np.array(value)).requires_grad_(key in wanted)
        for key, value in given.items()
    }


def weigh(results, seed=5):
    """Return the sum of all results that are not a status, with random weights."""
    rng = np.random.default_rng(seed)
    total = 0.0
    for part in results[:-1]:
        weights = torch.from_numpy(rng.uniform(0.5, 1.5, part.shape)).to(part.dtype)
        total = total + (torch.nan_to_num(part) * weights).sum()
    return total


def gradients(name, given, wanted=None, cast=None):
    """Return the derivatives of `weigh` with respect to the wanted arguments."""
    wanted = list(given) if wanted is None else wanted
    at = tensors(given, wanted)
    seen = at if cast is None else {key: value.to(cast) for key, value in at.items()}
    total = weigh(CASES[name][1](**seen))
    return torch.autograd.grad(total, [at[key] for key in wanted])


def assert_close(found, wanted, tolerance=1e-6):
    """Compare derivatives, each row by the size of its largest one in any argument."""
    rows = [part.abs().reshape(ROWS, -1).amax(-1).double() for part in wanted]
    largest = torch.stack(rows).amax(0) + 1e-3
    assert largest.max() > 2e-3
    for one, other in zip(found, wanted, strict=True):
        off = (one - other).abs().reshape(len(one), -1).amax(-1)
        assert torch.all(off <= tolerance * largest), (off / largest).max()


# --- values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [name for name in CASES if name != "reach, transport"])
def test_values_are_those_of_numpy(name, dtype):
    given, call = drawn(name, dtype)
    wanted = call(**given)
    with no_formula():
        for recorded in ((), list(given)):
            for part, other in zip(call(**tensors(given, recorded)), wanted, strict=True):
                assert str(part.dtype) == f"torch.{other.dtype}"
                assert part.is_contiguous()
                np.testing.assert_array_equal(part.detach().numpy(), other)


@pytest.mark.parametrize("name", MAIN)
def test_one_pose_and_no_pose(name):
    given, call = drawn(name)
    for rows in (0, slice(0, 0)):
        few = {key: value[rows] for key, value in given.items()}
        at = tensors(few, few)
        with no_formula():
            found = call(**at)
            total = sum(part.sum() for part in found[:-1])
            slopes = torch.autograd.grad(total, list(at.values()))
        for part, other in zip(found, call(**few), strict=True):
            np.testing.assert_array_equal(part.detach().numpy(), other)
        assert [slope.shape for slope in slopes] == [value.shape for value in at.values()]


@pytest.mark.parametrize("dtype", DTYPES)
def test_transport_without_gradients_has_the_values_of_numpy(dtype):
    given, call = drawn("reach, transport", dtype)
    wanted = call(**given)
    with mock.patch.object(transport, "scan", side_effect=AssertionError("frame by frame")):
        found = call(**tensors(given))
        with torch.no_grad():
            again = call(**tensors(given, given))
    for part, other, third in zip(found, wanted, again, strict=True):
        np.testing.assert_array_equal(part.numpy(), other)
        assert torch.equal(part, third)


@pytest.mark.parametrize(
    "more",
    [
        {"pole": [0, 0.1, 2**24]},
        {"pole": np.array([0.0, 0.1, 1.0])},
        {"pole": [0, 0.1, 2**25 + 1]},
        {"target": [0.1, 0.7, 0.2]},
        {"position_weight": 0.1, "pole_weight": 1},
    ],
    ids=str,
)
def test_numbers_and_lists_beside_tensors_are_rounded_as_beside_arrays(more):
    given, call = drawn("reach, pole", "float32")
    del given["pole"]
    here = {"pole": [0.0, 0.0, 1.0]} | more
    arrays = {key: np.float32(v) if isinstance(v, np.ndarray) else v for key, v in here.items()}
    wanted = call(**given | arrays)
    if isinstance(here["pole"], np.ndarray):
        here["pole"] = arrays["pole"]
    for part, other in zip(call(**tensors(given) | here), wanted, strict=True):
        assert str(part.dtype) == f"torch.{other.dtype}"
        np.testing.assert_array_equal(part.numpy(), other)


# --- first derivatives ------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_derivatives_are_those_of_the_formula(name):
    given, _ = drawn(name)
    with no_formula():
        found = gradients(name, given)
    with only_formula():
        wanted = gradients(name, given)
    assert_close(found, wanted)


# Transport computes in steps, and rounds to float32 between them.
@pytest.mark.parametrize("name", [name for name in CASES if name != "reach, transport"])
def test_derivatives_of_float32_are_exact_but_for_rounding(name):
    given, _ = drawn(name, "float32")
    found = gradients(name, given)
    wanted = gradients(name, given, cast=torch.float64)
    assert_close(found, wanted)


@pytest.mark.parametrize("name", MAIN)
def test_each_argument_alone_may_record_gradients(name):
    given, _ = drawn(name)
    everything = dict(zip(given, gradients(name, given), strict=True))
    for key in given:
        (found,) = gradients(name, given, [key])
        torch.testing.assert_close(found, everything[key], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", MAIN)
def test_arguments_may_be_shared_strided_and_expanded(name):
    given, call = drawn(name)
    whole = tensors(given, given)
    wanted = torch.autograd.grad(weigh(call(**whole)), list(whole.values()))
    wide = {
        key: torch.from_numpy(np.stack([value, 0.0 * value], axis=-1)).requires_grad_()
        for key, value in given.items()
    }
    found = call(**{key: value[..., 0] for key, value in wide.items()})
    slopes = torch.autograd.grad(weigh(found), list(wide.values()))
    for slope, other in zip(slopes, wanted, strict=True):
        torch.testing.assert_close(slope[..., 0], other, rtol=1e-12, atol=1e-12)
    for key, value in given.items():
        for shared in (value[0], value[:1]):
            at = tensors(given | {key: shared}, [key])
            with no_formula():
                (found,) = torch.autograd.grad(weigh(call(**at)), [at[key]])
            many = tensors(given | {key: np.broadcast_to(shared, value.shape)}, [key])
            (slope,) = torch.autograd.grad(weigh(call(**many)), [many[key]])
            assert found.shape == shared.shape
            torch.testing.assert_close(found, slope.sum(0).reshape(found.shape))
            expanded = at | {key: at[key].expand(value.shape)}
            (found,) = torch.autograd.grad(weigh(call(**expanded)), [at[key]])
            torch.testing.assert_close(found, slope.sum(0).reshape(found.shape))


@pytest.mark.parametrize("name", MAIN)
def test_an_invalid_row_stays_in_its_row(name):
    given, _ = drawn(name)
    wanted = gradients(name, given)
    for key, value in given.items():
        for bad in (np.nan, np.inf):
            broken = given | {key: value.copy()}
            broken[key][3] = bad
            found = gradients(name, broken)
            rest = np.arange(ROWS) != 3
            for slope, other in zip(found, wanted, strict=True):
                torch.testing.assert_close(slope[rest], other[rest], rtol=1e-12, atol=1e-12)


def test_results_that_do_not_matter_need_no_derivatives():
    given, call = drawn("reach, pole")
    at = tensors(given, ["target"])
    _, sine, _, status = call(**at)
    (found,) = torch.autograd.grad(sine.sum(), [at["target"]])
    with only_formula():
        (wanted,) = torch.autograd.grad(call(**at)[1].sum(), [at["target"]])
    torch.testing.assert_close(found, wanted)
    assert not status.requires_grad


# --- second derivatives, and transforms ---------------------------------------------------------


@pytest.mark.parametrize("name", MAIN)
def test_second_derivatives_are_those_of_the_formula(name):
    given, call = drawn(name)

    def twice(at):
        keys = [key for key in at if key not in ("translations", "mid")]
        first = torch.autograd.grad(weigh(call(**at)), [at[key] for key in keys], create_graph=True)
        total = sum((part * part.detach().cos()).sum() for part in first)
        return torch.autograd.grad(total, list(at.values()))

    found = twice(tensors(given, given))
    with only_formula():
        wanted = twice(tensors(given, given))
    for part, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(part, other, rtol=1e-6, atol=1e-6)


def test_third_derivatives_do_not_count_the_weights_twice():
    given, call = drawn("correct_aim, up")
    at = tensors({key: value[:2] for key, value in given.items()}, ["direction"])

    def thrice():
        result = weigh(call(**at))
        for _ in range(3):  # weights that depend on the argument themselves
            (slope,) = torch.autograd.grad(result, [at["direction"]], create_graph=True)
            result = (slope**2).sum()
        return slope.detach()

    found = thrice()
    with only_formula():
        wanted = thrice()
    torch.testing.assert_close(found, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", MAIN)
def test_transforms_use_the_formula(name):
    given, call = drawn(name)
    few = tensors({key: value[:2] for key, value in given.items()})
    key = "direction" if name == "correct_aim, up" else "target"

    def first(value):
        return call(**few | {key: value})[0]

    value = few[key].clone().requires_grad_()
    wanted = torch.stack(
        [torch.autograd.grad(part, value, retain_graph=True)[0] for part in first(value).flatten()]
    )
    for jacobian in (torch.func.jacrev, torch.func.jacfwd):
        found = jacobian(first)(few[key])
        torch.testing.assert_close(found.reshape(wanted.shape), wanted, rtol=1e-6, atol=1e-7)
    mapped = torch.func.vmap(lambda given: call(**given)[0])(few)
    torch.testing.assert_close(mapped, first(few[key]))
    forward = torch.autograd.forward_ad
    with forward.dual_level():
        dual = forward.make_dual(few[key], torch.ones_like(few[key]))
        tangent = forward.unpack_dual(first(dual)).tangent
    torch.testing.assert_close(tangent.flatten(), wanted.flatten(1).sum(-1), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", MAIN)
def test_operators_are_right_by_the_tests_of_pytorch(name):
    given, call = drawn(name)
    few = tensors({key: value[:3] for key, value in given.items()}, given)
    run = OPERATORS.run_program
    with calls_of_operators() as calls:
        call(**few)
    ((values, text),) = calls
    values = [value.detach().clone().requires_grad_() for value in values]
    tests = ("test_schema", "test_autograd_registration", "test_faketensor")
    torch.library.opcheck(run, (values, text), test_utils=tests)
    wanted = tuple(value.requires_grad for value in values)
    outputs = [part for part in run(values, text) if part.dtype != torch.int8]
    slopes = [torch.ones_like(part) for part in outputs]
    slopes[0] = None
    pull = OPERATORS.TASKS[text].pull(wanted)
    torch.library.opcheck(
        OPERATORS.pull_program, (values, slopes, pull, list(wanted)), test_utils=tests
    )


# --- programs -----------------------------------------------------------------------------------


def test_a_program_is_recorded_once():
    given, _ = drawn("correct_limb, pole")

    def slopes(wanted):
        at = tensors(given, wanted)
        found = twobone.correct_limb(**at, unreachable=Soft(0.0625))  # as no other test has it
        return torch.autograd.grad(weigh(found), [at[key] for key in wanted])

    first = slopes(list(given))
    with no_derivative_is_recorded():
        again = slopes(list(given))
        with pytest.raises(AssertionError, match="was recorded"):
            slopes(["target"])
    assert all(torch.equal(*pair) for pair in zip(first, again, strict=True))


def test_derivatives_outlive_the_limb_and_keep_no_programs():
    def reach(target):
        limb = twobone.Limb(LEG.skeleton, 1, 2, 3, mid_axis=[1.0, 0.0, 0.0])
        return limb.reach(LocalPose(torch.tensor(limb.skeleton.rotations)), target).pose.rotations

    gc.collect()
    before = len(OPERATORS.TASKS)
    target = torch.tensor([0.1, 0.2, 0.3], dtype=torch.float64, requires_grad=True)
    found = reach(target).square().sum()
    gc.collect()
    assert len(OPERATORS.TASKS) == before + 1
    found.backward()
    assert torch.all(torch.isfinite(target.grad))
    del found
    gc.collect()
    assert len(OPERATORS.TASKS) == before


def test_equal_limbs_share_their_programs():
    def made():
        return twobone.Limb(LEG.skeleton, 1, 2, 3, mid_axis=[1.0, 0.0, 0.0])

    def text_of(limb):
        limb.reach(LocalPose(torch.tensor(LEG.skeleton.rotations)), [0.1, 0.2, 0.3])
        (task,) = limb._programs.tasks.values()
        return task.text

    first, second = made(), made()
    text = text_of(first)
    assert text_of(second) == text
    del second
    gc.collect()
    (task,) = first._programs.tasks.values()
    assert OPERATORS.TASKS[text] is task


def test_policies_of_ones_own_and_twist_stay_with_the_formula():
    class Half(twobone.Policy):
        def place(self, xp, distance, inner, outer):
            return xp.where(distance > 0.5 * outer, 0.5 * outer, distance)

    given, _ = drawn("correct_limb")
    wanted = twobone.correct_limb(**given, twist=0.3, unreachable=Half())
    found = twobone.correct_limb(**tensors(given), twist=0.3, unreachable=Half())
    np.testing.assert_allclose(found.start.numpy(), wanted.start, atol=1e-9)


# --- compiled and exported ------------------------------------------------------------------------


def in_plane(start, mid, end, target):
    return twobone.correct_limb(start, mid, end, target, mid_axis=1.0, weight=0.7)[:2]


def plane_arguments(rng):
    given = {}
    for name, at in zip(("start", "mid", "end"), (0.0, 1.0, 2.0), strict=True):
        matrix = np.tile(np.eye(3), (ROWS, 1, 1))
        matrix[:, :2, 2] = [at, 0.3 * at] + 0.2 * rng.normal(size=(ROWS, 2))
        given[name] = matrix
    return given | {"target": 1.5 * rng.normal(size=(ROWS, 2))}


@pytest.fixture
def compiler():
    torch.compiler.reset()
    yield lambda function: torch.compile(function, fullgraph=True, backend="aot_eager")
    torch.compiler.reset()


@pytest.mark.parametrize("name", ["reach", "reach, turned", "reach, weights", *MAIN])
def test_compiled_functions_give_the_same_values_and_derivatives(compiler, name):
    given, call = drawn(name)
    at = tensors(given, given)
    function = compiler(lambda given: call(**given))
    wanted, found = call(**at), function(at)
    for part, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(part.detach().numpy(), other.detach().numpy())
    slopes = torch.autograd.grad(weigh(found), list(at.values()))
    for part, other in zip(
        slopes, torch.autograd.grad(weigh(wanted), list(at.values())), strict=True
    ):
        torch.testing.assert_close(part, other, rtol=1e-14, atol=1e-14)


def test_the_plane_and_global_poses_compile(compiler):
    given = plane_arguments(np.random.default_rng(0))
    at = tensors(given)
    for part, other in zip(compiler(in_plane)(**at), in_plane(**given), strict=True):
        np.testing.assert_allclose(part.numpy(), other, atol=1e-14)
    local = pose_arguments(np.random.default_rng(1))
    target = local.pop("target")
    pose = LEG.skeleton.to_global(LocalPose(**local))
    there = type(pose)(*map(torch.from_numpy, pose))

    def reach(pose, target):
        return LEG.reach(pose, target, bend="rest").pose

    found, wanted = compiler(reach)(there, torch.from_numpy(target)), reach(pose, target)
    assert type(found) is type(wanted)
    for part, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(part.numpy(), other, atol=1e-14)


class Module(torch.nn.Module):
    """A module that calls a function."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, given):
        return self.function(**given)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("name", MAIN)
def test_exported_functions_run_one_operator_for_any_number_of_rows(name, strict):
    given, call = drawn(name)
    rows = torch.export.Dim("rows", min=2)
    shapes = {"given": {key: {0: rows} for key in given}}
    few = tensors({key: value[:7] for key, value in given.items()})
    made = torch.export.export(Module(call), (few,), strict=strict, dynamic_shapes=shapes)
    names = [str(node.target) for node in made.graph.nodes]
    assert names.count("twobone.run_program.default") == 1
    for part, other in zip(made.module()(tensors(given)), call(**given), strict=True):
        np.testing.assert_array_equal(part.numpy(), other)


def test_an_exported_function_needs_nothing_of_the_process_that_made_it(tmp_path):
    given, call = drawn("correct_aim, up")
    at = tensors(given)
    path = tmp_path / "aim.pt2"
    torch.export.save(torch.export.export(Module(call), (at,), strict=True), path)
    torch.save(
        [at, [torch.from_numpy(np.asarray(part)) for part in call(**given)]], tmp_path / "io"
    )
    script = f"""if True:
        import torch, twobone.core.torch_programs
        at, wanted = torch.load({str(tmp_path / "io")!r})
        module = torch.export.load({str(path)!r}).module()
        found = module(at)
        assert all(torch.equal(*pair) for pair in zip(found, wanted, strict=True))
        try:
            leaves = {{name: value.requires_grad_() for name, value in at.items()}}
            module(leaves)[0].sum().backward()
        except twobone.TwoBoneError as error:
            assert "gives values, but no derivatives" in str(error)
        else:
            raise AssertionError("derivatives of a program without its limb")
    """
    subprocess.run([sys.executable, "-c", script], check=True)


def test_compilation_names_what_is_wrong(compiler):
    given, _ = drawn("correct_limb")
    at = tensors(given) | {"target": torch.zeros(5, 2, dtype=torch.float64)}
    with pytest.raises(Exception, match="`target`"):
        compiler(lambda given: twobone.correct_limb(**given))(at)

    class Own(twobone.Policy):
        def place(self, xp, distance, inner, outer):
            return distance

    own = Own()
    with pytest.raises(Exception, match="`unreachable`"):
        compiler(lambda given: twobone.correct_limb(**given, unreachable=own))(tensors(given))


def test_copies_of_a_limb_have_numbers_of_their_own():
    limb = twobone.Limb(LEG.skeleton, 1, 2, 3, mid_axis=[1.0, 0.0, 0.0])
    for other in (copy.copy(limb), copy.deepcopy(limb), pickle.loads(pickle.dumps(limb))):
        assert other._number != limb._number
        assert LIMBS[other._number] is other


def test_errors_outside_of_one_graph_are_those_of_eager_mode():
    leg, pose, target = a_leg_in_a_graph()
    torch.compiler.reset()
    reach = torch.compile(lambda t: leg.reach(pose, t).status, backend="eager")
    with pytest.raises(twobone.ShapeError, match="`target` must"):
        reach(target[:, :2])
    torch.compiler.reset()
    met = torch.compile(lambda t: leg.reach(pose, t, unreachable="raise").status, backend="eager")
    assert met(target).tolist() == [0]


def test_one_compiled_function_takes_several_limbs():
    leg, pose, target = a_leg_in_a_graph()
    other = twobone.Limb(leg.skeleton, 0, 1, 2)
    torch.compiler.reset()
    reach = torch.compile(lambda limb, t: limb.reach(pose, t).status, backend="eager")
    assert [reach(each, target).tolist() for each in (leg, other)] == [[0], [0]]


def a_leg_in_a_graph():
    skeleton = twobone.Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
    target = torch.tensor([[0, 0.3, 0.2]], dtype=torch.float64)
    pose = twobone.LocalPose(torch.tensor(skeleton.rotations))
    return twobone.Limb(skeleton, 0, 1, 2), pose, target
