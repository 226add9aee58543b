// The Python module `twobone.core._kernel`: generalised ufuncs for NumPy, a fast path for plain arrays,
// and functions for single limbs. The arithmetic is in two_bone.hpp.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <atomic>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <new>
#include <vector>

#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

#include "crowd.hpp"
#include "loops.hpp"
#include "xla.hpp"

namespace {

using twobone::Column;
using twobone::Limbs;
using twobone::Loops;
using twobone::Policy;

// --- instruction sets ---------------------------------------------------------------------

const Loops *const ALL[] = {
    &twobone::baseline,
#if defined(TWOBONE_HAS_avx2)
    &twobone::avx2,
#endif
#if defined(TWOBONE_HAS_avx512)
    &twobone::avx512,
#endif
};
constexpr int COUNT = sizeof(ALL) / sizeof(*ALL);

bool runs_here(int which) {
#if defined(TWOBONE_HAS_avx2)
    __builtin_cpu_init();
    if (which == 1) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#if defined(TWOBONE_HAS_avx512)
    if (which == 2)
        return runs_here(1) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#endif
    return which == 0;
}

std::atomic<const Loops *> chosen{&twobone::baseline};

PyObject *instruction_sets(PyObject *, PyObject *) {
    PyObject *names = PyList_New(0);
    for (int i = 0; names && i < COUNT; i++) {
        if (!runs_here(i)) continue;
        PyObject *name = PyUnicode_FromString(ALL[i]->name);
        if (!name || PyList_Append(names, name) < 0) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

PyObject *instruction_set(PyObject *, PyObject *) { return PyUnicode_FromString(chosen.load()->name); }

PyObject *use_instruction_set(PyObject *, PyObject *name) {
    const char *wanted = PyUnicode_AsUTF8(name);
    if (!wanted) return nullptr;
    for (int i = 0; i < COUNT; i++) {
        if (std::strcmp(ALL[i]->name, wanted) == 0 && runs_here(i)) {
            chosen = ALL[i];
            Py_RETURN_NONE;
        }
    }
    return PyErr_Format(PyExc_ValueError, "no instruction set %R here", name);
}

// --- generalised ufuncs -------------------------------------------------------------------

// The data that a ufunc passes to its loops.
struct Kind {
    Policy policy;
    bool space, whole, fits;  // whole: return ends and statuses too; fits: the policies are given as steps
};

constexpr Policy POLICIES[] = {twobone::clamp, twobone::stretch, twobone::nan_};
const char *const WORDS[] = {"clamp", "stretch", "nan", "steps"};  // "steps": policies that are objects
constexpr int NAMED = 3, KINDS = NAMED + 1, SHAPES = 4;
Kind kinds[SHAPES * KINDS];
void *data[SHAPES * KINDS][2];

// Read the inputs of a ufunc; `parts` moves past the strides of their components.
Limbs read_limbs(const Kind &kind, char **args, const npy_intp *counts, const npy_intp *steps, const npy_intp *&parts) {
    auto column = [&](int i, npy_intp part) { return Column{args[i], steps[i], part}; };
    Limbs limbs{};
    limbs.count = counts[0];
    limbs.policy = kind.policy;
    limbs.target = column(0, *parts++);
    limbs.r1 = column(1, 0);
    limbs.r2 = column(2, 0);
    limbs.side = column(3, 0);
    if (kind.space) limbs.pole = column(4, *parts++);
    if (kind.fits) {  // the same steps for all limbs
        limbs.steps = column(4 + kind.space, *parts++);
        const npy_intp count = counts[2] / twobone::STEP_NUMBERS;
        limbs.step_count = count < twobone::MOST_STEPS ? static_cast<int>(count) : twobone::MOST_STEPS;
    }
    return limbs;
}

template <int REAL> void loop(char **args, const npy_intp *counts, const npy_intp *steps, void *given) {
    const Kind &kind = *static_cast<const Kind *>(given);
    const int inputs = 4 + kind.space + kind.fits;
    const npy_intp *parts = steps + inputs + (kind.whole ? 3 : 1);
    Limbs limbs = read_limbs(kind, args, counts, steps, parts);
    limbs.joint = {args[inputs], steps[inputs], *parts++};
    if (kind.whole) {
        limbs.end = {args[inputs + 1], steps[inputs + 1], *parts++};
        limbs.status = {args[inputs + 2], steps[inputs + 2], 0};
    }
    const Loops &loops = *chosen.load();
    (kind.space ? loops.space : loops.plane)[REAL](limbs);
    std::feclearexcept(FE_ALL_EXCEPT);  // invalid values give NaN and a status, not warnings
}

PyUFuncGenericFunction LOOPS[] = {loop<0>, loop<1>};
constexpr char F = NPY_FLOAT, D = NPY_DOUBLE, B = NPY_INT8;
const char TYPES[2][SHAPES][18] = {
    {
        {F, F, F, F, F, D, D, D, D, D},
        {F, F, F, F, F, F, B, D, D, D, D, D, D, B},
        {F, F, F, F, F, F, D, D, D, D, D, D},
        {F, F, F, F, F, F, F, B, D, D, D, D, D, D, D, B},
    },
    {
        {F, F, F, F, F, F, D, D, D, D, D, D},
        {F, F, F, F, F, F, F, B, D, D, D, D, D, D, D, B},
        {F, F, F, F, F, F, F, D, D, D, D, D, D, D},
        {F, F, F, F, F, F, F, F, B, D, D, D, D, D, D, D, D, B},
    },
};
const char *const SIGNATURES[2][SHAPES] = {
    {
        "(2),(),(),()->(2)",
        "(2),(),(),()->(2),(2),()",
        "(3),(),(),(),(3)->(3)",
        "(3),(),(),(),(3)->(3),(3),()",
    },
    {
        "(2),(),(),(),(n)->(2)",
        "(2),(),(),(),(n)->(2),(2),()",
        "(3),(),(),(),(3),(n)->(3)",
        "(3),(),(),(),(3),(n)->(3),(3),()",
    },
};

// Put an item into a dictionary; key and item, which may be null after an error, are released.
int put(PyObject *dictionary, PyObject *key, PyObject *item) {
    const int failed = key && item ? PyDict_SetItem(dictionary, key, item) : -1;
    Py_XDECREF(key);
    Py_XDECREF(item);
    return failed;
}

// Add the ufuncs as `solvers[size, whole, word]`.
int add_solvers(PyObject *module) {
    PyObject *solvers = PyDict_New();
    if (!solvers) return -1;
    for (int i = 0; i < SHAPES * KINDS; i++) {
        const int shape = i / KINDS, which = i % KINDS;
        const bool space = shape >= 2, whole = shape % 2, fits = which == NAMED;
        kinds[i] = {fits ? twobone::clamp : POLICIES[which], space, whole, fits};
        data[i][0] = data[i][1] = &kinds[i];
        PyObject *ufunc = PyUFunc_FromFuncAndDataAndSignature(
            LOOPS, data[i], TYPES[fits][shape], 2, 4 + space + fits, whole ? 3 : 1, PyUFunc_None,
            whole ? "reach" : "solve", "target, r1, r2, side[, pole][, steps] -> joint[, end, status]", 0,
            SIGNATURES[fits][shape]);
        if (put(solvers, Py_BuildValue("(iOs)", space ? 3 : 2, whole ? Py_True : Py_False, WORDS[which]), ufunc) < 0) {
            Py_DECREF(solvers);
            return -1;
        }
    }
    const int failed = PyModule_AddObjectRef(module, "solvers", solvers);
    Py_DECREF(solvers);
    return failed;
}

// --- derivatives ----------------------------------------------------------------------------

template <int REAL> void loop_slopes(char **args, const npy_intp *counts, const npy_intp *steps, void *given) {
    const Kind &kind = *static_cast<const Kind *>(given);
    const int inputs = 4 + kind.space + kind.fits;
    const npy_intp *parts = steps + inputs + 2;
    twobone::LimbSlopes slopes{read_limbs(kind, args, counts, steps, parts), {}, {}};
    slopes.joint = {args[inputs], steps[inputs], parts[0], parts[1]};
    slopes.end = {args[inputs + 1], steps[inputs + 1], parts[2], parts[3]};
    const Loops &loops = *chosen.load();
    (kind.space ? loops.slopes_in_space : loops.slopes_in_plane)[REAL](slopes);
    std::feclearexcept(FE_ALL_EXCEPT);
}

PyUFuncGenericFunction SLOPE_LOOPS[] = {loop_slopes<0>, loop_slopes<1>};
const char SLOPE_TYPES[3][16] = {
    // by how many inputs there are besides target, r1, r2 and side
    {F, F, F, F, F, F, D, D, D, D, D, D},
    {F, F, F, F, F, F, F, D, D, D, D, D, D, D},
    {F, F, F, F, F, F, F, F, D, D, D, D, D, D, D, D},
};
const char *const SLOPE_SIGNATURES[2][2] = {
    {"(2),(),(),()->(2,4),(2,4)", "(3),(),(),(),(3)->(3,8),(3,8)"},
    {"(2),(),(),(),(n)->(2,4),(2,4)", "(3),(),(),(),(3),(n)->(3,8),(3,8)"},
};

// Add ufuncs for the derivatives as `slopes[size, word]`.
int add_slopes(PyObject *module) {
    PyObject *slopes = PyDict_New();
    if (!slopes) return -1;
    for (int i = 0; i < SHAPES * KINDS; i++) {
        const Kind &kind = kinds[i];
        if (kind.whole) continue;
        PyObject *ufunc = PyUFunc_FromFuncAndDataAndSignature(
            SLOPE_LOOPS, data[i], SLOPE_TYPES[kind.space + kind.fits], 2, 4 + kind.space + kind.fits, 2, PyUFunc_None,
            "slopes", "target, r1, r2, side[, pole][, steps] -> derivatives of joint, end", 0,
            SLOPE_SIGNATURES[kind.fits][kind.space]);
        if (put(slopes, Py_BuildValue("(is)", kind.space ? 3 : 2, WORDS[i % KINDS]), ufunc) < 0) {
            Py_DECREF(slopes);
            return -1;
        }
    }
    const int failed = PyModule_AddObjectRef(module, "slopes", slopes);
    Py_DECREF(slopes);
    return failed;
}

// --- derivatives in reverse -----------------------------------------------------------------

// The data of a ufunc: the limbs, and whether it returns all derivatives or only those by the target.
struct PullKind {
    Kind kind;
    bool rest;
};
PullKind pull_kinds[4 * KINDS];
void *pull_data[4 * KINDS][2];

template <int REAL> void loop_pull(char **args, const npy_intp *counts, const npy_intp *steps, void *given) {
    const auto &[kind, rest] = *static_cast<const PullKind *>(given);
    const int bars = 4 + kind.space + kind.fits, outputs = bars + 1 + rest;
    const npy_intp *parts = steps + outputs + (rest ? 3 + kind.space : 1);
    twobone::Pulls pulls{};
    pulls.limbs = read_limbs(kind, args, counts, steps, parts);
    pulls.joint = {args[bars], steps[bars], *parts++};
    if (rest) pulls.end = {args[bars + 1], steps[bars + 1], *parts++};
    pulls.by_target = {args[outputs], steps[outputs], *parts++};
    if (rest) {
        pulls.by_r1 = {args[outputs + 1], steps[outputs + 1], 0};
        pulls.by_r2 = {args[outputs + 2], steps[outputs + 2], 0};
        if (kind.space) pulls.by_pole = {args[outputs + 3], steps[outputs + 3], *parts++};
    }
    const Loops &loops = *chosen.load();
    (kind.space ? loops.pull_in_space : loops.pull_in_plane)[REAL](pulls);
    std::feclearexcept(FE_ALL_EXCEPT);
}

PyUFuncGenericFunction PULL_LOOPS[] = {loop_pull<0>, loop_pull<1>};
char pull_types[4 * KINDS][24];
const char *const PULL_SIGNATURES[2][2][2] = {
    // [space][fits][rest]
    {{"(2),(),(),(),(2)->(2)", "(2),(),(),(),(2),(2)->(2),(),()"},
     {"(2),(),(),(),(n),(2)->(2)", "(2),(),(),(),(n),(2),(2)->(2),(),()"}},
    {{"(3),(),(),(),(3),(3)->(3)", "(3),(),(),(),(3),(3),(3)->(3),(),(),(3)"},
     {"(3),(),(),(),(3),(n),(3)->(3)", "(3),(),(),(),(3),(n),(3),(3)->(3),(),(),(3)"}},
};

int add_pulls_by_row(PyObject *pulls);

// Add ufuncs for the derivatives of a loss as `pulls[size, rest, word]`.
int add_pulls(PyObject *module) {
    PyObject *pulls = PyDict_New();
    if (!pulls) return -1;
    for (int i = 0; i < 4 * KINDS; i++) {
        const int which = i % KINDS;
        const bool space = i / KINDS >= 2, rest = i / KINDS % 2, fits = which == NAMED;
        pull_kinds[i] = {{fits ? twobone::clamp : POLICIES[which], space, false, fits}, rest};
        pull_data[i][0] = pull_data[i][1] = &pull_kinds[i];
        const int inputs = 5 + space + fits + rest, outputs = rest ? 3 + space : 1, all = inputs + outputs;
        for (int j = 0; j < 2 * all; j++) pull_types[i][j] = j < all ? F : D;
        PyObject *ufunc = PyUFunc_FromFuncAndDataAndSignature(
            PULL_LOOPS, pull_data[i], pull_types[i], 2, inputs, outputs, PyUFunc_None, "pull",
            "target, r1, r2, side[, pole][, steps], joint[, end] -> target[, r1, r2[, pole]]", 0,
            PULL_SIGNATURES[space][fits][rest]);
        PyObject *key = Py_BuildValue("(iOs)", space ? 3 : 2, rest ? Py_True : Py_False, WORDS[which]);
        if (put(pulls, key, ufunc) < 0) {
            Py_DECREF(pulls);
            return -1;
        }
    }
    const int failed = add_pulls_by_row(pulls) < 0 ? -1 : PyModule_AddObjectRef(module, "pulls", pulls);
    Py_DECREF(pulls);
    return failed;
}

// The same for policies with numbers of their own for each limb, which are differentiated by too.
PullKind pull_kinds_by_row[2] = {{{twobone::clamp, false, false, true}, true},
                                 {{twobone::clamp, true, false, true}, true}};
void *pull_data_by_row[2][2];

template <int REAL> void loop_pull_by_row(char **args, const npy_intp *counts, const npy_intp *steps, void *given) {
    const Kind &kind = static_cast<const PullKind *>(given)->kind;
    const int bars = 5 + kind.space, outputs = bars + 2, last = outputs + 3 + kind.space;
    const npy_intp *parts = steps + last + 1;
    twobone::Pulls pulls{};
    pulls.limbs = read_limbs(kind, args, counts, steps, parts);
    pulls.joint = {args[bars], steps[bars], *parts++};
    pulls.end = {args[bars + 1], steps[bars + 1], *parts++};
    pulls.by_target = {args[outputs], steps[outputs], *parts++};
    pulls.by_r1 = {args[outputs + 1], steps[outputs + 1], 0};
    pulls.by_r2 = {args[outputs + 2], steps[outputs + 2], 0};
    if (kind.space) pulls.by_pole = {args[outputs + 3], steps[outputs + 3], *parts++};
    pulls.by_steps = {args[last], steps[last], *parts++};
    const Loops &loops = *chosen.load();
    (kind.space ? loops.pull_in_space : loops.pull_in_plane)[REAL](pulls);
    std::feclearexcept(FE_ALL_EXCEPT);
}

PyUFuncGenericFunction PULL_LOOPS_BY_ROW[] = {loop_pull_by_row<0>, loop_pull_by_row<1>};
char pull_types_by_row[2][26];
const char *const PULL_SIGNATURES_BY_ROW[2] = {
    "(2),(),(),(),(n),(2),(2)->(2),(),(),(n)",
    "(3),(),(),(),(3),(n),(3),(3)->(3),(),(),(3),(n)",
};

// Add these ufuncs as `pulls[size, True, "rows"]`.
int add_pulls_by_row(PyObject *pulls) {
    for (int space = 0; space < 2; space++) {
        pull_data_by_row[space][0] = pull_data_by_row[space][1] = &pull_kinds_by_row[space];
        const int inputs = 7 + space, outputs = 4 + space, all = inputs + outputs;
        for (int j = 0; j < 2 * all; j++) pull_types_by_row[space][j] = j < all ? F : D;
        PyObject *ufunc = PyUFunc_FromFuncAndDataAndSignature(
            PULL_LOOPS_BY_ROW, pull_data_by_row[space], pull_types_by_row[space], 2, inputs, outputs, PyUFunc_None,
            "pull", "target, r1, r2, side[, pole], steps, joint, end -> target, r1, r2[, pole], steps", 0,
            PULL_SIGNATURES_BY_ROW[space]);
        if (put(pulls, Py_BuildValue("(iOs)", space ? 3 : 2, Py_True, "rows"), ufunc) < 0) return -1;
    }
    return 0;
}

// --- derivatives in one direction -----------------------------------------------------------

template <int REAL> void loop_push(char **args, const npy_intp *counts, const npy_intp *steps, void *given) {
    const Kind &kind = *static_cast<const Kind *>(given);
    const int tangents = 4 + kind.space + kind.fits, outputs = tangents + 3 + kind.space;
    const npy_intp *parts = steps + outputs + 1 + kind.whole;
    twobone::Pushes pushes{};
    pushes.limbs = read_limbs(kind, args, counts, steps, parts);
    pushes.along_target = {args[tangents], steps[tangents], *parts++};
    pushes.along_r1 = {args[tangents + 1], steps[tangents + 1], 0};
    pushes.along_r2 = {args[tangents + 2], steps[tangents + 2], 0};
    if (kind.space) pushes.along_pole = {args[tangents + 3], steps[tangents + 3], *parts++};
    pushes.joint = {args[outputs], steps[outputs], *parts++};
    if (kind.whole) pushes.end = {args[outputs + 1], steps[outputs + 1], *parts++};
    const Loops &loops = *chosen.load();
    (kind.space ? loops.push_in_space : loops.push_in_plane)[REAL](pushes);
    std::feclearexcept(FE_ALL_EXCEPT);
}

PyUFuncGenericFunction PUSH_LOOPS[] = {loop_push<0>, loop_push<1>};
char push_types[SHAPES * KINDS][26];
const char *const PUSH_SIGNATURES[2][SHAPES] = {
    {
        "(2),(),(),(),(2),(),()->(2)",
        "(2),(),(),(),(2),(),()->(2),(2)",
        "(3),(),(),(),(3),(3),(),(),(3)->(3)",
        "(3),(),(),(),(3),(3),(),(),(3)->(3),(3)",
    },
    {
        "(2),(),(),(),(n),(2),(),()->(2)",
        "(2),(),(),(),(n),(2),(),()->(2),(2)",
        "(3),(),(),(),(3),(n),(3),(),(),(3)->(3)",
        "(3),(),(),(),(3),(n),(3),(),(),(3)->(3),(3)",
    },
};

// Add ufuncs for derivatives in the direction of tangents as `pushes[size, whole, word]`.
int add_pushes(PyObject *module) {
    PyObject *pushes = PyDict_New();
    if (!pushes) return -1;
    for (int i = 0; i < SHAPES * KINDS; i++) {
        const Kind &kind = kinds[i];
        const int inputs = 7 + 2 * kind.space + kind.fits, outputs = 1 + kind.whole, all = inputs + outputs;
        for (int j = 0; j < 2 * all; j++) push_types[i][j] = j < all ? F : D;
        PyObject *ufunc = PyUFunc_FromFuncAndDataAndSignature(
            PUSH_LOOPS, data[i], push_types[i], 2, inputs, outputs, PyUFunc_None, "push",
            "target, r1, r2, side[, pole][, steps], tangents of target, r1, r2[, pole] -> joint[, end]", 0,
            PUSH_SIGNATURES[kind.fits][i / KINDS]);
        PyObject *key = Py_BuildValue("(iOs)", kind.space ? 3 : 2, kind.whole ? Py_True : Py_False, WORDS[i % KINDS]);
        if (put(pushes, key, ufunc) < 0) {
            Py_DECREF(pushes);
            return -1;
        }
    }
    const int failed = PyModule_AddObjectRef(module, "pushes", pushes);
    Py_DECREF(pushes);
    return failed;
}

// --- half angles ----------------------------------------------------------------------------

// sin^2 of half an angle in degrees, with the bits of `sin2_half` in core/half_angles.py: Python calls the same functions
// of the C library. Squared by `pow`, as Python does: with a constant exponent, compilers would multiply.
double sin2_half(double degrees) {
    if (degrees == 90.0) return 0.5;
    static volatile double two = 2.0;
    return std::pow(std::sin(degrees * (3.141592653589793 / 180.0) / 2.0), two);
}

PyUFuncGenericFunction half_loops[1];
void *half_data[] = {reinterpret_cast<void *>(sin2_half)};
const char HALF_TYPES[] = {D, D};

int add_half_angles(PyObject *module) {
    half_loops[0] = PyUFunc_d_d;  // which is known once NumPy is imported
    PyObject *ufunc = PyUFunc_FromFuncAndData(half_loops, half_data, HALF_TYPES, 1, 1, 1, PyUFunc_None, "sin2_half",
                                              "squared sines of half an angle in degrees", 0);
    const int failed = !ufunc || PyModule_AddObjectRef(module, "sin2_half", ufunc) < 0;
    Py_XDECREF(ufunc);
    return failed ? -1 : 0;
}

// --- limbs given as matrices --------------------------------------------------------------

using twobone::Pass;
using twobone::Poses;

constexpr Pass PASSES[] = {twobone::all_of_it, twobone::before, twobone::after};
void *passes[3][2];
#define POSE "(4,4),(4,4),(4,4),(3),(3),(3),(),(),(),(),()"
const char *const POSE_NAMES[] = {"correct_limb", "limb_before", "limb_after"};
const char *const POSE_SIGNATURES[] = {POSE "->(4),(4),(),()", POSE "->(),(),()", POSE ",(),(),(),()->(4),(4),(),()"};
#undef POSE
constexpr int POSE_INPUTS[] = {11, 11, 15}, POSE_OUTPUTS[] = {4, 3, 4};
const char POSE_TYPES[3][38] = {
    {F, F, F, F, F, F, F, F, F, F, B, F, F, B, B, D, D, D, D, D, D, D, D, D, D, B, D, D, B, B},
    {F, F, F, F, F, F, F, F, F, F, B, F, F, F, D, D, D, D, D, D, D, D, D, D, B, D, D, D},
    {F, F, F, F, F, F, F, F, F, F, B, F, F, F, F, F, F, B, B, D, D, D, D, D, D, D, D, D, D, B, D, D, D, D, D, D, B, B},
};

template <int REAL> void loop_poses(char **args, const npy_intp *counts, const npy_intp *steps, void *given) {
    const Pass pass = *static_cast<const Pass *>(given);
    const npy_intp *parts = steps + POSE_INPUTS[pass] + POSE_OUTPUTS[pass];
    int next = 0;
    auto number = [&] { return Column{args[next], steps[next++], 0}; };
    auto vector = [&] { return Column{args[next], steps[next++], *parts++}; };
    auto matrix = [&] {
        parts += 2;
        return twobone::Matrices{args[next], steps[next++], parts[-2], parts[-1]};
    };
    Poses poses{};
    poses.count = counts[0];
    poses.pass = pass;
    if (poses.count <= 0) return;
    for (auto *place : {&poses.start, &poses.mid, &poses.end}) *place = matrix();
    for (auto *place : {&poses.target, &poses.pole, &poses.mid_axis}) *place = vector();
    for (auto *place : {&poses.cos, &poses.sin, &poses.soften, &poses.weight}) *place = number();
    poses.options = *number().data;  // the flags are the same for all limbs
    if (pass != twobone::all_of_it)
        for (int i = 0; i < (pass == twobone::before ? 3 : 4); i++) poses.triangle[i] = number();
    if (pass != twobone::before) {
        poses.at_start = vector();
        poses.at_mid = vector();
        poses.status = number();
        poses.fault = number();
    }
    chosen.load()->poses[REAL](poses);
    std::feclearexcept(FE_ALL_EXCEPT);
}

PyUFuncGenericFunction POSE_LOOPS[] = {loop_poses<0>, loop_poses<1>};

int add_poses(PyObject *module) {
    for (int i = 0; i < 3; i++) {
        passes[i][0] = passes[i][1] = const_cast<Pass *>(PASSES + i);
        PyObject *ufunc = PyUFunc_FromFuncAndDataAndSignature(
            POSE_LOOPS, passes[i], POSE_TYPES[i], 2, POSE_INPUTS[i], POSE_OUTPUTS[i], PyUFunc_None, POSE_NAMES[i],
            "start, mid, end, target, pole, mid_axis, cos, sin, soften, weight, options ...", 0, POSE_SIGNATURES[i]);
        const int failed = !ufunc || PyModule_AddObjectRef(module, POSE_NAMES[i], ufunc) < 0;
        Py_XDECREF(ufunc);
        if (failed) return -1;
    }
    return 0;
}

// --- the fast path: a plain array of targets, numbers for the rest --------------------------

// Up to this number, double holds every integer. A larger one would be rounded here, and again to float.
constexpr double ALL_EXACT = 9007199254740992.0;  // 2^53

// Read a Python float, or an int that double holds. Returns false for all else, including bool: the general path
// handles it.
inline bool read_number(PyObject *object, double &value) {
    if (PyFloat_Check(object)) {
        value = PyFloat_AS_DOUBLE(object);
        return true;
    }
    if (!PyLong_CheckExact(object)) return false;
    value = PyLong_AsDouble(object);
    if (value == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    return std::fabs(value) < ALL_EXACT;
}

constexpr int MOST_AXES = 33;  // one for the components, and as many as NumPy can broadcast

bool is_plain(PyObject *object, npy_intp size) {
    if (!PyArray_CheckExact(object)) return false;
    PyArrayObject *array = reinterpret_cast<PyArrayObject *>(object);
    const int type = PyArray_TYPE(array);
    const int axes = PyArray_NDIM(array);
    return (type == NPY_DOUBLE || type == NPY_FLOAT) && axes > 0 && axes <= MOST_AXES && PyArray_ISCARRAY_RO(array) &&
           (size ? axes == 1 && PyArray_DIM(array, 0) == size
                 : PyArray_DIM(array, axes - 1) == 2 || PyArray_DIM(array, axes - 1) == 3);
}

char *begin(PyObject *array) { return PyArray_BYTES(reinterpret_cast<PyArrayObject *>(array)); }

// Read a Python number, or an array without axes that has the dtype of the targets.
bool read_length(PyObject *object, int type, double &value) {
    if (read_number(object, value)) return true;
    if (!PyArray_CheckExact(object)) return false;
    PyArrayObject *array = reinterpret_cast<PyArrayObject *>(object);
    if (PyArray_NDIM(array) != 0 || PyArray_TYPE(array) != type || !PyArray_ISCARRAY_RO(array)) return false;
    const void *from = PyArray_DATA(array);
    value = type == NPY_DOUBLE ? *static_cast<const double *>(from) : *static_cast<const float *>(from);
    return true;
}

// A reference to an object, released at the end of its scope.
struct Owned {
    PyObject *object = nullptr;
    ~Owned() { Py_XDECREF(object); }
};

// Return an argument unchanged, or, if it is a list or tuple of two or three Python numbers, as an array, which `made`
// then owns. Returns null, without an error, if the array cannot be made.
PyObject *as_plain(PyObject *object, int type, Owned &made) {
    if (!PyList_CheckExact(object) && !PyTuple_CheckExact(object)) return object;
    npy_intp size = Py_SIZE(object);
    if (size != 2 && size != 3) return object;
    double numbers[3];
    for (npy_intp i = 0; i < size; i++) {
        PyObject *item = PySequence_GetItem(object, i);  // another thread may change the list
        const bool read = item && read_number(item, numbers[i]);
        Py_XDECREF(item);
        PyErr_Clear();
        if (!read) return object;
    }
    made.object = PyArray_SimpleNew(1, &size, type);
    if (!made.object) return nullptr;
    void *to = PyArray_DATA(reinterpret_cast<PyArrayObject *>(made.object));
    for (npy_intp i = 0; i < size; i++) {
        if (type == NPY_DOUBLE) static_cast<double *>(to)[i] = numbers[i];
        else static_cast<float *>(to)[i] = static_cast<float>(numbers[i]);
    }
    return made.object;
}

constexpr npy_intp MOST_NUMBERS = twobone::STEP_NUMBERS * twobone::MOST_STEPS;

// Read a policy: a word, or an array with the steps of a chain. Returns false for anything else.
bool read_policy(PyObject *policy, Limbs &limbs, double *steps) {
    if (PyUnicode_CheckExact(policy)) {
        for (int i = 0; i < NAMED; i++) {
            if (PyUnicode_CompareWithASCIIString(policy, WORDS[i]) != 0) continue;
            limbs.policy = POLICIES[i];
            return true;
        }
        return false;
    }
    if (!PyArray_CheckExact(policy)) return false;
    PyArrayObject *array = reinterpret_cast<PyArrayObject *>(policy);
    if (PyArray_NDIM(array) != 1 || PyArray_TYPE(array) != NPY_DOUBLE || !PyArray_ISCARRAY_RO(array)) return false;
    const npy_intp count = PyArray_DIM(array, 0);
    if (count == 0 || count > MOST_NUMBERS || count % twobone::STEP_NUMBERS) return false;
    std::memcpy(steps, PyArray_DATA(array), count * sizeof(double));
    limbs.step_count = static_cast<int>(count / twobone::STEP_NUMBERS);
    return true;
}

// Solve simple arguments directly; return None for all others, which then take the general path.
// Simple means: target is exactly an ndarray, C-contiguous, of native float32 or float64, or a list of two or
// three Python numbers; bones and side are Python numbers or arrays without axes of that dtype; pole is one
// vector of that dtype, or such a list; `unreachable` is a word, or the steps of policies as an array of float64;
// `out` is None, the target, or a separate array like it. `most` is None or the maximum number of rows for one
// thread. `whole`: return (joint, end, status).
PyObject *solve_simple(PyObject *const *args, PyObject *out, PyObject *most, bool whole) {
    PyObject *word = args[5];
    Owned made_target, made_pole;
    PyObject *target = as_plain(args[0], NPY_DOUBLE, made_target);
    if (!target) return nullptr;
    if (!is_plain(target, 0)) Py_RETURN_NONE;
    Limbs limbs{};
    double steps[MOST_NUMBERS];
    if (!read_policy(word, limbs, steps)) Py_RETURN_NONE;

    PyArrayObject *targets = reinterpret_cast<PyArrayObject *>(target);
    const int axes = PyArray_NDIM(targets), type = PyArray_TYPE(targets);
    PyObject *pole = as_plain(args[4], type, made_pole);
    if (!pole) return nullptr;
    double numbers[3];
    for (int i = 0; i < 3; i++)
        if (!read_length(args[1 + i], type, numbers[i])) Py_RETURN_NONE;
    const npy_intp size = PyArray_DIM(targets, axes - 1), part = PyArray_ITEMSIZE(targets);
    if ((size == 3) != (pole != Py_None)) Py_RETURN_NONE;
    if (size == 3 && !(is_plain(pole, 3) && PyArray_TYPE(reinterpret_cast<PyArrayObject *>(pole)) == type))
        Py_RETURN_NONE;
    static_assert(std::numeric_limits<float>::is_iec559, "too large is infinite");
    float narrow[3];
    for (int i = 0; i < 3; i++) narrow[i] = static_cast<float>(numbers[i]);
    limbs.count = PyArray_SIZE(targets) / size;
    if (most != Py_None) {
        const Py_ssize_t rows = PyLong_AsSsize_t(most);
        if (rows == -1 && PyErr_Occurred()) return nullptr;
        if (limbs.count > rows) Py_RETURN_NONE;
    }
    Owned joint, end, status;
    if (out == Py_None) {
        joint.object = PyArray_SimpleNew(axes, PyArray_DIMS(targets), type);
        if (!joint.object) return nullptr;
    } else {
        if (!PyArray_CheckExact(out)) Py_RETURN_NONE;
        PyArrayObject *place = reinterpret_cast<PyArrayObject *>(out);
        if (PyArray_TYPE(place) != type || !PyArray_ISCARRAY(place) || PyArray_NDIM(place) != axes ||
            !PyArray_CompareLists(PyArray_DIMS(place), PyArray_DIMS(targets), axes))
            Py_RETURN_NONE;
        // Solving in place is safe, because limbs are solved one after the other; any other overlap is not.
        const char *a = begin(target), *b = begin(out);
        const std::ptrdiff_t bytes = PyArray_NBYTES(targets);
        if (a != b && a < b + bytes && b < a + bytes) Py_RETURN_NONE;
        if (size == 3) {
            const char *n = begin(pole);
            if (n < b + bytes && b < n + 3 * part) Py_RETURN_NONE;
        }
        joint.object = Py_NewRef(out);
    }
    auto number = [&](int i) {
        return Column{type == NPY_DOUBLE ? reinterpret_cast<char *>(numbers + i) : reinterpret_cast<char *>(narrow + i),
                      0, 0};
    };
    limbs.target = {begin(target), size * part, part};
    limbs.r1 = number(0);
    limbs.r2 = number(1);
    limbs.side = number(2);
    if (size == 3) limbs.pole = {begin(pole), 0, part};
    limbs.joint = {begin(joint.object), size * part, part};
    if (whole) {
        end.object = PyArray_SimpleNew(axes, PyArray_DIMS(targets), type);
        if (!end.object) return nullptr;
        status.object = PyArray_SimpleNew(axes - 1, PyArray_DIMS(targets), NPY_INT8);
        if (!status.object) return nullptr;
        limbs.end = {begin(end.object), size * part, part};
        limbs.status = {begin(status.object), 1, 0};
    }
    float narrow_steps[MOST_NUMBERS];
    if (limbs.step_count) {
        for (int i = 0; i < limbs.step_count * twobone::STEP_NUMBERS; i++)
            narrow_steps[i] = static_cast<float>(steps[i]);
        char *const data =
            type == NPY_DOUBLE ? reinterpret_cast<char *>(steps) : reinterpret_cast<char *>(narrow_steps);
        limbs.steps = {data, 0, part};
    }
    const Loops &loops = *chosen.load();
    const auto run = (size == 3 ? loops.space : loops.plane)[type == NPY_DOUBLE];
    if (limbs.count < 256) {  // releasing the GIL would take longer
        run(limbs);
    } else {
        Py_BEGIN_ALLOW_THREADS;
        run(limbs);
        Py_END_ALLOW_THREADS;
    }
    if (!whole) return Py_NewRef(joint.object);
    // A status without axes becomes a NumPy scalar.
    PyObject *codes = PyArray_Return(reinterpret_cast<PyArrayObject *>(Py_NewRef(status.object)));
    return codes ? Py_BuildValue("(OON)", joint.object, end.object, codes) : nullptr;
}

PyObject *solve(PyObject *, PyObject *const *args, Py_ssize_t count) {
    if (count != 8) return PyErr_Format(PyExc_TypeError, "solve takes 8 arguments, got %zd", count);
    return solve_simple(args, args[6], args[7], false);
}

PyObject *reach(PyObject *, PyObject *const *args, Py_ssize_t count) {
    if (count != 7) return PyErr_Format(PyExc_TypeError, "reach takes 7 arguments, got %zd", count);
    return solve_simple(args, Py_None, args[6], true);
}

// --- programs -----------------------------------------------------------------------------

using twobone::Instruction;
using twobone::Program;
using twobone::ProgramData;

constexpr const char *PROGRAM = "twobone.program";

// A program with the memory of its lists, and how many components it uses of each array.
struct OwnedProgram {
    Program program;
    std::vector<Instruction> code;
    std::vector<double> constants, steps;
    npy_intp inputs[twobone::MOST_ARRAYS] = {}, outputs[twobone::MOST_ARRAYS] = {};
};

void free_program(PyObject *capsule) { delete static_cast<OwnedProgram *>(PyCapsule_GetPointer(capsule, PROGRAM)); }

// Check all indices once, so that the loops need not.
bool check_program(OwnedProgram &owned) {
    const Program &program = owned.program;
    const int constants = program.constant_count;
    auto is_value = [&](int i) { return 0 <= i && i < program.values; };
    auto is_operand = [&](int i) { return is_value(i) || (i < 0 && ~i < constants); };
    auto use = [](npy_intp *sizes, int array, int part) {
        if (array < 0 || array >= twobone::MOST_ARRAYS || part < 0) return false;
        if (sizes[array] <= part) sizes[array] = part + 1;
        return true;
    };
    for (int i = 0; i < program.step_count; i++) {
        const double kind = program.steps[i * twobone::STEP_NUMBERS];
        if (kind != 0.0 && kind != 1.0 && kind != 2.0) return false;
    }
    for (int i = 0; i < program.length; i++) {
        const Instruction &at = program.code[i];
        bool right = at.op >= 0 && at.op < twobone::op_more;
        if (at.op == twobone::op_read) {
            right = is_value(at.out) && use(owned.inputs, at.a, at.b);
        } else if (at.op == twobone::op_write) {
            right = is_operand(at.b) && use(owned.outputs, at.a, at.c);
        } else {
            right = right && is_value(at.out) && is_operand(at.a) && is_operand(at.b) && is_operand(at.c);
            const int others = at.op == twobone::op_triangle ? 1 : at.op == twobone::op_slopes ? 3 : 0;
            for (int k = 0; right && k < others; k++) {
                i++;
                right = i < program.length;
                const Instruction more = right ? program.code[i] : at;
                right =
                    right && more.op == twobone::op_more && is_value(more.a) && is_value(more.b) && is_value(more.c);
            }
        }
        if (!right) return false;
    }
    return true;
}

template <class T> void take_numbers(PyArrayObject *array, std::vector<T> &numbers) {
    const T *data = static_cast<const T *>(PyArray_DATA(array));
    numbers.assign(data, data + PyArray_SIZE(array));
}

// program(code, constants, values, policy, steps) -> a program to run.
PyObject *make_program(PyObject *, PyObject *args) {
    PyArrayObject *code, *constants, *steps;
    int values, policy;
    if (!PyArg_ParseTuple(args, "O!O!iiO!", &PyArray_Type, &code, &PyArray_Type, &constants, &values, &policy,
                          &PyArray_Type, &steps))
        return nullptr;
    const bool right = PyArray_TYPE(code) == NPY_INT32 && PyArray_NDIM(code) == 2 && PyArray_DIM(code, 1) == 5 &&
                       PyArray_TYPE(constants) == NPY_DOUBLE && PyArray_TYPE(steps) == NPY_DOUBLE &&
                       PyArray_ISCARRAY_RO(code) && PyArray_ISCARRAY_RO(constants) && PyArray_ISCARRAY_RO(steps) &&
                       PyArray_SIZE(steps) % twobone::STEP_NUMBERS == 0 && PyArray_SIZE(steps) <= MOST_NUMBERS &&
                       0 <= policy && policy < NAMED && 0 <= values && values < 1 << 20;
    if (!right) return PyErr_Format(PyExc_ValueError, "not a program");
    auto *owned = new (std::nothrow) OwnedProgram;
    if (!owned) return PyErr_NoMemory();
    try {
        const auto *first = static_cast<const Instruction *>(PyArray_DATA(code));
        owned->code.assign(first, first + PyArray_DIM(code, 0));
        take_numbers(constants, owned->constants);
        take_numbers(steps, owned->steps);
    } catch (const std::bad_alloc &) {
        delete owned;
        return PyErr_NoMemory();
    }
    owned->program = {owned->code.data(),
                      static_cast<int>(owned->code.size()),
                      values,
                      static_cast<int>(owned->constants.size()),
                      owned->constants.data(),
                      POLICIES[policy],
                      owned->steps.data(),
                      static_cast<int>(owned->steps.size()) / twobone::STEP_NUMBERS};
    PyObject *capsule = check_program(*owned) ? PyCapsule_New(owned, PROGRAM, free_program)
                                              : PyErr_Format(PyExc_ValueError, "not a program");
    if (!capsule) delete owned;
    return capsule;
}

// Read an array of rows of numbers, with an axis of frames before them or without. One row or frame stands for all.
bool read_rows(PyObject *object, int type, npy_intp least, ProgramData &data, Column &column, std::ptrdiff_t &frame) {
    if (!PyArray_Check(object)) return false;
    PyArrayObject *array = reinterpret_cast<PyArrayObject *>(object);
    const int axes = PyArray_NDIM(array);
    if ((axes != 2 && axes != 3) || PyArray_TYPE(array) != type || !PyArray_ISNOTSWAPPED(array)) return false;
    const npy_intp *shape = PyArray_DIMS(array) + axes - 2, *strides = PyArray_STRIDES(array) + axes - 2;
    const npy_intp frames = axes == 3 ? PyArray_DIM(array, 0) : 1;
    if ((shape[0] != data.count && shape[0] != 1) || shape[1] < least || (frames != data.frames && frames != 1))
        return false;
    column = {PyArray_BYTES(array), shape[0] == 1 ? 0 : strides[0], strides[1]};
    frame = frames == 1 ? 0 : PyArray_STRIDE(array, 0);
    return true;
}

// run_program(program, inputs, outputs, carried): the outputs are written; `carried` has an output or -1 for each
// input. All arrays have the shape (rows, numbers) or (frames, rows, numbers).
PyObject *run_program(PyObject *, PyObject *const *args, Py_ssize_t given) {
    if (given != 4) return PyErr_Format(PyExc_TypeError, "run_program takes 4 arguments");
    auto *owned = static_cast<OwnedProgram *>(PyCapsule_GetPointer(args[0], PROGRAM));
    if (!owned) return nullptr;
    PyObject *inputs = args[1], *outputs = args[2], *carried = args[3];
    bool right = PyTuple_Check(inputs) && PyTuple_Check(outputs) && PyTuple_Check(carried) &&
                 PyTuple_GET_SIZE(inputs) == PyTuple_GET_SIZE(carried) && PyTuple_GET_SIZE(inputs) > 0 &&
                 PyTuple_GET_SIZE(inputs) <= twobone::MOST_ARRAYS && PyTuple_GET_SIZE(outputs) > 0 &&
                 PyTuple_GET_SIZE(outputs) <= twobone::MOST_ARRAYS && PyArray_Check(PyTuple_GET_ITEM(inputs, 0)) &&
                 PyArray_Check(PyTuple_GET_ITEM(outputs, 0));
    if (!right) return PyErr_Format(PyExc_ValueError, "not the arrays of this program");
    ProgramData data;
    data.input_count = static_cast<int>(PyTuple_GET_SIZE(inputs));
    data.output_count = static_cast<int>(PyTuple_GET_SIZE(outputs));
    const int type = PyArray_TYPE(reinterpret_cast<PyArrayObject *>(PyTuple_GET_ITEM(inputs, 0)));
    auto *first = reinterpret_cast<PyArrayObject *>(PyTuple_GET_ITEM(outputs, 0));
    const int axes = PyArray_NDIM(first);
    right = (type == NPY_DOUBLE || type == NPY_FLOAT) && (axes == 2 || axes == 3);
    data.count = right ? PyArray_DIM(first, axes - 2) : 0;
    data.frames = axes == 3 ? PyArray_DIM(first, 0) : 1;
    for (int i = 0; right && i < data.output_count; i++) {
        PyObject *array = PyTuple_GET_ITEM(outputs, i);
        data.codes[i] = PyArray_Check(array) && PyArray_TYPE(reinterpret_cast<PyArrayObject *>(array)) == NPY_INT8;
        right = read_rows(array, data.codes[i] ? NPY_INT8 : type, owned->outputs[i], data, data.outputs[i],
                          data.output_frames[i]) &&
                PyArray_ISWRITEABLE(reinterpret_cast<PyArrayObject *>(array)) &&
                (data.outputs[i].step || data.count <= 1);
    }
    for (int i = 0; right && i < data.input_count; i++) {
        right =
            read_rows(PyTuple_GET_ITEM(inputs, i), type, owned->inputs[i], data, data.inputs[i], data.input_frames[i]);
        const long from = PyLong_AsLong(PyTuple_GET_ITEM(carried, i));
        data.carried[i] = static_cast<int>(from);
        right = right && !PyErr_Occurred() && -1 <= from && from < data.output_count &&
                (from < 0 || (!data.codes[from] && owned->inputs[i] <= owned->outputs[from]));
    }
    for (int i = data.input_count; right && i < twobone::MOST_ARRAYS; i++) right = !owned->inputs[i];
    for (int i = data.output_count; right && i < twobone::MOST_ARRAYS; i++) right = !owned->outputs[i];
    if (!right) {
        PyErr_Clear();
        return PyErr_Format(PyExc_ValueError, "not the arrays of this program");
    }
    const auto run = chosen.load()->programs[type == NPY_DOUBLE];
    bool done;
    if (data.count * data.frames < 64) {  // releasing the GIL would take longer
        done = run(owned->program, data);
    } else {
        Py_BEGIN_ALLOW_THREADS done = run(owned->program, data);
        Py_END_ALLOW_THREADS
    }
    std::feclearexcept(FE_ALL_EXCEPT);
    if (!done) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

// --- one limb, with Python floats ---------------------------------------------------------

// A function of floats with the name, the signature and the docstring of the Python function that it
// replaces. There are two, initialised when the package is imported.
struct Scalar {
    PyMethodDef method;
    PyObject *plain;  // the Python function, called for arguments that are not plain numbers
    PyObject *names[9];
};
Scalar in_plane, in_space;

// Collect keyword arguments after `placed` positional ones; the default of side is 1.
template <int COUNT>
bool add_named(const Scalar &scalar, PyObject *const *args, Py_ssize_t placed, PyObject *names, double *values) {
    bool given[COUNT] = {};
    for (Py_ssize_t i = 0; i < placed; i++) given[i] = true;
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); k++) {
        PyObject *name = PyTuple_GET_ITEM(names, k);
        int i = 0;
        while (i < COUNT && name != scalar.names[i] && PyUnicode_Compare(name, scalar.names[i]) != 0) i++;
        if (i == COUNT || given[i] || !read_number(args[placed + k], values[i])) return false;
        given[i] = true;
    }
    if (!given[COUNT - 1]) values[COUNT - 1] = 1.0;
    for (int i = 0; i < COUNT - 1; i++)
        if (!given[i]) return false;
    return true;
}

// Collect the arguments in the order of the signature. Most calls have all of them, or all except side, by position.
template <int COUNT>
bool arrange(const Scalar &scalar, PyObject *const *args, Py_ssize_t placed, PyObject *names, double *values) {
    if (placed > COUNT) return false;
    for (Py_ssize_t i = 0; i < placed; i++)
        if (!read_number(args[i], values[i])) return false;
    if (names || placed < COUNT - 1) return add_named<COUNT>(scalar, args, placed, names, values);
    if (placed < COUNT) values[COUNT - 1] = 1.0;
    return true;
}

template <int SIZE> PyObject *solve_one(PyObject *, PyObject *const *args, Py_ssize_t placed, PyObject *names) {
    const Scalar &scalar = SIZE == 2 ? in_plane : in_space;
    constexpr int COUNT = SIZE == 2 ? 5 : 9;
    double v[COUNT], joint[SIZE];
    if (!arrange<COUNT>(scalar, args, placed, names, v)) return PyObject_Vectorcall(scalar.plain, args, placed, names);
    const Loops &loops = *chosen.load(std::memory_order_relaxed);
    if constexpr (SIZE == 2) loops.one_in_plane(v, v[2], v[3], v[4], joint);
    else loops.one_in_space(v, v[3], v[4], v[8], v + 5, joint);
    PyObject *answer = PyTuple_New(SIZE);
    for (int i = 0; answer && i < SIZE; i++) {
        PyObject *part = PyFloat_FromDouble(joint[i]);
        if (part) PyTuple_SET_ITEM(answer, i, part);
        else Py_CLEAR(answer);
    }
    return answer;
}

// scalar(function, module, names, name, doc) -> the compiled version of the function.
PyObject *scalar(PyObject *, PyObject *args) {
    PyObject *plain, *owner, *names, *name, *doc;
    if (!PyArg_ParseTuple(args, "OUO!UU", &plain, &owner, &PyTuple_Type, &names, &name, &doc)) return nullptr;
    const Py_ssize_t count = PyTuple_GET_SIZE(names);
    if (count != 5 && count != 9) return PyErr_Format(PyExc_ValueError, "no function of %zd numbers", count);
    Scalar &made = count == 5 ? in_plane : in_space;
    const auto body = count == 5 ? solve_one<2> : solve_one<3>;
    made.method.ml_name = PyUnicode_AsUTF8(name);
    made.method.ml_doc = PyUnicode_AsUTF8(doc);
    made.method.ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(body));
    made.method.ml_flags = METH_FASTCALL | METH_KEYWORDS;
    if (!made.method.ml_name || !made.method.ml_doc) return nullptr;
    // These references are kept until the process ends, because the function may be called until then.
    Py_INCREF(name);
    Py_INCREF(doc);
    made.plain = Py_NewRef(plain);
    for (Py_ssize_t i = 0; i < count; i++) made.names[i] = Py_NewRef(PyTuple_GET_ITEM(names, i));
    return PyCFunction_NewEx(&made.method, nullptr, owner);
}

// --- functions for XLA --------------------------------------------------------------------

// Add the functions that XLA calls as capsules: `xla_handlers[name]`.
int add_xla_handlers(PyObject *module) {
    PyObject *handlers = PyDict_New();
    if (!handlers) return -1;
    for (const twobone::XlaHandler &handler : twobone::xla_handlers) {
        PyObject *capsule = PyCapsule_New(reinterpret_cast<void *>(handler.function), nullptr, nullptr);
        if (put(handlers, PyUnicode_FromString(handler.name), capsule) < 0) {
            Py_DECREF(handlers);
            return -1;
        }
    }
    const int failed = PyModule_AddObjectRef(module, "xla_handlers", handlers);
    Py_DECREF(handlers);
    return failed;
}

// --- the module ---------------------------------------------------------------------------

PyMethodDef METHODS[] = {
    {"solve", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(solve)), METH_FASTCALL,
     "solve(target, r1, r2, side, pole, unreachable, out, most) -> joint, or None where it is not simple"},
    {"reach", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(reach)), METH_FASTCALL,
     "reach(target, r1, r2, side, pole, unreachable, most) -> (joint, end, status), or None where it is not simple"},
    {"scalar", scalar, METH_VARARGS, "scalar(function, module, names, name, doc) -> the function, compiled"},
    {"program", make_program, METH_VARARGS, "program(code, constants, values, policy, steps) -> a program to run"},
    {"run_program", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(run_program)), METH_FASTCALL,
     "run_program(program, inputs, outputs, carried): run it for all rows of all frames"},
    {"instruction_set", instruction_set, METH_NOARGS, "instruction_set() -> the one in use"},
    {"instruction_sets", instruction_sets, METH_NOARGS, "instruction_sets() -> those that run here"},
    {"use_instruction_set", use_instruction_set, METH_O, "use_instruction_set(name)"},
    {nullptr, nullptr, 0, nullptr},
};

int execute(PyObject *module) {
    if (PyArray_ImportNumPyAPI() < 0 || PyUFunc_ImportUFuncAPI() < 0) return -1;
    for (int i = 0; i < COUNT; i++)
        if (runs_here(i)) chosen = ALL[i];
    if (PyModule_AddIntConstant(module, "MOST_STEPS", twobone::MOST_STEPS) < 0) return -1;
    for (const auto add : {add_solvers, add_slopes, add_pulls, add_pushes, add_half_angles, add_poses, add_xla_handlers,
                           twobone::add_crowd})
        if (add(module) < 0) return -1;
    return 0;
}

PyModuleDef_Slot SLOTS[] = {
    {Py_mod_exec, reinterpret_cast<void *>(execute)},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030D0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},  // after the import, only the atomic `chosen` is written
#endif
    {0, nullptr},
};

PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "_kernel", "The compiled kernel of twobone.", 0, METHODS, SLOTS, nullptr, nullptr, nullptr,
};

}  // namespace

const twobone::Loops &twobone::loops_in_use() { return *chosen.load(std::memory_order_relaxed); }

PyMODINIT_FUNC PyInit__kernel() { return PyModuleDef_Init(&MODULE); }
