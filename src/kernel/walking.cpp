// Parts of the step of walkers: the same operations as in src/twobone/creature, in the same order, so the bits are the
// same. There, NumPy's call overhead dominates the cost of one walker. Points are x, z, y; places seen from above are
// complex numbers. There are N walkers with L legs each.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <initializer_list>
#include <limits>

#include <numpy/arrayobject.h>

#include "walking.hpp"

namespace {

using std::sqrt;

// --- arguments and results ----------------------------------------------------------------

constexpr int MOST = 48;  // arguments of a call, and arrays that it makes
constexpr int MOST_SCRATCH = 5;

// Clear the flags of what was computed, of which NumPy may warn. To look at them is much faster.
inline void clear_flags() {
    if (std::fetestexcept(FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID)) std::feclearexcept(FE_ALL_EXCEPT);
}

// The arguments of a call, one after the other, and the arrays that it returns. Records of the state are given as they
// are: a NamedTuple between `open` and `close` is read field by field.
class Call {
  public:
    Call(PyObject *const *args, Py_ssize_t count) : args(args), count(count) {}
    Call(const Call &) = delete;
    ~Call() {
        for (int i = 0; i < converted_count; i++) Py_DECREF(converted[i]);
        for (int i = 0; i < made_count; i++) Py_DECREF(made[i]);
        for (int i = 0; i < scratch_count; i++) PyMem_RawFree(scratches[i]);
    }

    bool right() const { return !wrong; }

    // Refuse the arguments if a condition does not hold.
    void require(bool holds) {
        if (!holds) fail();
    }

    // The length of the first axis of the next argument, or of a later axis.
    npy_intp length(int axis = 0) {
        if (axes() <= axis) return fail(), 0;
        return PyArray_DIM(reinterpret_cast<PyArrayObject *>(args[next]), axis);
    }

    // The number of axes of the next argument.
    int axes() {
        if (wrong || next >= count || !PyArray_Check(args[next])) return fail(), 0;
        return PyArray_NDIM(reinterpret_cast<PyArrayObject *>(args[next]));
    }

    // The number of elements of the next argument.
    npy_intp size() {
        if (wrong || next >= count || !PyArray_Check(args[next])) return fail(), 0;
        return PyArray_SIZE(reinterpret_cast<PyArrayObject *>(args[next]));
    }

    double number() {
        if (wrong || next >= count) return fail(), 0.0;
        const double value = PyFloat_AsDouble(args[next++]);
        if (PyErr_Occurred()) wrong = true;
        return value;
    }

    PyObject *object() {
        if (wrong || next >= count) return fail(), nullptr;
        return args[next++];
    }

    bool is_any_left() const { return !wrong && next < count; }
    bool is_none() const { return next < count && args[next] == Py_None; }
    void skip() { next++; }

    // From here on read the fields of the next argument, a tuple; after `close`, the arguments that follow it.
    void open() {
        if (wrong || next >= count || !PyTuple_Check(args[next])) return fail();
        PyObject *const record = args[next];
        outer = args;
        outer_count = count;
        outer_next = next + 1;
        args = PySequence_Fast_ITEMS(record);
        count = PyTuple_GET_SIZE(record);
        next = 0;
    }
    void close() {
        if (wrong) return;
        require(next == count);
        args = outer;
        count = outer_count;
        next = outer_next;
    }

    // Read the class of the record that `result` returns.
    void read_kind() {
        kind = reinterpret_cast<PyTypeObject *>(object());
        require(right() && PyType_Check(kind) && PyType_IsSubtype(kind, &PyTuple_Type));
    }

    const double *numbers(npy_intp size) { return static_cast<const double *>(data(NPY_DOUBLE, size)); }
    const double *places(npy_intp size) { return static_cast<const double *>(data(NPY_CDOUBLE, size)); }
    const npy_bool *flags(npy_intp size) { return static_cast<const npy_bool *>(data(NPY_BOOL, size)); }
    const npy_intp *indices(npy_intp size) { return static_cast<const npy_intp *>(data(NPY_INTP, size)); }

    // An array that is changed in place.
    double *changed(npy_intp size) { return static_cast<double *>(writable(NPY_DOUBLE, size)); }
    double *changed_places(npy_intp size) { return static_cast<double *>(writable(NPY_CDOUBLE, size)); }
    npy_bool *changed_flags(npy_intp size) { return static_cast<npy_bool *>(writable(NPY_BOOL, size)); }

    // New arrays; `result` returns all of them, in the order in which they were made.
    double *make(std::initializer_list<npy_intp> shape) { return static_cast<double *>(make(NPY_DOUBLE, shape)); }
    void *make(int type, std::initializer_list<npy_intp> shape) {
        if (wrong) return nullptr;
        PyObject *array =
            PyArray_SimpleNew(static_cast<int>(shape.size()), const_cast<npy_intp *>(shape.begin()), type);
        if (!array) return wrong = true, nullptr;
        made[made_count++] = array;
        return PyArray_DATA(reinterpret_cast<PyArrayObject *>(array));
    }

    // A new array of numbers with the shape of the next argument, which has so many elements.
    double *make_like(npy_intp elements, int type = NPY_DOUBLE) {
        if (size() != elements || wrong) return fail(), nullptr;
        auto *like = reinterpret_cast<PyArrayObject *>(args[next]);
        PyObject *array = PyArray_SimpleNew(PyArray_NDIM(like), PyArray_DIMS(like), type);
        if (!array) return fail(), nullptr;
        made[made_count++] = array;
        return static_cast<double *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(array)));
    }

    // The next argument, an array that is also a result.
    const double *passed(npy_intp size) {
        keep_as_result();
        return numbers(size);
    }
    const double *passed_places(npy_intp size) {
        keep_as_result();
        return places(size);
    }

    // Make a copy of the next argument, an array.
    void copy() {
        if (wrong || next >= count || made_count >= MOST || !PyArray_Check(args[next])) return fail();
        PyObject *array = PyArray_NewCopy(reinterpret_cast<PyArrayObject *>(args[next++]), NPY_CORDER);
        if (!array) return fail();
        made[made_count++] = array;
    }

    // Numbers for the time of the call.
    double *scratch(npy_intp size) {
        if (wrong) return nullptr;
        void *const memory = PyMem_RawMalloc(size * sizeof(double));
        if (!memory) return PyErr_NoMemory(), fail(), nullptr;
        return static_cast<double *>(scratches[scratch_count++] = memory);
    }

    // All results as a record if its class was read, otherwise as a tuple, one as it is, or None if there is none.
    PyObject *result(bool any = true) {
        clear_flags();
        if (wrong || next != count) {
            if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "not the arguments of this function");
            return nullptr;
        }
        if (made_count == 0 || !any) Py_RETURN_NONE;
        if (made_count == 1 && !kind) return Py_NewRef(made[0]);
        PyObject *all = kind ? kind->tp_alloc(kind, made_count) : PyTuple_New(made_count);
        for (int i = 0; all && i < made_count; i++) PyTuple_SET_ITEM(all, i, Py_NewRef(made[i]));
        return all;
    }

  private:
    PyObject *const *args, *const *outer = nullptr;  // `outer`: the arguments while a record is read
    Py_ssize_t count, outer_count = 0;
    Py_ssize_t next = 0, outer_next = 0;
    PyTypeObject *kind = nullptr;
    PyObject *converted[MOST], *made[MOST];
    void *scratches[MOST_SCRATCH];
    int converted_count = 0, made_count = 0, scratch_count = 0;
    bool wrong = false;

    void fail() { wrong = true; }

    void keep_as_result() {
        if (wrong || next >= count) return fail();
        made[made_count++] = Py_NewRef(args[next]);
    }

    // Keep an array until the call ends; return its data.
    void *keep(PyObject *array) {
        converted[converted_count++] = array;
        return PyArray_DATA(reinterpret_cast<PyArrayObject *>(array));
    }

    const void *data(int type, npy_intp size) {
        if (wrong || next >= count || converted_count >= MOST) return fail(), nullptr;
        PyObject *object = args[next++];
        auto *array = reinterpret_cast<PyArrayObject *>(object);
        if (!PyArray_CheckExact(object) || PyArray_TYPE(array) != type || !PyArray_ISCARRAY_RO(array)) {
            object = PyArray_FROM_OTF(object, type, NPY_ARRAY_CARRAY_RO);
            if (!object) return fail(), nullptr;
            keep(object);
            array = reinterpret_cast<PyArrayObject *>(object);
        }
        if (PyArray_SIZE(array) != size) return fail(), nullptr;
        return PyArray_DATA(array);
    }

    void *writable(int type, npy_intp size) {
        if (wrong || next >= count) return fail(), nullptr;
        PyObject *object = args[next++];
        auto *array = reinterpret_cast<PyArrayObject *>(object);
        if (!PyArray_CheckExact(object) || PyArray_TYPE(array) != type || !PyArray_ISCARRAY(array) ||
            PyArray_SIZE(array) != size)
            return fail(), nullptr;
        return PyArray_DATA(array);
    }
};

// --- arithmetic ---------------------------------------------------------------------------

// The larger and the smaller number; NaN if one of them is, as in NumPy.
inline double maximum(double a, double b) { return a >= b || a != a ? a : b; }
inline double minimum(double a, double b) { return a <= b || a != a ? a : b; }
inline double between(double v, double least, double greatest) { return minimum(maximum(v, least), greatest); }
inline double dot(const double *u, const double *v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }
inline double length_of(double x, double z) { return sqrt(x * x + z * z); }

// A mirrored cross product; see `footing.cross`.
inline void cross(const double *u, const double *v, double *out) {
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

// The product of two places, as complex numbers.
inline void times_place(const double *a, const double *b, double *out) {
    out[0] = a[0] * b[0] - a[1] * b[1];
    out[1] = a[0] * b[1] + a[1] * b[0];
}

// `row` times the matrix of three rows.
inline void times_axes(const double *row, const double *axes, double *out) {
    for (int j = 0; j < 3; j++) out[j] = row[0] * axes[j] + row[1] * axes[3 + j] + row[2] * axes[6 + j];
}

// Cosine and sine; see core/elementary.py.
struct Circle {
    double turn;
    const double *cosine, *sine;

    // Read `CIRCLE`: turns in a radian, and the coefficients of both.
    explicit Circle(Call &call) {
        call.open();
        turn = call.number();
        cosine = call.numbers(twobone::COSINE_TERMS);
        sine = call.numbers(twobone::COSINE_TERMS);
        call.close();
    }

    void cis(double angle, double *out) const {
        const double rest = rest_of(angle), square = rest * rest;
        out[0] = polynomial(cosine, square);
        out[1] = rest * polynomial(sine, square);
    }

    double cosine_of(double angle) const {
        const double rest = rest_of(angle);
        return polynomial(cosine, rest * rest);
    }

    double sine_of(double angle) const {
        const double rest = rest_of(angle);
        return rest * polynomial(sine, rest * rest);
    }

  private:
    // The turns beyond the nearest whole number of them.
    double rest_of(double angle) const {
        constexpr double whole = 4503599627370496.0;  // 2^52: numbers from there on are whole
        const double turns = angle * turn, far = std::fabs(turns), rounded = (far + whole) - whole;
        return turns - (far < whole ? (turns < 0.0 ? -rounded : rounded) : turns);
    }

    static double polynomial(const double *coefficients, double x) {
        double sum = coefficients[twobone::COSINE_TERMS - 1];
        for (int i = twobone::COSINE_TERMS - 2; i >= 0; i--) sum = sum * x + coefficients[i];
        return sum;
    }
};

// --- records (state.py, governor.py) ------------------------------------------------------

struct Feet {
    npy_intp bodies = 0, legs = 0, count = 0;
    const double *swing = nullptr, *progress = nullptr, *lift = nullptr, *soles = nullptr, *spread = nullptr,
                 *poles = nullptr;

    Feet() = default;
    explicit Feet(Call &call) {
        call.open();
        bodies = call.length();
        legs = call.length(1);
        count = bodies * legs;
        swing = call.numbers(12 * count);
        progress = call.numbers(count);
        lift = call.numbers(count);
        soles = call.numbers(6 * count);
        spread = call.numbers(count);
        poles = call.numbers(3 * count);
        call.close();
    }

    bool flies(npy_intp foot) const { return progress[foot] < 1.0; }
};

struct Course {
    npy_intp bodies;
    const double *place, *heading, *facing, *motion;

    explicit Course(Call &call) {
        call.open();
        bodies = call.length();
        place = call.places(bodies);
        heading = call.numbers(bodies);
        facing = call.places(bodies);
        motion = call.numbers(3 * bodies);
        call.close();
    }
};

struct Cycle {
    npy_intp bodies;
    const double *phase, *duty_factor, *hurry, *rate, *least, *swing_rate;

    explicit Cycle(Call &call) {
        call.open();
        bodies = call.length();
        for (const double **each : {&phase, &duty_factor, &hurry, &rate, &least, &swing_rate})
            *each = call.numbers(bodies);
        call.close();
    }
};

struct Limits {
    const double *goal, *bend, *rise, *floor, *ceiling, *reach, *strain;

    Limits(Call &call, npy_intp n) {
        call.open();
        goal = call.numbers(3 * n);
        bend = call.numbers(2 * n);
        for (const double **each : {&rise, &floor, &ceiling, &reach, &strain}) *each = call.numbers(n);
        call.close();
    }
};

struct Slack {
    npy_intp bodies, legs_each, count;
    const double *legs, *knees, *belly, *least;

    explicit Slack(Call &call) {
        call.open();
        bodies = call.length();
        legs_each = call.length(1);
        count = bodies * legs_each;
        legs = call.numbers(count);
        knees = call.numbers(count);
        belly = call.numbers(bodies);
        least = call.numbers(count);
        call.close();
    }
};

// Whether indices are of some of so many feet.
bool are_below(const npy_intp *feet, npy_intp count, npy_intp all) {
    return std::all_of(feet, feet + count, [&](npy_intp foot) { return foot >= 0 && foot < all; });
}

// --- ground -------------------------------------------------------------------------------

constexpr double FAR = std::numeric_limits<double>::infinity();

// Read waves: their directions, phases, height, and the coefficients of the cosine.
twobone::Waves waves_of(Call &call) {
    twobone::Waves waves{};
    const npy_intp waves_count = call.length(1);
    waves.along = call.numbers(2 * waves_count);
    waves.phase = call.numbers(waves_count);
    waves.high = call.number();
    waves.coefficients = call.numbers(twobone::COSINE_TERMS);
    call.require(waves_count > 0 && waves_count <= twobone::MOST_WAVES);
    if (call.right()) waves.count = static_cast<int>(waves_count);
    return waves;
}

// The ground as `Terrain.for_kernel` gives it: a height, the waves of rough ground, or a function of x and z.
class Ground {
  public:
    explicit Ground(Call &call)
        : given(call.object()), is_waves(given && PyTuple_Check(given)),
          parts(is_waves ? PySequence_Fast_ITEMS(given) : nullptr, is_waves ? PyTuple_GET_SIZE(given) : 0) {
        if (is_waves) {
            waves = waves_of(parts);
            call.require(parts.right());
        } else if (given && PyFloat_Check(given)) {
            level = PyFloat_AS_DOUBLE(given);
        } else {
            is_function = true;
        }
    }

    // Whether heights do not depend on x and z.
    bool is_level() const { return !is_waves && !is_function; }

    // For how many rows of points `measure` is called at once: few remain in the cache, but each call of a function
    // costs as much as many points.
    npy_intp rows_at_once() const { return is_function ? 128 : 16; }

    // Find the heights of the first `near` of some points, and the greatest depth of each of the rows of points that
    // follow: each plus what it is lower, if `low` is given, and divided by its scale if there is one. All rows have the
    // same `low`, and `rows_for_scale` rows the same scale. Returns false with an error set if the function raises.
    bool measure(const double *x, const double *z, const double *y, npy_intp near, npy_intp rows, npy_intp size,
                 const double *low, const double *scale, npy_intp rows_for_scale, double *heights,
                 double *depths) const {
        if (is_function && !ask(x, z, near + rows * size, heights)) return false;
        if (is_waves) twobone::loops_in_use().wave_heights(waves, x, z, near, heights);
        if (is_level()) std::fill_n(heights, near, level);
        for (npy_intp row = 0; row < rows; row++) {
            const npy_intp at = near + row * size;
            const double *const over = scale ? scale + row / rows_for_scale * size : nullptr;
            if (is_waves) {
                depths[row] = twobone::loops_in_use().greatest_depth(waves, x + at, z + at, y + at, low, over, size);
                continue;
            }
            double most = -FAR;
            for (npy_intp i = 0; i < size; i++) {
                const double high = (is_function ? heights[at + i] : level) - y[at + i],
                             depth = low ? high + low[i] : high;
                most = maximum(most, over ? depth / over[i] : depth);
            }
            depths[row] = most;
        }
        return true;
    }

  private:
    PyObject *const given;
    const bool is_waves;
    Call parts;
    bool is_function = false;
    double level = 0.0;
    twobone::Waves waves{};

    bool ask(const double *x, const double *z, npy_intp count, double *heights) const {
        PyObject *places[2] = {PyArray_SimpleNew(1, &count, NPY_DOUBLE), PyArray_SimpleNew(1, &count, NPY_DOUBLE)};
        PyObject *answer = nullptr, *found = nullptr;
        if (places[0] && places[1]) {
            for (int i = 0; i < 2; i++)
                std::copy_n(i ? z : x, count,
                            static_cast<double *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(places[i]))));
            answer = PyObject_CallFunctionObjArgs(given, places[0], places[1], nullptr);
        }
        if (answer) found = PyArray_FROM_OTF(answer, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
        if (found && PyArray_SIZE(reinterpret_cast<PyArrayObject *>(found)) != count) {
            PyErr_Format(PyExc_ValueError, "not a height for each place");
            Py_CLEAR(found);
        }
        if (found)
            std::copy_n(static_cast<double *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(found))), count, heights);
        for (PyObject *each : {places[0], places[1], answer}) Py_XDECREF(each);
        Py_XDECREF(found);
        return found != nullptr;
    }
};

// --- poses of bodies (posture.py) ---------------------------------------------------------

void axes_of(const double *plane, const double *turned, double *axes) {
    double up[3] = {plane[0], plane[1], 1.0};
    const double size = sqrt(dot(up, up));
    for (double &part : up) part = part / size;
    const double both[3] = {up[0], up[1], up[2] + 1.0};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) axes[3 * i + j] = (i == j ? 1.0 : 0.0) - both[i] * (both[j] / both[2]);
    for (int j = 0; j < 3; j++) axes[6 + j] = up[j];
    for (int i = 0; i < 3; i++) {
        const double x = axes[3 * i], z = axes[3 * i + 1];
        axes[3 * i] = x * turned[0] - z * turned[1];
        axes[3 * i + 1] = x * turned[1] + z * turned[0];
    }
}

// The heights of points of a trunk that is bent by 1 in each of two ways; none if it is stiff.
struct Shapes {
    const double *shapes = nullptr;
    const npy_intp count;

    // Read shapes, or None.
    Shapes(Call &call, npy_intp count) : count(count) {
        if (call.is_none()) call.skip();
        else shapes = call.numbers(2 * count);
    }

    explicit operator bool() const { return shapes != nullptr; }

    double bent(const double *bend, npy_intp point) const {
        return bend[0] * shapes[point] + bend[1] * shapes[count + point];
    }
};

// The legs of animals in the body's space, and how bodies are bent.
struct Legs {
    const npy_intp count;
    const double *const hips;
    const Shapes trunk;
    const double *const bend, *const poles;

    // Read hips, their shapes (or None), bend and poles.
    Legs(Call &call, npy_intp n)
        : count(call.length()), hips(call.numbers(3 * count)), trunk(call, count), bend(call.numbers(2 * n)),
          poles(call.numbers(3 * n * count)) {}
};

// Arrays of poses, to be filled.
struct PosesOfBodies {
    double *body, *axes, *hips, *poles, *bend;

    PosesOfBodies(Call &call, npy_intp n, npy_intp legs)
        : body(call.make({n, 3})), axes(call.make({n, 3, 3})), hips(call.make({n, legs, 3})),
          poles(call.make({n, legs, 3})), bend(call.make({n, 2})) {}

    void fill(npy_intp i, const double *plane, const double *at, const double *turned, double height,
              const Legs &legs) const {
        double *const own = axes + 9 * i, *const middle = body + 3 * i;
        axes_of(plane, turned, own);
        middle[0] = at[0];
        middle[1] = at[1];
        middle[2] = plane[2] + height;
        std::copy_n(legs.bend + 2 * i, 2, bend + 2 * i);
        for (npy_intp leg = 0; leg < legs.count; leg++) {
            const npy_intp row = i * legs.count + leg;
            double hip[3], out[3];
            for (int j = 0; j < 3; j++) hip[j] = legs.hips[3 * leg + j];
            if (legs.trunk) hip[2] = hip[2] + legs.trunk.bent(legs.bend + 2 * i, leg);
            times_axes(hip, own, out);
            for (int j = 0; j < 3; j++) hips[3 * row + j] = middle[j] + out[j];
            times_axes(legs.poles + 3 * row, own, poles + 3 * row);
        }
    }
};

// pose(Pose, plane, at, turned, height, hips, their shapes or None, bend, poles) -> Pose
PyObject *pose(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    const npy_intp n = call.length();
    const double *plane = call.numbers(3 * n), *at = call.places(n), *turned = call.places(n);
    const double height = call.number();
    const Legs legs(call, n);
    const PosesOfBodies made(call, n, legs.count);
    if (call.right())
        for (npy_intp i = 0; i < n; i++) made.fill(i, plane + 3 * i, at + 2 * i, turned + 2 * i, height, legs);
    return call.result();
}

// pose_ahead(motion, place, facing, seconds, plane, plane_rate, bounce, sway, sway_rate, swings, goal, fade,
//     follow, height, hips, their shapes or None, bend, poles, circle)
//     -> place, turned, body, axes, hips, poles, bend
// If `follow` is 0, the plane stays as it is.
PyObject *pose_ahead(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length();
    const double *motion = call.numbers(3 * n), *place = call.places(n), *facing = call.places(n);
    const double *seconds = call.numbers(n);
    const double *plane = call.numbers(3 * n), *plane_rate = call.numbers(3 * n), *bounce = call.numbers(3 * n);
    const double *sway = call.places(n), *sway_rate = call.places(n), *swings = call.numbers(n);
    const double *goal = call.numbers(3 * n), *fade = call.numbers(n);
    const double follow = call.number(), height = call.number();
    const Legs legs(call, n);
    const Circle circle(call);
    auto *there = static_cast<double *>(call.make(NPY_CDOUBLE, {n}));
    auto *turned = static_cast<double *>(call.make(NPY_CDOUBLE, {n}));
    const PosesOfBodies made(call, n, legs.count);
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        const double time = seconds[i], *const velocity = motion + 3 * i, *const aim = goal + 3 * i;
        const double moved[2] = {time * velocity[0], time * velocity[1]};
        const double turn = time * velocity[2];
        double half[2], whole[2], way[2], faced[2], swung[2], own[3];
        circle.cis(-0.5 * turn, half);
        circle.cis(-turn, whole);
        times_place(moved, facing + 2 * i, faced);
        times_place(faced, half, way);
        for (int j = 0; j < 2; j++) there[2 * i + j] = place[2 * i + j] + way[j];
        times_place(facing + 2 * i, whole, turned + 2 * i);
        const double later = time * fade[i];
        for (int j = 0; j < 3; j++) {
            own[j] = plane[3 * i + j];
            if (follow == 0.0) continue;
            own[j] = (fade[i] + follow * later) * (own[j] - aim[j]) + later * plane_rate[3 * i + j] + aim[j];
        }
        if (follow != 0.0) own[2] = own[2] - time * (aim[0] * velocity[0] + aim[1] * velocity[1]);
        for (int j = 0; j < 3; j++) own[j] = own[j] + bounce[3 * i + j];
        double swayed[2], over[2];
        for (int j = 0; j < 2; j++) swayed[j] = sway[2 * i + j] + swings[i] * sway_rate[2 * i + j];
        times_place(swayed, turned + 2 * i, swung);
        for (int j = 0; j < 2; j++) over[j] = there[2 * i + j] + swung[j];
        made.fill(i, own, over, turned + 2 * i, height, legs);
    }
    return call.result();
}

// --- slacks (governor.py) -----------------------------------------------------------------

twobone::Column column(const double *data, npy_intp step, npy_intp part) {
    return {reinterpret_cast<char *>(const_cast<double *>(data)), step * npy_intp(sizeof(double)),
            part * npy_intp(sizeof(double))};
}

void solve_knees(const double *targets, const double *r1, const double *r2, const double *poles, npy_intp count,
                 double *joints) {
    static const double one = 1.0;
    twobone::Limbs limbs{};
    limbs.count = count;
    limbs.policy = twobone::clamp;
    limbs.target = column(targets, 3, 1);
    limbs.r1 = column(r1, 1, 0);
    limbs.r2 = column(r2, 1, 0);
    limbs.side = column(&one, 0, 0);
    limbs.pole = column(poles, 3, 1);
    limbs.joint = column(joints, 3, 1);
    twobone::loops_in_use().space[1](limbs);
}

// slack(Slack, ground, pose, feet, bones, reach, straight, min_reach, keel, its shapes or None, shins, how many brake,
//       spare, between, hips in the body, its half sizes or None, inside, flies or None) -> Slack
PyObject *slack(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    const Ground ground(call);
    call.open();
    const npy_intp n = call.length();
    const double *body = call.numbers(3 * n), *axes = call.numbers(9 * n);
    const npy_intp legs = call.length(1);
    const double *hips = call.numbers(3 * n * legs), *poles = call.numbers(3 * n * legs), *bend = call.numbers(2 * n);
    call.close();
    const double *feet = call.numbers(3 * n * legs), *bones = call.numbers(2 * legs);
    const double *reach = call.numbers(legs), straight = call.number(), *min_reach = call.numbers(legs);
    const npy_intp points = call.length(1);
    const double *keel = call.numbers(3 * points);
    const Shapes trunk(call, points);
    const npy_intp parts = call.length();
    const double *shins = call.numbers(parts);
    const auto braking = npy_intp(call.number());
    const double spare = call.number(), between = call.number();
    const double *own_hips = call.numbers(3 * legs), *half = nullptr;
    if (call.is_none()) call.skip();
    else half = call.numbers(3);
    const double inside = call.number();
    const npy_bool *flies = nullptr;
    if (call.is_none()) call.skip();
    else flies = call.flags(n * legs);
    double *left = call.make({n, legs}), *knees = call.make({n, legs}), *belly = call.make({n});
    double *least = call.make({n, legs});
    // Of each body, the knees and points of the shins; then the feet in the air; then the keels.
    const npy_intp block = std::min(n, ground.rows_at_once()), knee_points = (1 + parts) * legs;
    const npy_intp most = block * (knee_points + legs + points);
    double *const to_feet = call.scratch(3 * block * legs), *const thighs = call.scratch(3 * block * legs);
    double *const room = call.scratch(4 * most + block), *const r1 = call.scratch(2 * block * legs);
    double *const bent = trunk ? call.scratch(3 * points) : nullptr;
    if (!call.right()) return call.result();
    double *const x = room, *const z = x + most, *const y = z + most, *const under = y + most;
    double *const depths = under + most, *const r2 = r1 + block * legs, *const to[3] = {x, z, y};
    if (trunk) std::copy_n(keel, 2 * points, bent);
    for (npy_intp row = 0; row < block; row++) {
        std::copy_n(bones, legs, r1 + row * legs);
        std::copy_n(bones + legs, legs, r2 + row * legs);
    }
    for (npy_intp first = 0; first < n; first += block) {
        const npy_intp rows = std::min(block, n - first);
        npy_intp near = rows * knee_points;
        for (npy_intp k = 0; k < rows * legs; k++) {
            const npy_intp leg = k % legs, at = first * legs + k;
            double *const way = to_feet + 3 * k;
            for (int j = 0; j < 3; j++) way[j] = feet[3 * at + j] - hips[3 * at + j];
            const double away = sqrt(dot(way, way));
            left[at] = minimum(straight * reach[leg] - away, away - min_reach[leg]);
            if (!flies || !flies[at]) continue;
            for (int j = 0; j < 3; j++) to[j][near] = feet[3 * at + j];
            near++;
        }
        solve_knees(to_feet, r1, r2, poles + 3 * first * legs, rows * legs, thighs);
        for (npy_intp row = 0; row < rows; row++) {
            const npy_intp i = first + row;
            const double *const hip = hips + 3 * i * legs, *const foot = feet + 3 * i * legs;
            const double *const thigh = thighs + 3 * row * legs;
            for (int j = 0; j < 3; j++) {
                double *const out = to[j] + row * knee_points;
                for (npy_intp leg = 0; leg < legs; leg++) {
                    const double knee = hip[3 * leg + j] + thigh[3 * leg + j], end = foot[3 * leg + j];
                    out[leg] = knee;
                    for (npy_intp k = 0; k < parts; k++) out[(1 + k) * legs + leg] = knee + shins[k] * (end - knee);
                }
            }
            for (npy_intp p = 0; trunk && p < points; p++)
                bent[2 * points + p] = keel[2 * points + p] + trunk.bent(bend + 2 * i, p);
            for (int j = ground.is_level() ? 2 : 0; j < 3; j++)
                twobone::loops_in_use().place(trunk ? bent : keel, points, axes + 9 * i + j, body[3 * i + j],
                                              to[j] + near + row * points);
        }
        call.require(ground.measure(x, z, y, near, rows, points, nullptr, nullptr, 1, under, depths));
        if (!call.right()) return call.result();
        npy_intp flying = rows * knee_points;
        for (npy_intp row = 0; row < rows; row++) {
            const npy_intp i = first + row;
            const double *const at = y + row * knee_points, *const below = under + row * knee_points;
            for (npy_intp leg = 0; leg < legs; leg++) {
                double high = at[leg] - below[leg], low = high - between;
                for (npy_intp k = 0; k < parts; k++) {
                    const npy_intp point = (1 + k) * legs + leg;
                    const double above = at[point] - below[point];
                    if (k < braking) high = minimum(high, above - spare);
                    low = minimum(low, above - between * (1.0 - shins[k]));
                }
                double smallest = minimum(left[i * legs + leg], high);
                if (flies) {
                    smallest = minimum(smallest, low);
                    if (half) {
                        const double *const thigh = thighs + 3 * (row * legs + leg), *const seen = axes + 9 * i;
                        double part[3];
                        for (int j = 0; j < 3; j++) {
                            part[j] = (dot(thigh, seen + 3 * j) + own_hips[3 * leg + j]) / half[j];
                            part[j] *= part[j];
                        }
                        smallest = minimum(smallest, inside * (sqrt(sqrt(dot(part, part))) - 1.0));
                    }
                    if (flies[i * legs + leg]) {
                        smallest = minimum(smallest, y[flying] - under[flying]);
                        flying++;
                    }
                }
                knees[i * legs + leg] = high;
                least[i * legs + leg] = smallest;
            }
            belly[i] = 0.0 - depths[row];
        }
    }
    return call.result();
}

// --- feet (gait.py, state.py, swinging.py) ------------------------------------------------

constexpr double WARP = 0.5;  // of gait.py

inline double warp(double progress) {
    const double t = between(progress, 0.0, 1.0);
    return t + WARP * t * (1.0 - t) * (1.0 - 2.0 * t);
}

inline double arch(double along) {
    double t = between(along, 0.0, 1.0);
    t = t * (1.0 - t);
    return 64.0 * t * t * t;
}

// The first `rows` of the new position, velocity and acceleration; `swing` and `out` must not overlap.
void glide(const double *swing, double fraction, const double *polynomials, int rows, double *out) {
    for (int i = 0; i < rows; i++) {
        double weights[4];
        for (int m = 0; m < 4; m++) {
            double weight = polynomials[5 * 12 + 4 * i + m];
            for (int power = 4; power >= 0; power--) weight = weight * fraction + polynomials[12 * power + 4 * i + m];
            weights[m] = weight;
        }
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = weights[0] * swing[j] + weights[1] * swing[3 + j] + weights[2] * swing[6 + j] +
                             weights[3] * swing[9 + j];
    }
}

// The position of a foot with the lift of its swing.
inline void point_of(const Feet &feet, npy_intp i, double *point) {
    for (int j = 0; j < 3; j++) point[j] = feet.swing[12 * i + j];
    point[2] += feet.lift[i] * arch(warp(feet.progress[i]));
}

// copied(class, record) -> a record of this class, with copies of the arrays
PyObject *copied(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    call.open();
    while (call.is_any_left()) call.copy();
    call.close();
    return call.result();
}

// foot_points(feet) -> points
PyObject *foot_points(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const Feet feet(call);
    double *points = call.make({feet.bodies, feet.legs, 3});
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < feet.count; i++) point_of(feet, i, points + 3 * i);
    return call.result();
}

// turn_knees(poles, feet, feet before, pose, poles, outward and reach of the animal, cosine, sine, whole, near): see
// `knees.turn_knees`
PyObject *turn_knees(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    double *poles = call.changed(call.size());
    const Feet feet(call), before(call);
    call.open();
    call.skip();  // the body
    const double *axes = call.numbers(9 * feet.bodies), *hips = call.numbers(3 * feet.count);
    const double *poles_then = call.numbers(3 * feet.count);
    call.skip();  // its bend
    call.close();
    const double *own = call.numbers(3 * feet.legs), *outward = call.numbers(3 * feet.legs);
    const double *reach = call.numbers(feet.legs);
    const double cosine = call.number(), sine = call.number(), whole = call.number(), near = call.number();
    call.require(call.right() && poles == feet.poles && before.count == feet.count);
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < feet.count; i++) {
        const double *const axis = axes + 9 * (i / feet.legs), *const hip = hips + 3 * i;
        const npy_intp leg = 3 * (i % feet.legs);
        double point[3], way[3], turned[3], goal[3], normal[3];
        for (int j = 0; j < 3; j++) poles[3 * i + j] = own[leg + j] + feet.spread[i] * outward[leg + j];
        point_of(before, i, point);
        for (int j = 0; j < 3; j++) way[j] = point[j] - hip[j];
        cross(poles_then + 3 * i, way, normal);
        point_of(feet, i, point);
        for (int j = 0; j < 3; j++) way[j] = point[j] - hip[j];
        times_axes(poles + 3 * i, axis, turned);
        cross(turned, way, goal);
        const double square = dot(way, way), most = reach[i % feet.legs];
        if (!(square <= most * most)) continue;
        const double bulk = dot(goal, goal), along = dot(normal, way) / square, full = dot(normal, normal);
        for (int j = 0; j < 3; j++) normal[j] = normal[j] - along * way[j];
        const double size = dot(normal, normal);
        const double left = whole * sqrt(full) / sqrt(maximum(size, 1e-300));
        const double least = left > cosine ? minimum(left, 1.0) : cosine;
        const bool is_far = size > 0.0 && !(dot(normal, goal) > least * sqrt(size * bulk));
        if (!is_far && !(bulk < near * (square * dot(poles + 3 * i, poles + 3 * i)))) continue;
        const double distance = sqrt(square);
        for (int j = 0; j < 3; j++) way[j] = way[j] / distance;
        if (is_far) {
            const double length = sqrt(size);
            double aside[3];
            for (int j = 0; j < 3; j++) normal[j] = normal[j] / length;
            cross(way, normal, aside);
            const double farthest = left > cosine ? sqrt(1.0 - least * least) : sine;
            const double part = dot(aside, goal) < 0.0 ? -farthest : farthest;
            for (int j = 0; j < 3; j++) goal[j] = least * normal[j] + part * aside[j];
        }
        cross(way, goal, turned);
        for (int j = 0; j < 3; j++) poles[3 * i + j] = dot(turned, axis + 3 * j);
    }
    return call.result();
}

// foot_points_after(feet, seconds, rate, polynomials) -> points
PyObject *foot_points_after(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const Feet feet(call);
    const double *seconds = call.numbers(feet.bodies), *rate = call.numbers(feet.bodies);
    const double *polynomials = call.numbers(72);
    double *points = call.make({feet.bodies, feet.legs, 3});
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < feet.count; i++) {
        const double *const swing = feet.swing + 12 * i, progress = feet.progress[i];
        double *const point = points + 3 * i;
        if (feet.flies(i)) {
            const double now = warp(progress), after = warp(progress + seconds[i / feet.legs] * rate[i / feet.legs]);
            glide(swing, (after - now) / (1.0 - now), polynomials, 1, point);
            point[2] += feet.lift[i] * arch(after);
        } else {
            for (int j = 0; j < 3; j++) point[j] = swing[j];
        }
    }
    return call.result();
}

// How much of the remaining rotation of its sole a foot makes.
inline double turned(double now, double then) {
    const double left = (1.0 - now) * (1.0 - now) * (1.0 + 2.0 * now);
    return 1.0 - ((1.0 - then) * (1.0 - then) * (1.0 + 2.0 * then)) / left;
}

// fly(swing, progress, soles, cycle, heading, dt, early, polynomials): the first three are changed in place.
PyObject *fly(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length(), legs = call.length(1), feet = n * legs;
    double *swing = call.changed(12 * feet), *progress = call.changed(feet), *soles = call.changed(6 * feet);
    const Cycle cycle(call);
    call.require(cycle.bodies == n);
    const double *heading = call.numbers(n);
    const double dt = call.number(), early = call.number(), *polynomials = call.numbers(72);
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < feet; i++) {
        if (!(progress[i] < 1.0)) continue;
        double *const own = swing + 12 * i, *const sole = soles + 6 * i, moved[9];
        const double by = dt * cycle.rate[i / legs] / (early * (1.0 - cycle.duty_factor[i / legs]));
        sole[5] = heading[i / legs];
        if (by >= 1.0 - progress[i]) {  // it lands
            for (int j = 0; j < 3; j++) own[j] = own[9 + j];
            for (int j = 3; j < 9; j++) own[j] = 0.0;
            for (int j = 0; j < 3; j++) sole[j] = sole[3 + j];
            progress[i] = 1.0;
            continue;
        }
        const double now = warp(progress[i]);
        progress[i] += by;
        const double then = warp(progress[i]), turn = turned(now, then);
        glide(own, (then - now) / (1.0 - now), polynomials, 3, moved);
        for (int j = 0; j < 9; j++) own[j] = moved[j];
        for (int j = 0; j < 3; j++) sole[j] += turn * (sole[3 + j] - sole[j]);
    }
    return call.result();
}

// feet_ahead(Ahead, feet, progress, cycle, course, hip_places, footholds, early, circle) -> Ahead; see
// `swinging.look_ahead`
PyObject *feet_ahead(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    const npy_intp m = call.length();
    const npy_intp *feet = call.indices(m);
    const npy_intp n = call.length(), legs = call.length(1);
    const double *progress = call.numbers(n * legs);
    const Cycle cycle(call);
    const Course course(call);
    call.require(cycle.bodies == n && course.bodies == n);
    const double *hip_places = call.places(legs), *footholds = call.places(legs);
    const double early = call.number();
    const Circle circle(call);
    call.require(call.right() && are_below(feet, m, n * legs));
    double *found[3];
    for (double *&each : found) each = static_cast<double *>(call.make(NPY_CDOUBLE, {m}));
    if (!call.right()) return call.result();
    for (npy_intp k = 0; k < m; k++) {
        const npy_intp i = feet[k] / legs, leg = feet[k] % legs;
        const double *const velocity = course.motion + 3 * i, *const facing = course.facing + 2 * i;
        const double pace = maximum(cycle.rate[i], cycle.least[i]), rest = 0.5 * cycle.duty_factor[i] / pace;
        const double ahead = (1.0 - progress[feet[k]]) * (early * (1.0 - cycle.duty_factor[i])) / pace + rest;
        double half[2], middle[2], there[2], way[2], moves[2], hip[2], foothold[2];
        circle.cis(-0.5 * velocity[2] * ahead, half);  // half the turn until then
        times_place(facing, half, middle);
        times_place(middle, half, there);
        times_place(middle, velocity, way);
        times_place(there, velocity, moves);
        times_place(there, hip_places + 2 * leg, hip);
        times_place(there, footholds + 2 * leg, foothold);
        for (int j = 0; j < 2; j++) {
            const double at = course.place[2 * i + j] + ahead * way[j];
            found[0][2 * k + j] = at + foothold[j];
            found[1][2 * k + j] = at + hip[j];
            found[2][2 * k + j] = (at + hip[j]) - rest * moves[j];
        }
    }
    return call.result();
}

// flies(progress) -> which feet are in swing
PyObject *flies(PyObject *, PyObject *array) {
    Call call(&array, 1);
    const npy_intp size = call.size();
    auto *in_swing = reinterpret_cast<npy_bool *>(call.make_like(size, NPY_BOOL));
    const double *progress = call.numbers(size);
    if (!call.right()) return call.result();
    for (npy_intp foot = 0; foot < size; foot++) in_swing[foot] = progress[foot] < 1.0;
    return call.result();
}

// aiming(progress, fixed, held, lock) -> indices of feet; see `swinging.aiming`
PyObject *aiming(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp all = call.size();
    const double *progress = call.numbers(all);
    const npy_bool *fixed = call.flags(all), *held = call.flags(all);
    const double lock = call.number();
    auto seeks = [&](npy_intp foot) { return (progress[foot] < lock && !fixed[foot]) || held[foot]; };
    npy_intp m = 0;
    for (npy_intp foot = 0; call.right() && foot < all; foot++) m += seeks(foot);
    auto *feet = static_cast<npy_intp *>(call.make(NPY_INTP, {m}));
    if (!call.right()) return call.result();
    for (npy_intp foot = 0; foot < all; foot++)
        if (seeks(foot)) *feet++ = foot;
    return call.result();
}

// --- ground to land on (footing.py) -------------------------------------------------------

// M legs in swing; see `footing.SwingLegs`.
struct SwingLegs {
    const double *swing, *progress, *lift, *max_lift, *now, *landing, *middle, *height, *max_reach, *min_reach;
};

// What is looked at under feet and on their paths.
struct Soles {
    static constexpr npy_intp AROUND = 4;  // points of the border of a foot
    const double *border, *glides, *rest;
    npy_intp along;
    double pad, uneven, steepest;

    // Read border, glides, rest, pad, uneven and steepest.
    explicit Soles(Call &call) {
        border = call.places(AROUND);
        along = call.length(1);
        glides = call.numbers(4 * along);
        rest = call.numbers(along);
        pad = call.number();
        uneven = call.number();
        steepest = call.number();
    }
};

// What C points of the ground are to each of M feet; see `footing.bears`.
void bear(Call &call, const Ground &ground, npy_intp m, npy_intp c, const double *points, const SwingLegs &legs,
          const Soles &soles, npy_bool *good, double *needed, double *leans) {
    constexpr npy_intp AROUND = Soles::AROUND;
    const npy_intp along = soles.along;
    // The borders of feet that stand on all points, then the paths to the points.
    const npy_intp block = std::min(m, std::max<npy_intp>(1, ground.rows_at_once() / std::max<npy_intp>(1, c)));
    const npy_intp all = block * c * (AROUND + along);
    double *const room = call.scratch(4 * all + block * along);
    if (!call.right()) return;
    double *const x = room, *const z = x + all, *const y = z + all, *const under = y + all, *const high = under + all;
    double *const to[3] = {x, z, y};
    for (npy_intp first = 0; first < m; first += block) {
        const npy_intp feet = std::min(block, m - first), near = feet * c * AROUND;
        for (npy_intp foot = 0; foot < feet; foot++) {
            const npy_intp i = first + foot;
            const double *const own = legs.swing + 12 * i, start = warp(legs.progress[i]);
            for (npy_intp r = 0; r < along; r++) high[foot * along + r] = arch(start + (1.0 - start) * soles.rest[r]);
            for (npy_intp k = 0; k < c; k++) {
                const double *const goal = points + 3 * (i * c + k);
                for (int j = 0; j < 3; j++) {
                    double *const around = to[j] + (foot * c + k) * AROUND;
                    double *const path = to[j] + near + (foot * c + k) * along;
                    for (npy_intp b = 0; b < AROUND; b++)
                        around[b] = j < 2 ? goal[j] + soles.border[2 * b + j] : goal[2];
                    twobone::loops_in_use().glide(soles.glides, along, own + j, goal[j], path);
                }
            }
        }
        call.require(ground.measure(x, z, y, near, feet * c, along, nullptr, high, c, under, needed + first * c));
        if (!call.right()) return;
        for (npy_intp foot = 0; foot < feet; foot++) {
            const npy_intp i = first + foot;
            const double closest = legs.min_reach[i] * legs.min_reach[i];
            for (npy_intp k = 0; k < c; k++) {
                const npy_intp at = i * c + k, path = near + (foot * c + k) * along;
                const double *const around = under + (foot * c + k) * AROUND, *const point = points + 3 * at;
                double highest = point[2], lowest = point[2];
                for (int b = 0; b < AROUND; b++) {
                    highest = maximum(highest, around[b]);
                    lowest = minimum(lowest, around[b]);
                }
                const double drop = legs.height[i] - point[2];
                const double away =
                    maximum(length_of(point[0] - legs.landing[2 * i], point[1] - legs.landing[2 * i + 1]),
                            length_of(point[0] - legs.middle[2 * i], point[1] - legs.middle[2 * i + 1]));
                const double raised = maximum(needed[at], legs.lift[i]), *const hip = legs.now + 3 * i;
                const double moves[3] = {legs.landing[2 * i] - hip[0], legs.landing[2 * i + 1] - hip[1],
                                         legs.height[i] - hip[2]};
                const bool free = !twobone::loops_in_use().comes_near(x + path, z + path, y + path, high + foot * along,
                                                                      raised, soles.rest, hip, moves, closest, along);
                good[at] = highest - lowest <= soles.uneven && length_of(away, drop) <= legs.max_reach[i] && free &&
                           needed[at] <= legs.max_lift[i];
                const double lean[2] = {-(around[0] - around[2]) / soles.pad, -(around[1] - around[3]) / soles.pad};
                const double over = maximum(length_of(lean[0], lean[1]) / soles.steepest, 1.0);
                for (int j = 0; j < 2; j++) leans[2 * at + j] = lean[j] / over;
            }
        }
    }
}

// bearing(Bearing, ground, points, swing, progress, lift, max_lift, now, landing, middle, height, max_reach, min_reach,
//     border, glides, rest, pad, uneven, steepest) -> Bearing; for each of M feet and C points
PyObject *bearing(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    const Ground ground(call);
    const npy_intp m = call.length(), c = call.length(1);
    const double *points = call.numbers(3 * m * c);
    SwingLegs legs{};
    legs.swing = call.numbers(12 * m);
    legs.progress = call.numbers(m);
    legs.lift = call.numbers(m);
    legs.max_lift = call.numbers(m);
    legs.now = call.numbers(3 * m);
    legs.landing = call.places(m);
    legs.middle = call.places(m);
    legs.height = call.numbers(m);
    legs.max_reach = call.numbers(m);
    legs.min_reach = call.numbers(m);
    const Soles soles(call);
    auto *good = static_cast<npy_bool *>(call.make(NPY_BOOL, {m, c}));
    double *needed = call.make({m, c}), *leans = static_cast<double *>(call.make(NPY_CDOUBLE, {m, c}));
    if (call.right()) bear(call, ground, m, c, points, legs, soles, good, needed, leans);
    return call.result();
}

// What feet seek: places, the expected heights of their hips and how far from these they may stand, and their legs.
struct Sought {
    double *places, *tops, *reach, *swing, *progress, *lift, *max_lift, *now, *height, *max_reach, *min_reach;
};

// Feet that seek ground; see `swinging._sought`.
struct Seekers {
    npy_intp count;
    const npy_intp *feet;
    const double *plain, *middle, *landing, *offsets;
    Feet all;
    const double *hips, *rise, *room, *used, *landing_reach, *min_reach;
    double highest, deepest;

    // Read indices of feet, a record `Ahead`, offsets, a record `Feet`, hips, rise, room, used, landing, min_reach, highest
    // and deepest.
    explicit Seekers(Call &call) {
        count = call.length();
        feet = call.indices(count);
        call.open();
        plain = call.places(count);
        middle = call.places(count);
        landing = call.places(count);
        call.close();
        const npy_intp size = call.size();
        offsets = call.places(size);
        all = Feet(call);
        hips = call.numbers(3 * all.count);
        rise = call.numbers(all.bodies);
        room = call.numbers(all.bodies);
        used = call.numbers(all.legs);
        landing_reach = call.numbers(all.legs);
        min_reach = call.numbers(all.legs);
        highest = call.number();
        deepest = call.number();
        call.require(call.right() && size == all.count && are_below(feet, count, size));
    }

    void fill(const Sought &out) const {
        for (npy_intp i = 0; i < count; i++) {
            const npy_intp foot = feet[i], leg = foot % all.legs, body = foot / all.legs;
            for (int j = 0; j < 2; j++) out.places[2 * i + j] = plain[2 * i + j] + offsets[2 * foot + j];
            for (int j = 0; j < 3; j++) out.now[3 * i + j] = hips[3 * foot + j];
            for (int j = 0; j < 12; j++) out.swing[12 * i + j] = all.swing[12 * foot + j];
            out.tops[i] = hips[3 * foot + 2] + rise[body];
            out.height[i] = out.tops[i] - between(room[body], 0.0, deepest);
            out.reach[i] = used[leg];
            out.progress[i] = all.progress[foot];
            out.lift[i] = all.lift[foot];
            out.max_lift[i] = all.progress[foot] == 0.0 ? highest : all.lift[foot];
            out.max_reach[i] = landing_reach[leg];
            out.min_reach[i] = min_reach[leg];
        }
    }
};

// aims(what `Seekers` reads) -> places, tops, reach, then of `SwingLegs`: swing, progress, lift, max_lift, hips now, height,
// max_reach, min_reach
PyObject *aims(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const Seekers seekers(call);
    const npy_intp m = seekers.count;
    Sought out{};
    out.places = static_cast<double *>(call.make(NPY_CDOUBLE, {m}));
    for (double **each : {&out.tops, &out.reach}) *each = call.make({m});
    out.swing = call.make({m, 4, 3});
    for (double **each : {&out.progress, &out.lift, &out.max_lift}) *each = call.make({m});
    out.now = call.make({m, 3});
    for (double **each : {&out.height, &out.max_reach, &out.min_reach}) *each = call.make({m});
    if (call.right()) seekers.fill(out);
    return call.result();
}

// Whether a point is farther from a hip than it may be.
inline bool is_beyond(const double *point, const double *hip, double top, double reach) {
    const double x = point[0] - hip[0], z = point[1] - hip[1], drop = top - point[2];
    return (x * x + z * z) + drop * drop > reach * reach;
}

// goals(Goals, ground, what `Seekers` and `Soles` read, farthest) -> Goals, or None if a foot would be out of reach; see
// `swinging._nominal_goals`
PyObject *goals(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    const Ground ground(call);
    const Seekers seekers(call);
    const Soles soles(call);
    const double farthest = call.number();
    const npy_intp m = seekers.count, block = std::min(m, ground.rows_at_once());
    double *points = call.make({m, 3});
    auto *good = static_cast<npy_bool *>(call.make(NPY_BOOL, {m}));
    double *lift = call.make({m}), *leans = static_cast<double *>(call.make(NPY_CDOUBLE, {m}));
    double *const room = call.scratch(25 * m), *const at = call.scratch(3 * block);
    if (!call.right()) return call.result();
    double *free = room;
    auto take = [&](npy_intp size) { return (free += size * m) - size * m; };
    Sought sought{};
    sought.places = take(2);
    sought.swing = take(12);
    sought.now = take(3);
    for (double **each : {&sought.tops, &sought.reach, &sought.progress, &sought.lift, &sought.max_lift, &sought.height,
                          &sought.max_reach, &sought.min_reach})
        *each = take(1);
    seekers.fill(sought);
    double *const x = at, *const z = x + block, *const y = z + block;
    for (npy_intp first = 0; first < m; first += block) {
        const npy_intp rows = std::min(block, m - first);
        for (npy_intp row = 0; row < rows; row++) {
            x[row] = sought.places[2 * (first + row)];
            z[row] = sought.places[2 * (first + row) + 1];
        }
        call.require(ground.measure(x, z, nullptr, rows, 0, 0, nullptr, nullptr, 1, y, nullptr));
        if (!call.right()) return call.result();
        for (npy_intp row = 0; row < rows; row++) {
            const npy_intp i = first + row;
            double *const point = points + 3 * i;
            point[0] = x[row];
            point[1] = z[row];
            point[2] = y[row];
            if (is_beyond(point, seekers.middle + 2 * i, sought.tops[i], sought.reach[i])) return call.result(false);
        }
    }
    const SwingLegs legs{sought.swing,    sought.progress, sought.lift,   sought.max_lift,  sought.now,
                         seekers.landing, seekers.middle,  sought.height, sought.max_reach, sought.min_reach};
    bear(call, ground, m, 1, points, legs, soles, good, lift, leans);
    for (npy_intp i = 0; i < m; i++) {  // see `footing.is_sudden`
        const double *const goal = sought.swing + 12 * i + 9, *const point = points + 3 * i,
                            progress = sought.progress[i];
        const bool is_sudden = length_of(point[0] - goal[0], point[1] - goal[1]) > farthest * (1.0 - progress);
        if (progress > 0.0 && is_sudden) good[i] = 0;
    }
    return call.result();
}

// --- carriage (carriage.py, footing.py) ---------------------------------------------------

// Fit a plane to feet, which are `step` numbers apart; see `footing.plane_through`.
void fit_plane(const double *feet, npy_intp step, npy_intp legs, const double *place, const double *turned,
               double stiff, double *plane) {
    double middle[3] = {feet[0], feet[1], feet[2]};
    for (npy_intp leg = 1; leg < legs; leg++)
        for (int j = 0; j < 3; j++) middle[j] += feet[step * leg + j];
    for (double &part : middle) part = part / double(legs);
    double sums[5] = {};
    for (npy_intp leg = 0; leg < legs; leg++) {
        const double *const foot = feet + step * leg;
        const double x = foot[0] - middle[0], z = foot[1] - middle[1], y = foot[2] - middle[2];
        const double products[5] = {x * x, z * z, x * z, x * y, y * z};
        for (int k = 0; k < 5; k++) sums[k] += products[k];  // from 0: only the sign of a sum of zeros differs
    }
    const double xx = sums[0] + stiff, zz = sums[1] + stiff, xz = sums[2], xy = sums[3], zy = sums[4];
    const double below = xx * zz - xz * xz;
    const double a = (xz * zy - zz * xy) / below, b = (xz * xy - xx * zy) / below;
    const double away[2] = {middle[0] - place[0], middle[1] - place[1]};
    const double u = turned[0], v = -turned[1];
    plane[0] = a * u - b * v;
    plane[1] = a * v + b * u;
    plane[2] = middle[2] + (a * away[0] + b * away[1]);
}

// headroom(feet, hips, reach, straight) -> how far hips may rise until a leg is straight; 0 for legs out of reach sideways
PyObject *headroom(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const Feet feet(call);
    const npy_intp n = feet.bodies, legs = feet.legs;
    const double *hips = call.numbers(3 * feet.count), *reach = call.numbers(legs), straight = call.number();
    double *least = call.make({n});
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        double found = FAR;
        for (npy_intp leg = 0; leg < legs; leg++) {
            const double *const hip = hips + 3 * (i * legs + leg);
            double point[3];
            point_of(feet, i * legs + leg, point);
            const double x = point[0] - hip[0], z = point[1] - hip[1], y = point[2] - hip[2], square = x * x + z * z;
            const double longest = straight * reach[leg];
            const double room = sqrt(maximum(longest * longest - square, 0.0)) + y;
            found = minimum(found, square < longest * longest ? room : 0.0);
        }
        least[i] = found;
    }
    return call.result();
}

// body_limits(Limits, goal, rise, feet, hips, landing, plane, reach, longest, shortest, fixed) -> Limits; `fixed` is
// changed in place
PyObject *body_limits(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    const npy_intp n = call.length();
    call.passed(3 * n);
    call.passed(2 * n);
    call.passed(n);
    const Feet feet(call);
    call.require(feet.bodies == n);
    const npy_intp legs = feet.legs;
    const double *hips = call.numbers(3 * feet.count);
    const double *landing = call.places(feet.count), *plane = call.numbers(3 * n);
    const double *reach = call.numbers(legs), *longest = call.numbers(legs), *shortest = call.numbers(legs);
    npy_bool *fixed = call.changed_flags(feet.count);
    double *floors = call.make({n}), *ceilings = call.make({n}), *extents = call.make({n}), *strains = call.make({n});
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        const double height = plane[3 * i + 2];
        double extent = -FAR, up = FAR, down = -FAR, strain = 0.0, landed = FAR;
        for (npy_intp leg = 0; leg < legs; leg++) {
            const npy_intp row = i * legs + leg;
            const double *const foot = feet.swing + 12 * row, *const hip = hips + 3 * row;
            const double way[3] = {foot[0] - hip[0], foot[1] - hip[1], foot[2] - hip[2]};
            const double long_square = longest[leg] * longest[leg], short_square = shortest[leg] * shortest[leg];
            const double apart = way[0] * way[0] + way[1] * way[1];
            extent = maximum(extent, sqrt(dot(way, way)) / reach[leg]);
            up = minimum(up, sqrt(maximum(long_square - apart, 0.0)) + way[2]);
            down = maximum(down, sqrt(maximum(short_square - apart, 0.0)) + way[2]);
            if (!feet.flies(row)) continue;
            const double *const goal = foot + 9;
            const double x = goal[0] - landing[2 * row], z = goal[1] - landing[2 * row + 1], below = hip[2] - goal[2];
            const double square = x * x + z * z, away = sqrt(square + below * below);
            strain = maximum(strain, away / reach[leg]);
            if (away > longest[leg]) fixed[row] = NPY_TRUE;
            landed = minimum(landed, height + (sqrt(maximum(long_square - square, 0.0)) - below));
        }
        floors[i] = height + down;
        ceilings[i] = minimum(height + up, landed);
        extents[i] = extent;
        strains[i] = strain;
    }
    return call.result();
}

// --- pace (pacing.py, swinging.py) --------------------------------------------------------

// limit_orders(asked, full, most, curved): `asked` is changed in place.
PyObject *limit_orders(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length();
    double *asked = call.changed(3 * n);
    const double full = call.number(), most = call.number(), curved = call.number();
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        double *const own = asked + 3 * i;
        own[2] = between(own[2], -most, most);
        const double speed = length_of(own[0], own[1]), part = own[2] / most;
        const double fast = full * (1.0 - curved * (part * part)), less = fast / maximum(speed, fast);
        for (int j = 0; j < 2; j++) own[j] = own[j] * less;
    }
    return call.result();
}

inline double pace(double reach, double slow_from, double slow_to) {
    return between((slow_to - reach) / (slow_to - slow_from), 0.0, 1.0);
}

// ease(Course, course, asked, limits, slow_from, slow_to, follow, most, gentle) -> Course; `gentle` times `most` is the
// largest change of what speeds up
PyObject *ease(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    call.open();
    const npy_intp n = call.length();
    call.passed_places(n);
    call.passed(n);
    call.passed_places(n);
    const double *motion = call.numbers(3 * n);
    call.close();
    const double *asked = call.numbers(3 * n);
    const Limits limits(call, n);
    const double slow_from = call.number(), slow_to = call.number(), follow = call.number();
    const double most = call.number(), gentle = call.number();
    double *eased = call.make({n, 3});
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        const double slow = pace(maximum(limits.reach[i], limits.strain[i]), slow_from, slow_to);
        const double *const own = motion + 3 * i;
        double change[3];
        for (int j = 0; j < 3; j++) change[j] = follow * (asked[3 * i + j] * slow - own[j]);
        const double limit = (change[0] * own[0] + change[1] * own[1] >= 0.0 ? gentle : 1.0) * most;
        const double less = limit / maximum(length_of(change[0], change[1]), limit);
        for (int j = 0; j < 3; j++) eased[3 * i + j] = own[j] + (j < 2 ? change[j] * less : change[j]);
    }
    return call.result();
}

// course_after(Course, course, dt, circle) -> Course; see `state.Course.after`
PyObject *course_after(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    call.open();
    const npy_intp n = call.length();
    auto *places = static_cast<double *>(call.make(NPY_CDOUBLE, {n})), *headings = call.make({n});
    auto *faces = static_cast<double *>(call.make(NPY_CDOUBLE, {n}));
    const double *place = call.places(n), *heading = call.numbers(n), *facing = call.places(n);
    const double *motion = call.passed(3 * n);
    call.close();
    const double dt = call.number();
    const Circle circle(call);
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        const double moved[2] = {dt * motion[3 * i], dt * motion[3 * i + 1]}, turn = dt * motion[3 * i + 2];
        double faced[2], half[2], way[2];
        times_place(moved, facing + 2 * i, faced);
        circle.cis(-0.5 * turn, half);
        times_place(faced, half, way);
        for (int j = 0; j < 2; j++) places[2 * i + j] = place[2 * i + j] + way[j];
        headings[i] = heading[i] + turn;
        circle.cis(-headings[i], faces + 2 * i);
    }
    return call.result();
}

// leg_phases(cycle, line) -> phases; see `gait.Gait.line`
PyObject *leg_phases(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const Cycle cycle(call);
    call.open();
    const npy_intp n = cycle.bodies, legs = call.length();
    const double *start = call.numbers(legs), *change = call.numbers(legs);
    const double slow = call.number(), fast = call.number();
    call.close();
    double *phases = call.make({n, legs});
    auto fraction = [](double v) {  // from 0 to 1
        const double rest = v - std::trunc(v);
        return rest < 0.0 ? rest + 1.0 : rest;
    };
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        const double d = cycle.duty_factor[i];
        const double along = slow == fast ? 1.0 - d : between((d - slow) / (fast - slow), 0.0, 1.0);
        for (npy_intp leg = 0; leg < legs; leg++)
            phases[i * legs + leg] = fraction(cycle.phase[i] - fraction(start[leg] + change[leg] * along));
    }
    return call.result();
}

// starting(phases, duty_factor, progress, steps, speed, still, early) -> which feet should start to swing
PyObject *starting(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length(), legs = call.length(1);
    const double *phases = call.numbers(n * legs), *duty_factor = call.numbers(n), *progress = call.numbers(n * legs);
    const npy_bool *steps = call.flags(n * legs);
    const double *speed = call.numbers(n), still = call.number(), early = call.number();
    auto *starts = static_cast<npy_bool *>(call.make(NPY_BOOL, {n, legs}));
    if (!call.right()) return call.result();
    for (npy_intp row = 0; row < n * legs; row++) {
        const npy_intp i = row / legs;
        const bool stands = !(progress[row] < 1.0), wanted = steps[row] || speed[i] > still;
        starts[row] = phases[row] < 0.5 * (early * (1.0 - duty_factor[i])) && stands && wanted;
    }
    return call.result();
}

// The maximum speed of a nominal foothold.
double speed_of_footholds(const double *motion, const double *footholds, npy_intp legs) {
    double most = 0.0;
    for (npy_intp leg = 0; leg < legs; leg++) {
        const double x = motion[0] + motion[2] * footholds[2 * leg + 1];
        const double z = motion[1] - motion[2] * footholds[2 * leg];
        most = maximum(most, length_of(x, z));
    }
    return most;
}

// foothold_speed(motion, footholds) -> the maximum speeds of nominal footholds
PyObject *foothold_speed(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length();
    const double *motion = call.numbers(3 * n);
    const npy_intp legs = call.length();
    const double *footholds = call.places(legs);
    double *speeds = call.make({n});
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) speeds[i] = speed_of_footholds(motion + 3 * i, footholds, legs);
    return call.result();
}

// stray(swing, nominal, place, facing, sought, sought_facing, footholds, far) -> distances of feet from their footholds,
// and whether `nominal` is farther than `far` from the footholds that are sought; see `swinging.stray`
PyObject *stray(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length(), legs = call.length(1);
    const double *swing = call.numbers(12 * n * legs), *nominal = call.places(n * legs);
    const double *place = call.places(n), *facing = call.places(n);
    const double *sought = call.places(n), *sought_facing = call.places(n), *footholds = call.places(legs);
    const double far = call.number();
    double *distances = call.make({n, legs});
    auto *steps = static_cast<npy_bool *>(call.make(NPY_BOOL, {n, legs}));
    if (!call.right()) return call.result();
    auto away = [&](const double *from, const double *at, const double *turned, const double *foothold) {
        double out[2];
        times_place(turned, foothold, out);
        return length_of(from[0] - (at[0] + out[0]), from[1] - (at[1] + out[1]));
    };
    for (npy_intp row = 0; row < n * legs; row++) {
        const npy_intp i = 2 * (row / legs), leg = 2 * (row % legs);
        distances[row] = away(swing + 12 * row, place + i, facing + i, footholds + leg);
        steps[row] = away(nominal + 2 * row, sought + i, sought_facing + i, footholds + leg) > far;
    }
    return call.result();
}

// advance_gait(Cycle, cycle, asked, footholds, speed, strayed, progress, limits, late, dt, full, restless, calmer,
//     calm_from, calm_to, nearly, stride, late_after, wait, slow_from, slow_to, follow, duty_slow, duty_fast, most, early)
//     -> Cycle; `late` is changed in place
PyObject *advance_gait(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    const Cycle cycle(call);
    const npy_intp n = cycle.bodies;
    const double *asked = call.numbers(3 * n);
    const npy_intp legs = call.length();
    const double *footholds = call.places(legs), *speed = call.numbers(n);
    call.open();
    const double *distance = call.numbers(n * legs);
    const npy_bool *steps = call.flags(n * legs);
    call.close();
    const double *progress = call.numbers(n * legs);
    const Limits limits(call, n);
    npy_bool *late = call.changed_flags(n * legs);
    const double dt = call.number(), full = call.number(), restless = call.number(), calmer = call.number();
    const double calm_from = call.number(), calm_to = call.number(), nearly = call.number(), stride = call.number();
    const double late_after = call.number(), wait = call.number(), slow_from = call.number(), slow_to = call.number();
    const double follow = call.number(), duty_slow = call.number(), duty_fast = call.number(), most = call.number();
    const double early = call.number();
    double *phases = call.make({n}), *duties = call.make({n}), *hurries = call.make({n}), *rates = call.make({n});
    double *leasts = call.make({n}), *swing_rates = call.make({n});
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        bool stirs = false, waits = false;
        double behind = 0.0;
        for (npy_intp row = i * legs; row < (i + 1) * legs; row++) {
            const bool flies = progress[row] < 1.0;
            if (steps[row] || flies) stirs = true;
            if (!flies) behind = maximum(behind, distance[row]);
            late[row] = late[row] && flies;
            if (late[row]) waits = true;
        }
        const double told = speed_of_footholds(asked + 3 * i, footholds, legs), least = cycle.least[i];
        const double away = maximum(maximum(calm_from - told, told - calm_to), 0.0), duty_factor = cycle.duty_factor[i];
        const double calm = maximum(1.0 - away / nearly, 0.0);
        leasts[i] = least + follow * ((restless - calm * calmer) / stride - least);
        const double rate = maximum(duty_factor * speed[i] / stride, leasts[i] * (stirs ? 1.0 : 0.0));
        const double goal =
            between(behind / late_after, 1.0, 1.4) * (wait + (1.0 - wait) * pace(limits.strain[i], slow_from, slow_to));
        hurries[i] = cycle.hurry[i] + follow * (goal - cycle.hurry[i]);
        rates[i] = rate * hurries[i];
        const double cycles = dt * rates[i], goes_on = waits ? 0.0 : cycles, furthest = most * goes_on;
        const double wanted = duty_slow + (duty_fast - duty_slow) * between(speed[i] / full, 0.0, 1.0);
        phases[i] = cycle.phase[i] + goes_on;
        duties[i] = duty_factor + maximum(minimum(wanted - duty_factor, furthest), -furthest);
        swing_rates[i] = cycles / (early * (1.0 - duties[i]) * dt);
    }
    return call.result();
}

// delay(Delay, delay, asked, motion, dt, breadth, full, far, seeks, follow) -> Delay
PyObject *delay(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    call.open();
    const npy_intp n = call.length();
    const double *seconds = call.numbers(n), *lead = call.numbers(3 * n);
    call.close();
    const double *asked = call.numbers(3 * n), *motion = call.numbers(3 * n);
    const double dt = call.number(), breadth = call.number(), full = call.number(), far = call.number();
    const double seeks = call.number(), follow = call.number();
    double *waited = call.make({n}), *leads = call.make({n, 3});
    if (!call.right()) return call.result();
    auto size = [&](const double *v) { return length_of(v[0], v[1]) + breadth * std::fabs(v[2]); };
    for (npy_intp i = 0; i < n; i++) {
        const double told = size(asked + 3 * i), goes = size(motion + 3 * i);
        const double now = told > 0.02 * full && goes < 0.1 * told ? seconds[i] + dt : 0.0;
        const double share = far * between(now / seeks - 1.0, 0.0, 1.0) / maximum(told, 1e-300);
        for (int j = 0; j < 3; j++)
            leads[3 * i + j] = lead[3 * i + j] + follow * (asked[3 * i + j] * share - lead[3 * i + j]);
        waited[i] = now;
    }
    return call.result();
}

// out_of_reach(points, hips, tops, reach) -> which points are
PyObject *out_of_reach(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp m = call.length();
    const double *points = call.numbers(3 * m), *hips = call.places(m), *tops = call.numbers(m),
                 *reach = call.numbers(m);
    auto *far = static_cast<npy_bool *>(call.make(NPY_BOOL, {m}));
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < m; i++) far[i] = is_beyond(points + 3 * i, hips + 2 * i, tops[i], reach[i]);
    return call.result();
}

// set_goals(feet, goals, plain, stuck, nominal, swing, soles, progress, lifts): the last six but `progress` are changed in
// place; see `swinging.aim`
PyObject *set_goals(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp m = call.length();
    const npy_intp *feet = call.indices(m);
    call.open();
    const double *points = call.numbers(3 * m);
    const npy_bool *good = call.flags(m);
    const double *lift = call.numbers(m), *leans = call.places(m);
    call.close();
    const double *plain = call.places(m);
    const npy_intp all = call.size();
    npy_bool *stuck = call.changed_flags(all);
    double *nominal = call.changed_places(all), *swing = call.changed(12 * all), *soles = call.changed(6 * all);
    const double *progress = call.numbers(all);
    double *lifts = call.changed(all);
    call.require(call.right() && are_below(feet, m, all));
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < m; i++) {
        const npy_intp foot = feet[i];
        stuck[foot] = !good[i];
        if (!good[i]) continue;
        for (int j = 0; j < 2; j++) {
            nominal[2 * foot + j] = plain[2 * i + j];
            soles[6 * foot + 3 + j] = leans[2 * i + j];
        }
        for (int j = 0; j < 3; j++) swing[12 * foot + 9 + j] = points[3 * i + j];
        if (progress[foot] == 0.0) lifts[foot] = maximum(lifts[foot], lift[i]);  // a swing begins
    }
    return call.result();
}

// --- support polygons (polygons.py) -------------------------------------------------------

// The distance of the origin to the nearest of the segments between corners.
double distance_to_segments(const double *corners, npy_intp count) {
    double least = FAR;
    for (const double *a = corners; a < corners + 2 * count; a += 2) {
        for (const double *b = a; b < corners + 2 * count; b += 2) {
            const double segment[2] = {b[0] - a[0], b[1] - a[1]};
            const double square = segment[0] * segment[0] + segment[1] * segment[1], safe = square > 0.0 ? square : 1.0;
            const double fraction = between(-(a[0] * segment[0] + a[1] * segment[1]) / safe, 0.0, 1.0);
            least = minimum(least, length_of(a[0] + fraction * segment[0], a[1] + fraction * segment[1]));
        }
    }
    return least;
}

// The distance of a place to the boundary of the convex hull of the corners that are used, negative outside. `room` is
// for two numbers for each corner.
double distance_inside(const double *corners, const npy_bool *used, npy_intp count, const double *place, double *room) {
    double inside = FAR, scale = 0.0;
    bool apart = false, lost = false;
    npy_intp size = 0;  // corners seen from the place
    for (npy_intp i = 0; i < count; i++) {
        if (!used[i]) continue;
        for (int j = 0; j < 2; j++) room[2 * size + j] = corners[2 * i + j] - place[j];
        size++;
    }
    for (const double *a = room; a < room + 2 * size; a += 2) {
        if (a[0] != a[0] || a[1] != a[1]) lost = true;
        scale = maximum(scale, maximum(std::fabs(a[0]), std::fabs(a[1])));
        for (const double *b = a; b < room + 2 * size; b += 2) {
            const double segment[2] = {b[0] - a[0], b[1] - a[1]};
            const double square = segment[0] * segment[0] + segment[1] * segment[1];
            if (!(square > 0.0)) continue;
            const double length = sqrt(square), across[2] = {segment[1] / length, -segment[0] / length};
            double most = -FAR, least = FAR;
            for (const double *corner = room; corner < room + 2 * size; corner += 2) {
                const double along = across[0] * corner[0] + across[1] * corner[1];
                most = maximum(most, along);
                least = minimum(least, along);
            }
            inside = minimum(inside, minimum(most, -least));
            apart = true;
        }
    }
    if (lost) return std::numeric_limits<double>::quiet_NaN();
    return inside > 4e-15 * scale && apart ? inside : 0.0 - distance_to_segments(room, size);
}

// signed_distance(points, corners, counted) -> distances of points to the boundaries of convex hulls
PyObject *signed_distance(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length();
    const double *points = call.numbers(2 * n);
    const npy_intp legs = call.length(1);
    const double *corners = call.numbers(2 * n * legs);
    const npy_bool *counted = call.flags(n * legs);
    double *distances = call.make({n}), *const room = call.scratch(2 * legs);
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++)
        distances[i] = distance_inside(corners + 2 * i * legs, counted + i * legs, legs, points + 2 * i, room);
    return call.result();
}

// --- braking (braking.py, governor.py) ----------------------------------------------------

// slacks_ahead(slack, feet, hips, place, sway, turned, hip_places, reach, straight) -> slacks (N, 2 L + 1)
PyObject *slacks_ahead(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const Slack slack(call);
    const Feet feet(call);
    const npy_intp n = feet.bodies, legs = feet.legs;
    call.require(slack.bodies == n && slack.count == feet.count);
    const double *hips = call.numbers(3 * feet.count);
    const double *place = call.places(n), *sway = call.places(n), *turned = call.places(n);
    const double *hip_places = call.places(legs);
    const double *reach = call.numbers(legs), straight = call.number();
    double *slacks = call.make({n, 2 * legs + 1});
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        double *const out = slacks + i * (2 * legs + 1), middle[2], swayed[2];
        times_place(sway + 2 * i, turned + 2 * i, swayed);
        for (int j = 0; j < 2; j++) middle[j] = place[2 * i + j] + swayed[j];
        for (npy_intp leg = 0; leg < legs; leg++) {
            const npy_intp row = i * legs + leg;
            out[leg] = slack.legs[row];
            out[legs + leg] = slack.knees[row];
            if (!feet.flies(row)) continue;
            const double *const goal = feet.swing + 12 * row + 9;
            const double drop = hips[3 * row + 2] - goal[2], longest = straight * reach[leg];
            const double room = sqrt(maximum(longest * longest - drop * drop, 0.0));
            const double u = turned[2 * i], v = turned[2 * i + 1];
            const double a = hip_places[2 * leg], b = hip_places[2 * leg + 1];
            const double x = goal[0] - (middle[0] + (u * a - v * b));
            const double z = goal[1] - (middle[1] + (u * b + v * a));
            out[leg] = room - length_of(x, z);
        }
        out[2 * legs] = slack.belly[i];
    }
    return call.result();
}

// The distance along the x axis to where it leaves the polygon of the feet that bear; `along` and `aside` are their
// coordinates. Without `bears`, all feet do.
double exit_of(const double *along, const double *aside, const npy_bool *bears, npy_intp legs) {
    double most = -FAR;
    for (npy_intp left = 0; left < legs; left++) {
        if ((bears && !bears[left]) || !(aside[left] >= 0.0)) continue;
        for (npy_intp right = 0; right < legs; right++) {
            if ((bears && !bears[right]) || !(aside[right] < 0.0)) continue;
            const double crosses = along[right] * aside[left] - along[left] * aside[right];
            most = maximum(most, crosses / (aside[left] - aside[right]));
        }
    }
    return most;
}

// support_ahead(feet, bears, direction): see `governor.support_ahead`
PyObject *support_ahead(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length(), legs = call.length(1);
    const double *feet = call.places(n * legs);
    const npy_bool *bears = call.flags(n * legs);
    const double *direction = call.places(n);
    double *ahead = call.make({n});
    double *const along = call.scratch(legs), *const aside = call.scratch(legs);
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        const double back[2] = {direction[2 * i], -direction[2 * i + 1]};
        for (npy_intp leg = 0; leg < legs; leg++) {
            double seen[2];
            times_place(feet + 2 * (i * legs + leg), back, seen);
            along[leg] = seen[0];
            aside[leg] = seen[1];
        }
        ahead[i] = exit_of(along, aside, bears + i * legs, legs);
    }
    return call.result();
}

// The fraction of its speed that a body may keep with a distance of support ahead.
double support_fraction(double ahead, double spare, double speed, double seconds) {
    const double room = maximum(ahead - spare, 0.0), need = speed * seconds;
    return room < need ? room / need : 1.0;
}

// The fraction of its speed that a body may keep with a slack now and later.
double fraction_left(double now, double later) {
    const double before = maximum(now, 0.0), after = later - minimum(now, 0.0);
    return after < 0.0 ? before / (before - after) : 1.0;
}

// supported(motion, feet, place, facing, sway, still, room, leaves, seconds, balances, spare, sure) -> fractions of the motion;
// see `braking._supported`
PyObject *supported(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length();
    const double *motion = call.numbers(3 * n);
    const Feet feet(call);
    call.require(feet.bodies == n);
    const npy_intp legs = feet.legs;
    const double *place = call.places(n), *facing = call.places(n), *sway = call.places(n);
    const double still = call.number(), room = call.number(), leaves = call.number(), seconds = call.number();
    const double balances = call.number(), spare = call.number(), sure = call.number();
    double *fractions = call.make({n});
    double *const along = call.scratch(2 * legs), *const aside = call.scratch(2 * legs),
                  *const seen = call.scratch(4 * legs);
    auto *const stands = reinterpret_cast<npy_bool *>(call.scratch(legs));
    if (!call.right()) return call.result();
    double *const space = seen + 2 * legs;
    for (npy_intp i = 0; i < n; i++) {
        const double *const velocity = motion + 3 * i;
        const double speed = length_of(velocity[0], velocity[1]);
        double direction[2], swayed[2];
        const double own[2] = {speed > still ? velocity[0] / speed : 1.0, speed > still ? velocity[1] / speed : 0.0};
        times_place(own, facing + 2 * i, direction);
        times_place(sway + 2 * i, facing + 2 * i, swayed);
        const double back[2] = {direction[0], -direction[1]};
        for (npy_intp leg = 0; leg < legs; leg++) {
            const npy_intp row = i * legs + leg;
            stands[leg] = !feet.flies(row);
            const double *const end = feet.swing + 12 * row + (stands[leg] ? 0 : 9);
            double rotated[2];
            for (int j = 0; j < 2; j++) seen[2 * leg + j] = end[j] - (place[2 * i + j] + swayed[j]);
            times_place(seen + 2 * leg, back, rotated);
            along[leg] = along[legs + leg] = rotated[0];
            aside[leg] = rotated[1] + leaves;
            aside[legs + leg] = rotated[1] - leaves;
        }
        const npy_intp ends = leaves == 0.0 ? legs : 2 * legs;
        fractions[i] = support_fraction(exit_of(along, aside, nullptr, ends), room, speed, seconds);
        if (balances == 0.0) continue;
        const double here[2] = {0.0, 0.0}, now = distance_inside(seen, stands, legs, here, space) - spare;
        if (!(now < sure * speed)) continue;
        double way[2];
        times_place(velocity, facing + 2 * i, way);
        for (double &part : way) part = sure * part;
        const double later = distance_inside(seen, stands, legs, way, space) - spare;
        fractions[i] = minimum(fractions[i], fraction_left(now, later));
    }
    return call.result();
}

// free_fraction(now, later, graze, edge): see `braking._grazing` and `governor.free_fraction`
PyObject *free_fraction(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length(), slacks = call.length(1);
    const double *now = call.numbers(n * slacks), *later = call.numbers(n * slacks);
    const double graze = call.number(), edge = call.number();
    double *fractions = call.make({n});
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        double least = FAR;
        for (npy_intp k = 0; k < slacks; k++) {
            double start = now[i * slacks + k], end = later[i * slacks + k];
            if (k == slacks - 1) {
                const double deeper = end - start >= edge ? graze : minimum(graze, 0.0);
                start = start + graze;
                end = end + deeper;
            }
            least = minimum(least, fraction_left(start, end));
        }
        fractions[i] = least;
    }
    return call.result();
}

// --- restraint (restraint.py) -------------------------------------------------------------

// broken(slack, slack before, far, tiny, jump, deep) -> legs, bodies
PyObject *broken(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const Slack now(call), then(call);
    const npy_intp n = now.bodies;
    call.require(then.bodies == n && then.count == now.count);
    const double far = call.number(), tiny = call.number(), jump = call.number(), deep = call.number();
    auto *legs_broken = static_cast<npy_bool *>(call.make(NPY_BOOL, {n, now.legs_each}));
    auto *bodies_broken = static_cast<npy_bool *>(call.make(NPY_BOOL, {n}));
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < now.count; i++)
        legs_broken[i] = now.least[i] < minimum(then.least[i], 0.0) - tiny && then.least[i] > far;
    for (npy_intp i = 0; i < n; i++) {
        const bool steep = now.belly[i] < then.belly[i] - jump;
        const double lowest = steep ? (-deep > 0.0 ? -deep : 0.0) : -deep;
        bodies_broken[i] = now.belly[i] < minimum(then.belly[i], lowest) - tiny && then.belly[i] > far - deep;
    }
    return call.result();
}

// --- springs (gait.py, liveliness.py, springs.py) -----------------------------------------

// A critically damped spring after a time step; see `gait.settle`.
inline void settle_one(double value, double speed, double goal, double rate, double dt, double fade, double *there,
                       double *speed_there) {
    const double turn = rate * dt, away = value - goal;
    *there = goal + (fade * (1.0 + turn)) * away + (fade * dt) * speed;
    *speed_there = (fade * (1.0 - turn)) * speed - (fade * rate * turn) * away;
}

// settle(value, speed, goal, rate, dt, fade) -> value and speed, of the shape of `value`
PyObject *settle(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp size = call.size();
    double *there = call.make_like(size), *speeds = call.make_like(size);
    const double *value = call.numbers(size), *speed = call.numbers(size), *goal = call.numbers(size);
    const double rate = call.number(), dt = call.number(), fade = call.number();
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < size; i++) settle_one(value[i], speed[i], goal[i], rate, dt, fade, there + i, speeds + i);
    return call.result();
}

// How much a body behaves as if idle, from 0 to 1.
inline double idleness(double speed, double idle_speed) { return between(1.0 - speed / idle_speed, 0.0, 1.0); }

// stir(spring, spring_rate, slack, feel, progress, phases, duty_factor, speed, motion, gains, coefficients, dt, bobs, spare,
//     liveliness, idle_speed, breath, idle, whole, circle) -> spring, spring_rate, bounce, seconds, velocity; see
// `liveliness.stir`
PyObject *stir(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp n = call.length();
    const double *spring = call.numbers(6 * n), *rate = call.numbers(6 * n);
    const Slack slack(call);
    call.require(slack.bodies == n);
    const npy_intp legs = slack.legs_each;
    call.open();
    const double *seconds = call.numbers(n), *before = call.places(n);
    call.close();
    const double *progress = call.numbers(n * legs), *phases = call.numbers(n * legs), *duty_factor = call.numbers(n);
    const double *speed = call.numbers(n), *motion = call.numbers(3 * n);
    call.open();  // see `springs.Gains`
    call.skip();  // the frequencies, of which the coefficients are made
    const double *feet = call.numbers(3 * legs), *sets = call.numbers(legs);
    const double sink = call.number(), turn = call.number(), *push = call.numbers(3), *most = call.numbers(3);
    call.close();
    const double *coefficients = call.numbers(8), dt = call.number();
    const bool bobs = call.number() != 0.0;
    const double spare = call.number(), liveliness = call.number(), idle_speed = call.number(), breath = call.number();
    call.open();  // `liveliness.IDLES`
    const double breaths = call.number(), slow = call.number(), quick = call.number(), rocks = call.number();
    const double chest = call.number();
    call.close();
    const double whole = call.number();
    const Circle circle(call);
    double *springs = call.make({n, 2, 3}), *rates = call.make({n, 2, 3}), *bounce = call.make({n, 3});
    double *later = call.make({n}), *velocity = static_cast<double *>(call.make(NPY_CDOUBLE, {n}));
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        const double idle = idleness(speed[i], idle_speed), *const own = motion + 3 * i;
        later[i] = seconds[i] + dt;
        double goal[6] = {};
        for (npy_intp leg = 0; leg < legs; leg++) {
            const double high = arch(progress[i * legs + leg]);
            for (int j = 0; j < 3; j++) goal[j] += high * feet[3 * leg + j];
        }
        if (bobs) {
            const double middle = 0.5 * (1.0 - duty_factor[i]);
            double turns = 0.0;
            for (npy_intp leg = 0; leg < legs; leg++) {
                const double wave = circle.cosine_of(whole * (phases[i * legs + leg] - middle)) * sets[leg];
                turns = leg ? turns + wave : wave;
            }
            goal[2] = sink * (1.0 - idle) * turns * turns;
        }
        if (idle != 0.0) {
            const double breathed = idle * circle.sine_of(breaths * later[i]);
            const double rocked = 0.6 * circle.sine_of(slow * later[i]) + 0.4 * circle.sine_of(quick * later[i]);
            goal[3] = rocks * idle * rocked;
            goal[4] = -chest * breathed;
            goal[5] = breath * breathed;
        }
        goal[3] += turn * own[1] * own[2];
        double least = FAR;
        for (npy_intp leg = i * legs; leg < (i + 1) * legs; leg++)
            least = minimum(least, minimum(slack.legs[leg], slack.knees[leg]));
        const double free = between(minimum(least, slack.belly[i]) / spare, 0.0, 1.0);
        const double aside = own[0] - before[2 * i], ahead = own[1] - before[2 * i + 1];
        const double change[3] = {aside, ahead, length_of(aside, ahead)};
        for (int k = 0; k < 6; k++) {
            const double *const c = coefficients + k / 3;  // one of the stiff and one of the soft spring each
            const double now = spring[6 * i + k], aim = goal[k] * free;
            double speed = rate[6 * i + k];
            if (k >= 3) speed += free * push[k - 3] * change[k - 3];
            const double away = now - aim;
            springs[6 * i + k] = aim + c[0] * away + c[2] * speed;
            rates[6 * i + k] = c[4] * away + c[6] * speed;
        }
        for (int j = 0; j < 3; j++) {
            const double offset = springs[6 * i + j] + springs[6 * i + 3 + j], over = offset / most[j];
            bounce[3 * i + j] = liveliness * (offset / sqrt(1.0 + over * over));
        }
        for (int j = 0; j < 2; j++) velocity[2 * i + j] = own[j];
    }
    return call.result();
}

// follow(Ends, ends, seconds, motion, speed, body, axes, tail, coefficients, dt, idle_speed, ahead, aside, glance, slow,
//     quick, rate, fade, circle) -> Ends; see `following.follow`
PyObject *follow(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    call.read_kind();
    call.open();
    const npy_intp n = call.length();
    const double *look = call.numbers(n), *look_rate = call.numbers(n), *lag = call.numbers(3 * n);
    const double *lag_rate = call.numbers(3 * n), *middle = call.numbers(3 * n), *velocity = call.numbers(3 * n);
    call.close();
    const double *seconds = call.numbers(n), *motion = call.numbers(3 * n), *speed = call.numbers(n);
    const double *body = call.numbers(3 * n), *axes = call.numbers(9 * n), *tail = call.numbers(3);
    double coefficients[4];
    call.open();
    for (double &each : coefficients) each = call.number();
    call.close();
    const double dt = call.number(), idle_speed = call.number(), ahead = call.number(), aside = call.number();
    const double glance = call.number(), slow = call.number(), quick = call.number();
    const double rate = call.number(), fade = call.number();
    const Circle circle(call);
    double *looks = call.make({n}), *look_rates = call.make({n}), *lags = call.make({n, 3});
    double *lag_rates = call.make({n, 3}), *middles = call.make({n, 3}), *velocities = call.make({n, 3});
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < n; i++) {
        const double idle = idleness(speed[i], idle_speed);
        double goal = ahead * motion[3 * i + 2], place[3];
        if (idle != 0.0) goal += glance * idle * circle.sine_of(slow * seconds[i]) * circle.sine_of(quick * seconds[i]);
        settle_one(look[i], look_rate[i], between(goal, -aside, aside), rate, dt, fade, looks + i, look_rates + i);
        times_axes(tail, axes + 9 * i, place);
        for (int j = 0; j < 3; j++) {
            const npy_intp k = 3 * i + j;
            middles[k] = body[k] + place[j];
            velocities[k] = (middles[k] - middle[k]) / dt;
            const double pulled = lag_rate[k] - (velocities[k] - velocity[k]);
            lags[k] = coefficients[0] * lag[k] + coefficients[1] * pulled;
            lag_rates[k] = coefficients[2] * lag[k] + coefficients[3] * pulled;
        }
    }
    return call.result();
}

// plane_goal(ground, swing, place, facing, motion, lead, plane, belly, low, hips, longest, weights of ground and of hips and
//     shapes of the belly or None, pull, maximum bend, reach, floor, ceiling, slack of the belly, slacks of the knees, stiff,
//     ahead, tilt, stretch, length, height, lowest, graze, near, raises, most, circle) -> goal, bend, rise; see
//     `carriage.plane_goal`
PyObject *plane_goal(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const Ground ground(call);
    const npy_intp n = call.length(), legs = call.length(1);
    const double *swing = call.numbers(12 * n * legs), *place = call.places(n), *facing = call.places(n);
    const double *motion = call.numbers(3 * n), *lead = call.numbers(3 * n), *plane = call.numbers(3 * n);
    const npy_intp points = call.length();
    const double *belly = call.places(points), *low = call.numbers(points);
    const double *hips = call.numbers(3 * n * legs), *longest = call.numbers(legs);
    const Shapes weights(call, points), pulls(call, legs), trunk(call, points);
    const double yields = call.number(), bends = call.number();
    const double *reach = call.numbers(n), *floors = call.numbers(n), *ceilings = call.numbers(n);
    const double *belly_left = call.numbers(n), *knees = call.numbers(n * legs);
    const double stiff = call.number(), ahead = call.number(), tilt = call.number(), stretch = call.number();
    const double length = call.number(), height = call.number(), lowest = call.number();
    const double graze = call.number(), near = call.number(), raises = call.number(), most = call.number();
    const Circle circle(call);
    double *goal = call.make({n, 3}), *bend = call.make({n, 2}), *rise = call.make({n});
    call.require(bool(trunk) == bool(weights) && bool(trunk) == bool(pulls));
    const npy_intp block = std::min(n, ground.rows_at_once());
    double *const room = call.scratch(4 * block * points + block);
    if (!call.right()) return call.result();
    std::fill_n(bend, 2 * n, 0.0);
    double *const x = room, *const z = x + block * points, *const y = z + block * points;
    double *const under = y + block * points, *const depths = under + block * points;
    auto place_points = [&](npy_intp i, double *x, double *z, double *y) {  // of the underside, over the ground ahead
        const double *const velocity = motion + 3 * i, *const offset = lead + 3 * i;
        double there[2] = {place[2 * i], place[2 * i + 1]}, turned[2] = {facing[2 * i], facing[2 * i + 1]}, way[2];
        if (offset[0] != 0.0 || offset[1] != 0.0 || offset[2] != 0.0) {  // see `state.Course.ahead`
            double turn[2];
            times_place(offset, facing + 2 * i, way);
            circle.cis(-offset[2], turn);
            times_place(facing + 2 * i, turn, turned);
            for (int j = 0; j < 2; j++) there[j] = there[j] + way[j];
        }
        const double moves[2] = {ahead * velocity[0], ahead * velocity[1]};
        times_place(moves, facing + 2 * i, way);
        for (npy_intp p = 0; p < points; p++) {
            double out[2];
            times_place(turned, belly + 2 * p, out);
            x[p] = (there[0] + way[0]) + out[0];
            z[p] = (there[1] + way[1]) + out[1];
            y[p] = -(plane[3 * i] * belly[2 * p] + plane[3 * i + 1] * belly[2 * p + 1]);
        }
    };
    auto bend_over = [&](npy_intp i, const double *under) {  // returns the height that the bent trunk needs
        double *const own = bend + 2 * i, clear = -FAR;
        for (int way = 0; way < 2; way++) {
            double sum = 0.0, pull = 0.0;
            for (npy_intp p = 0; p < points; p++) sum = sum + under[p] * weights.shapes[way * points + p];
            for (npy_intp leg = 0; leg < legs; leg++) {
                const double *const foot = swing + 12 * (i * legs + leg), *const hip = hips + 3 * (i * legs + leg);
                const double x = foot[0] - hip[0], z = foot[1] - hip[1], square = longest[leg] * longest[leg];
                const double room = sqrt(maximum(square - (x * x + z * z), 0.0)) + (foot[2] - hip[2]);
                pull = pull + maximum(-room, 0.0) * pulls.shapes[way * legs + leg];
            }
            own[way] = between(sum - yields * pull, -bends, bends);
        }
        for (npy_intp p = 0; p < points; p++) {
            const double lean = plane[3 * i] * belly[2 * p] + plane[3 * i + 1] * belly[2 * p + 1];
            clear = maximum(clear, under[p] + lean + low[p] - trunk.bent(own, p));
        }
        return clear;
    };
    auto choose = [&](npy_intp i, double clear) {
        const double *const own = plane + 3 * i;
        double fitted[3], knee = FAR;
        fit_plane(swing + 12 * i * legs, 12, legs, place + 2 * i, facing + 2 * i, stiff, fitted);
        for (int j = 0; j < 2; j++) goal[3 * i + j] = fitted[j] * tilt;
        const double high = fitted[2] - minimum(3.0 * length * maximum(reach[i] - stretch, 0.0), 0.5 * height);
        clear = maximum(clear - height, floors[i]);
        const double short_of = lowest - belly_left[i];
        if (short_of > 0.0) clear = maximum(clear, own[2] + short_of);
        const double ceiling = short_of > graze ? maximum(ceilings[i], own[2]) : ceilings[i];
        for (npy_intp leg = 0; leg < legs; leg++) knee = minimum(knee, knees[i * legs + leg]);
        const double missing = near - knee;
        if (missing > 0.0) clear = maximum(clear, own[2] + raises * missing);
        goal[3 * i + 2] = maximum(high, minimum(clear, ceiling));
        rise[i] = minimum(maximum(clear - own[2], 0.0), most);
    };
    for (npy_intp first = 0; first < n; first += block) {
        const npy_intp rows = std::min(block, n - first);
        for (npy_intp row = 0; row < rows; row++)
            place_points(first + row, x + row * points, z + row * points, y + row * points);
        // A stiff trunk needs the highest of the points only, a bent one the ground below all of them.
        const npy_intp all = trunk ? rows * points : 0, rest = trunk ? 0 : rows;
        call.require(ground.measure(x, z, y, all, rest, points, low, nullptr, 1, under, depths));
        if (!call.right()) return call.result();
        for (npy_intp row = 0; row < rows; row++)
            choose(first + row, trunk ? bend_over(first + row, under + row * points) : depths[row]);
    }
    return call.result();
}

// --- angles (core/elementary.py) ----------------------------------------------------------

// cis(angles, circle) -> exp(i angles), of the shape of the angles
PyObject *cis(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp size = call.size();
    double *out = call.make_like(size, NPY_CDOUBLE);
    const double *angles = call.numbers(size);
    const Circle circle(call);
    if (!call.right()) return call.result();
    for (npy_intp i = 0; i < size; i++) circle.cis(angles[i], out + 2 * i);
    return call.result();
}

// rotated(places, turned) -> their products, of the shape to which they are broadcast; see `footing.rotated`
PyObject *rotated(PyObject *, PyObject *const *args, Py_ssize_t count) {
    if (count != 2) return PyErr_Format(PyExc_ValueError, "not the arguments of this function");
    PyObject *given[2] = {nullptr, nullptr}, *out = nullptr;
    PyArrayMultiIterObject *both = nullptr;
    for (int i = 0; i < 2; i++)
        given[i] = PyArray_FROM_OTF(args[i], NPY_CDOUBLE, NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED);
    if (given[0] && given[1])
        both = reinterpret_cast<PyArrayMultiIterObject *>(PyArray_MultiIterNew(2, given[0], given[1]));
    if (both) out = PyArray_SimpleNew(both->nd, both->dimensions, NPY_CDOUBLE);
    if (out) {
        auto *product = static_cast<double *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(out)));
        for (; PyArray_MultiIter_NOTDONE(both); product += 2) {
            times_place(static_cast<double *>(PyArray_MultiIter_DATA(both, 0)),
                        static_cast<double *>(PyArray_MultiIter_DATA(both, 1)), product);
            PyArray_MultiIter_NEXT(both);
        }
    }
    clear_flags();
    Py_XDECREF(reinterpret_cast<PyObject *>(both));
    for (PyObject *array : given) Py_XDECREF(array);
    return out;
}

// --- questions (few.py) -------------------------------------------------------------------

// some(array) -> whether any element is not 0
PyObject *some(PyObject *, PyObject *array) {
    if (!PyArray_Check(array)) return PyErr_Format(PyExc_TypeError, "not an array");
    return PyBool_FromLong(PyArray_CountNonzero(reinterpret_cast<PyArrayObject *>(array)) > 0);
}

// The extreme of some numbers by a function of two.
template <double best_of(double, double)> PyObject *extreme(PyObject *array) {
    Call call(&array, 1);
    const npy_intp size = call.size();
    const double *numbers = call.numbers(size);
    call.require(size > 0);
    if (!call.right()) return call.result();
    double best = numbers[0];
    for (npy_intp i = 1; i < size; i++) best = best_of(best, numbers[i]);
    return PyFloat_FromDouble(best);
}

PyObject *least(PyObject *, PyObject *array) { return extreme<minimum>(array); }
PyObject *greatest(PyObject *, PyObject *array) { return extreme<maximum>(array); }

// --- terrain (landforms.py) ---------------------------------------------------------------

// wave_heights(x, z, along, phase, high, coefficients) -> heights at places, of the shape of x
PyObject *wave_heights(PyObject *, PyObject *const *args, Py_ssize_t count) {
    Call call(args, count);
    const npy_intp places = call.size();
    double *heights = call.make_like(places);
    const double *x = call.numbers(places), *z = call.numbers(places);
    const twobone::Waves waves = waves_of(call);
    if (call.right()) twobone::loops_in_use().wave_heights(waves, x, z, places, heights);
    return call.result();
}

// --- the module ---------------------------------------------------------------------------

#define METHOD(name, text)                                                                                             \
    {#name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(name)), METH_FASTCALL, text}

PyMethodDef METHODS[] = {
    METHOD(pose, "see creature/posture.py, `pose_over`"),
    METHOD(pose_ahead, "see creature/braking.py, `_left_after`"),
    METHOD(slack, "see creature/governor.py"),
    METHOD(copied, "see creature/state.py, `Feet.copy`"),
    METHOD(foot_points, "see creature/state.py, `Feet.points`"),
    METHOD(foot_points_after, "see creature/braking.py, `_feet_in`"),
    METHOD(turn_knees, "see creature/knees.py"),
    METHOD(foothold_speed, "see creature/pacing.py, `foothold_speed`"),
    METHOD(stray, "see creature/swinging.py, `stray`"),
    METHOD(limit_orders, "see creature/pacing.py"),
    METHOD(ease, "see creature/pacing.py"),
    METHOD(course_after, "see creature/state.py, `Course.after`"),
    METHOD(leg_phases, "see creature/state.py, `Cycle.leg_phases`"),
    METHOD(advance_gait, "see creature/pacing.py"),
    METHOD(starting, "see creature/swinging.py"),
    METHOD(delay, "see creature/pacing.py, `measure_delay`"),
    METHOD(aims, "see creature/swinging.py, `_sought`"),
    METHOD(aiming, "see creature/swinging.py"),
    METHOD(goals, "see creature/swinging.py, `_nominal_goals`"),
    METHOD(set_goals, "see creature/swinging.py, `aim`"),
    METHOD(out_of_reach, "see creature/footing.py, `within_reach`"),
    METHOD(feet_ahead, "see creature/swinging.py, `look_ahead`"),
    METHOD(fly, "see creature/swinging.py, `_fly`"),
    METHOD(bearing, "see creature/footing.py, `bears`"),
    METHOD(headroom, "see creature/carriage.py, `headroom`"),
    METHOD(body_limits, "see creature/carriage.py, `limits_of`"),
    METHOD(slacks_ahead, "see creature/braking.py, `_joined`"),
    METHOD(support_ahead, "see creature/governor.py, `support_ahead`"),
    METHOD(supported, "see creature/braking.py, `_supported`"),
    METHOD(free_fraction, "see creature/governor.py, `free_fraction`"),
    METHOD(signed_distance, "see creature/polygons.py"),
    METHOD(broken, "see creature/restraint.py, `_broken`"),
    METHOD(settle, "see creature/gait.py, `settle`"),
    METHOD(stir, "see creature/liveliness.py, `stir`"),
    METHOD(follow, "see creature/following.py"),
    METHOD(plane_goal, "see creature/carriage.py, `plane_goal`"),
    METHOD(cis, "see core/elementary.py"),
    METHOD(rotated, "see creature/footing.py"),
    METHOD(wave_heights, "see terrain/landforms.py, `Noise`"),
    {"flies", flies, METH_O, "see creature/state.py, `Feet.flies`"},
    {"some", some, METH_O, "see creature/few.py"},
    {"least", least, METH_O, "see creature/few.py"},
    {"greatest", greatest, METH_O, "see creature/few.py"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

int twobone::add_walking(PyObject *module) {
    if (PyArray_ImportNumPyAPI() < 0) return -1;
    return PyModule_AddFunctions(module, METHODS);
}
