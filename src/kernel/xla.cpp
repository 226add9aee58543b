// Functions that XLA calls for JAX: solve limbs, and differentiate them forwards (push) and in reverse (pull); and second
// derivatives, of `push` in a second direction (bend) and of `pull` in one (curve).
//
// The arguments are dense arrays: target, r1, r2, side and, in space, pole; then those that the attribute `given` says.
// Their batch axes broadcast, as in NumPy. The attribute `policy` is a place in `POLICIES`, or 3 and the numbers of steps.
// XLA computes with subnormal numbers flushed to zero; here they are kept, as in NumPy.
#include "vendor/xla/c_api.h"

#include <cmath>
#include <cstring>

#include "memory.hpp"
#include "slopes.hpp"
#include "loops.hpp"
#include "xla.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>
#elif defined(_M_ARM64)
#include <intrin.h>
#endif

namespace {

using std::ptrdiff_t;
using twobone::Column;

// --- floating-point control ---------------------------------------------------------------

// Rounds to nearest and keeps subnormal numbers until the end of its scope.
class Standard {
#if defined(__SSE2__) || defined(_M_X64)
    unsigned before = _mm_getcsr();

  public:
    Standard() { _mm_setcsr(0x1f80); }  // the value after a reset: all exceptions are masked
    ~Standard() { _mm_setcsr(before); }
#elif defined(_M_ARM64)
    __int64 before = _ReadStatusReg(ARM64_FPCR);

  public:
    Standard() { _WriteStatusReg(ARM64_FPCR, 0); }
    ~Standard() { _WriteStatusReg(ARM64_FPCR, before); }
#elif defined(__aarch64__)
    unsigned long before;

  public:
    Standard() {
        asm volatile("mrs %0, fpcr" : "=r"(before));
        asm volatile("msr fpcr, %0" : : "r"(0ul) : "memory");
    }
    ~Standard() { asm volatile("msr fpcr, %0" : : "r"(before) : "memory"); }
#else
  public:
    Standard() {}  // XLA has no code for other processors that flushes them
    ~Standard() {}
#endif
    Standard(const Standard &) = delete;
};

// --- arguments and results ----------------------------------------------------------------

constexpr int MOST_AXES = 64, MOST_COLUMNS = 16;

// The arrays of a call, with the strides in bytes of their batch axes. The axes are those of the results.
class Arrays {
    int axes = 0;
    ptrdiff_t shape[MOST_AXES];
    int count = 0;
    Column *columns[MOST_COLUMNS];
    ptrdiff_t steps[MOST_COLUMNS][MOST_AXES];

  public:
    // Take the shape of a result; `tail` is 1 if its last axis holds components, else 0.
    bool take_shape(const XLA_FFI_Buffer &buffer, int tail) {
        if (buffer.rank < tail || buffer.rank - tail > MOST_AXES) return false;
        axes = int(buffer.rank) - tail;
        for (int i = 0; i < axes; i++) shape[i] = buffer.dims[i];
        return true;
    }

    // Add an array whose numbers have so many bytes, and whose vectors have so many components: 0 for no vectors.
    // Returns false if its shape does not fit; that of a result must be the whole shape.
    bool add(const XLA_FFI_Buffer &buffer, int bytes, int size, bool is_result, Column &column) {
        const int tail = size > 0, own = int(buffer.rank) - tail;
        if (buffer.rank < tail || own > axes || count == MOST_COLUMNS || (is_result && own != axes)) return false;
        if (tail && buffer.dims[own] != size) return false;
        column = {static_cast<char *>(buffer.data), 0, bytes};
        columns[count] = &column;
        ptrdiff_t step = ptrdiff_t(bytes) * (tail ? size : 1);
        for (int i = axes - 1; i >= 0; i--) {
            const int at = i - (axes - own);
            const ptrdiff_t length = at < 0 ? 1 : buffer.dims[at];
            if (length != shape[i] && (length != 1 || is_result)) return false;
            steps[count][i] = length == 1 ? 0 : step;
            step *= length;
        }
        count++;
        return true;
    }

    // Call `run(rows)` for rows that are evenly spaced in all columns, until all are done.
    template <class Run> void for_all(const Run &run) {
        for (int i = 0; i < axes; i++)
            if (shape[i] == 0) return;
        merge_axes();
        int along = 0;  // the longest axis
        for (int i = 1; i < axes; i++)
            if (shape[i] > shape[along]) along = i;
        for (int k = 0; k < count; k++) columns[k]->step = axes ? steps[k][along] : 0;
        ptrdiff_t at[MOST_AXES] = {};
        while (true) {
            run(axes ? shape[along] : 1);
            int i = axes - 1;
            for (; i >= 0; i--) {
                if (i == along) continue;
                if (++at[i] < shape[i]) break;
                for (int k = 0; k < count; k++) columns[k]->data -= steps[k][i] * (shape[i] - 1);
                at[i] = 0;
            }
            if (i < 0) return;
            for (int k = 0; k < count; k++) columns[k]->data += steps[k][i];
        }
    }

  private:
    // Make one axis of two neighbours where all strides allow it, and leave out axes of one row.
    void merge_axes() {
        int kept = 0;
        for (int i = 0; i < axes; i++) {
            if (shape[i] == 1) continue;
            bool joins = kept > 0;
            for (int k = 0; joins && k < count; k++) joins = steps[k][kept - 1] == steps[k][i] * shape[i];
            if (!joins) kept++;
            shape[kept - 1] = joins ? shape[kept - 1] * shape[i] : shape[i];
            for (int k = 0; k < count; k++) steps[k][kept - 1] = steps[k][i];
        }
        axes = kept;
    }
};

// Round to float. The conversion of a finite number beyond the range would be undefined.
float narrowed(double v) {
    constexpr double most = 0x1.fffffefffffffp127;  // the largest double that is rounded to a finite float
    return v > most ? HUGE_VALF : v < -most ? -HUGE_VALF : static_cast<float>(v);
}

// The policy of a call: a name, steps in both precisions, or so many steps of each row, which are an argument.
struct How {
    twobone::Policy policy = twobone::clamp;
    int step_count = 0;
    bool by_row = false;
    double wide[twobone::MOST_STEPS * twobone::STEP_NUMBERS];
    float narrow[twobone::MOST_STEPS * twobone::STEP_NUMBERS];
};

// Arguments of `given`, by their bits: tangents of target, r1, r2 and pole in `push`; those of joint and end in `pull`.
enum Bits { by_target = 1, by_r1 = 2, by_r2 = 4, by_pole = 8, by_joint = 1, by_end = 2 };

const char WRONG[] = "twobone: not the arguments that its JAX primitives pass";

// One call, with its arguments read.
struct Call {
    const XLA_FFI_CallFrame &frame;
    Arrays arrays;
    twobone::Limbs limbs{};
    How how;
    int given = 0, size = 0, next = 0;
    bool wide = false;

    explicit Call(const XLA_FFI_CallFrame &called) : frame(called) {}

    int bytes() const { return wide ? 8 : 4; }
    bool space() const { return size == 3; }

    const XLA_FFI_Buffer *argument(int i) const {
        if (i >= frame.args.size || frame.args.types[i] != XLA_FFI_ArgType_BUFFER) return nullptr;
        return static_cast<const XLA_FFI_Buffer *>(frame.args.args[i]);
    }
    const XLA_FFI_Buffer *result(int i) const {
        if (i >= frame.rets.size || frame.rets.types[i] != XLA_FFI_RetType_BUFFER) return nullptr;
        return static_cast<const XLA_FFI_Buffer *>(frame.rets.rets[i]);
    }
    XLA_FFI_DataType real() const { return wide ? XLA_FFI_DataType_F64 : XLA_FFI_DataType_F32; }

    // Read the next argument.
    bool read(bool is_vector, Column &column) {
        const XLA_FFI_Buffer *buffer = argument(next++);
        return buffer && buffer->dtype == real() && arrays.add(*buffer, bytes(), is_vector ? size : 0, false, column);
    }
    // Read tangents of target, r1, r2 and pole, those that have a bit each.
    bool read_some(int bits, Column *columns) {
        for (int i = 0; i < (space() ? 4 : 3); i++)
            if (bits >> i & 1 && !read(i == 0 || i == 3, columns[i])) return false;
        return true;
    }
    // Prepare a result.
    bool write(int i, bool is_vector, Column &column) {
        const XLA_FFI_Buffer *buffer = result(i);
        return buffer && buffer->dtype == real() && arrays.add(*buffer, bytes(), is_vector ? size : 0, true, column);
    }

    // Read attributes and the arguments of all calls. `tail` is that of the first result; only some take steps of each row.
    bool begin(int tail, bool may_be_by_row = false) {
        const XLA_FFI_Buffer *target = argument(0), *first = result(0);
        if (!target || !first || target->rank < 1) return false;
        if (target->dtype != XLA_FFI_DataType_F32 && target->dtype != XLA_FFI_DataType_F64) return false;
        wide = target->dtype == XLA_FFI_DataType_F64;
        const std::int64_t last = target->dims[target->rank - 1];
        if ((last != 2 && last != 3) || !read_attributes() || !arrays.take_shape(*first, tail)) return false;
        size = int(last);
        limbs.policy = how.policy;
        limbs.step_count = how.step_count;
        if (how.by_row && !may_be_by_row) return false;
        if (how.step_count && !how.by_row) {
            char *steps = wide ? reinterpret_cast<char *>(how.wide) : reinterpret_cast<char *>(how.narrow);
            limbs.steps = {steps, 0, bytes()};
        }
        return read(true, limbs.target) && read(false, limbs.r1) && read(false, limbs.r2) && read(false, limbs.side) &&
               (!space() || read(true, limbs.pole)) && (!how.by_row || read_steps());
    }

    bool read_steps() {
        const XLA_FFI_Buffer *buffer = argument(next++);
        const int numbers = how.step_count * twobone::STEP_NUMBERS;
        return buffer && buffer->dtype == real() && arrays.add(*buffer, bytes(), numbers, false, limbs.steps);
    }

    bool read_attributes() {
        bool found = false;
        for (std::int64_t i = 0; i < frame.attrs.size; i++) {
            const XLA_FFI_ByteSpan &name = *frame.attrs.names[i];
            auto is = [&](const char *word) {
                return name.len == std::strlen(word) && std::memcmp(name.ptr, word, name.len) == 0;
            };
            const void *value = frame.attrs.attrs[i];
            if (is("given") && frame.attrs.types[i] == XLA_FFI_AttrType_SCALAR) {
                const auto &scalar = *static_cast<const XLA_FFI_Scalar *>(value);
                if (scalar.dtype != XLA_FFI_DataType_S32) return false;
                std::int32_t bits;
                std::memcpy(&bits, scalar.value, sizeof bits);
                given = bits;
            } else if (is("policy") && frame.attrs.types[i] == XLA_FFI_AttrType_ARRAY) {
                found = read_policy(*static_cast<const XLA_FFI_Array *>(value));
            }
        }
        return found;
    }

    bool read_policy(const XLA_FFI_Array &array) {
        constexpr std::size_t most = twobone::MOST_STEPS * twobone::STEP_NUMBERS;
        if (array.dtype != XLA_FFI_DataType_F64 || array.size < 1 || array.size > most + 1) return false;
        double word;
        std::memcpy(&word, array.data, sizeof word);
        const std::size_t numbers = array.size - 1;
        if (word == 4.0) {  // then the kinds
            how.by_row = true;
            how.step_count = int(numbers);
            return 0 < numbers && numbers <= std::size_t(twobone::MOST_STEPS);
        }
        if (word == 3.0) {
            if (numbers == 0 || numbers % twobone::STEP_NUMBERS) return false;
            how.step_count = int(numbers / twobone::STEP_NUMBERS);
            std::memcpy(how.wide, static_cast<const char *>(array.data) + sizeof word, numbers * sizeof word);
            for (std::size_t i = 0; i < numbers; i++) how.narrow[i] = narrowed(how.wide[i]);
            for (std::size_t i = 0; i < numbers; i += twobone::STEP_NUMBERS)
                if (how.wide[i] != 0.0 && how.wide[i] != 1.0 && how.wide[i] != 2.0) return false;
            return true;
        }
        constexpr twobone::Policy POLICIES[] = {twobone::clamp, twobone::stretch, twobone::nan_};
        for (int i = 0; numbers == 0 && i < 3; i++) {
            if (word != i) continue;
            how.policy = POLICIES[i];
            return true;
        }
        return false;
    }
};

XLA_FFI_Error *fail(const XLA_FFI_CallFrame &frame) {
    XLA_FFI_Error_Create_Args args{};
    args.struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE;
    args.message = WRONG;
    args.errc = XLA_FFI_Error_Code_INVALID_ARGUMENT;
    return frame.api->XLA_FFI_Error_Create(&args);
}

// Answer a call of XLA, which may also ask for the version that this was written for.
template <bool (*DO)(Call &)> XLA_FFI_Error *handle(XLA_FFI_CallFrame *frame) {
    for (XLA_FFI_Extension_Base *extension = frame->extension_start; extension; extension = extension->next) {
        if (extension->type != XLA_FFI_Extension_Metadata) continue;
        XLA_FFI_Metadata &metadata = *reinterpret_cast<XLA_FFI_Metadata_Extension *>(extension)->metadata;
        metadata.api_version.major_version = XLA_FFI_API_MAJOR;
        metadata.api_version.minor_version = XLA_FFI_API_MINOR;
        return nullptr;
    }
    if (frame->stage != XLA_FFI_ExecutionStage_EXECUTE) return nullptr;
    Call call(*frame);
    const Standard standard;
    return DO(call) ? nullptr : fail(*frame);
}

// --- what is called -----------------------------------------------------------------------

// target, r1, r2, side[, pole][, steps] -> joint[, end, status]
bool solve(Call &call) {
    twobone::Limbs &limbs = call.limbs;
    const bool whole = call.frame.rets.size == 3;
    if (!call.begin(1, true) || (call.frame.rets.size != 1 && !whole) || call.next != call.frame.args.size)
        return false;
    if (!call.write(0, true, limbs.joint)) return false;
    if (whole) {
        const XLA_FFI_Buffer *codes = call.result(2);
        if (!call.write(1, true, limbs.end) || !codes || codes->dtype != XLA_FFI_DataType_S8) return false;
        if (!call.arrays.add(*codes, 1, 0, true, limbs.status)) return false;
    }
    const twobone::Loops &loops = twobone::loops_in_use();
    const auto run = (call.space() ? loops.space : loops.plane)[call.wide];
    call.arrays.for_all([&](ptrdiff_t rows) {
        limbs.count = rows;
        run(limbs);
    });
    return true;
}

template <class T> const T ZEROS[] = {0, 0, 0};

template <class T> Column constant(const T *vector) {
    return {const_cast<char *>(reinterpret_cast<const char *>(vector)), 0, sizeof(T)};
}

// target, r1, r2, side[, pole][, joint][, end] -> target[, r1, r2[, pole]]
template <class T> bool pull_as(Call &call) {
    twobone::Pulls pulls{};
    const std::int64_t all = call.space() ? 4 : 3, results = call.frame.rets.size;
    const bool rest = results == all;
    if (results != 1 && !rest) return false;
    pulls.joint = constant(ZEROS<T>);
    if (call.given & by_joint && !call.read(true, pulls.joint)) return false;
    if (call.given & by_end && !call.read(true, pulls.end)) return false;
    if (call.next != call.frame.args.size || !call.write(0, true, pulls.by_target)) return false;
    if (rest && !(call.write(1, false, pulls.by_r1) && call.write(2, false, pulls.by_r2))) return false;
    if (rest && call.space() && !call.write(3, true, pulls.by_pole)) return false;
    const twobone::Loops &loops = twobone::loops_in_use();
    const auto run = (call.space() ? loops.pull_in_space : loops.pull_in_plane)[call.wide];
    call.arrays.for_all([&](ptrdiff_t rows) {
        pulls.limbs = call.limbs;
        pulls.limbs.count = rows;
        run(pulls);
    });
    return true;
}

bool pull(Call &call) { return call.begin(1) && (call.wide ? pull_as<double>(call) : pull_as<float>(call)); }

// target, r1, r2, side[, pole], the tangents that are given -> joint[, end]
bool push(Call &call) {
    if (!call.begin(1)) return false;
    const bool whole = call.frame.rets.size == 2;
    if (call.frame.rets.size != 1 && !whole) return false;
    twobone::Pushes pushes{};
    Column along[4] = {};
    if (!call.read_some(call.given, along)) return false;
    if (call.next != call.frame.args.size || !call.write(0, true, pushes.joint)) return false;
    if (whole && !call.write(1, true, pushes.end)) return false;
    const twobone::Loops &loops = twobone::loops_in_use();
    const auto run = (call.space() ? loops.push_in_space : loops.push_in_plane)[call.wide];
    call.arrays.for_all([&](ptrdiff_t rows) {
        pushes.limbs = call.limbs;
        pushes.limbs.count = rows;
        pushes.along_target = along[0];
        pushes.along_r1 = along[1];
        pushes.along_r2 = along[2];
        pushes.along_pole = along[3];
        run(pushes);
    });
    return true;
}

// --- second derivatives -------------------------------------------------------------------

// Solve any limbs of dual numbers of dual numbers: they are differentiated in two directions, one after the other.
template <int D, class V>
NOINLINE void answer_twice(const Given<D, Dual<Dual<V>>> &given, int policy, const twobone::Step<double> *steps,
                           int count, double eps, Results<D, Dual<Dual<V>>> &results) {
    answer(given, policy, steps, count, eps, results);
}

// Which argument a number of a limb belongs to (target, r1, r2 or pole), and which component it is.
struct Place {
    int which, part;
};
template <int D> Place place_of(int number) {
    if (number < D) return {0, number};
    return number < D + 2 ? Place{number - D + 1, 0} : Place{3, number - D - 2};
}

// Limbs of doubles, which came as T, and two directions.
template <class T, int D> struct Twice {
    using V = Lane<double>;
    static constexpr int N = Lanes<V>::count, ALL_NUMBERS = COUNT<D>;
    const twobone::Limbs &limbs;
    const How &how;
    twobone::Step<double> steps[twobone::MOST_STEPS];
    V numbers[ALL_NUMBERS], step[ALL_NUMBERS], side;

    Twice(const twobone::Limbs &limbs_, const How &how_) : limbs(limbs_), how(how_) {
        for (int i = 0; i < how.step_count; i++) {
            const int at = i * twobone::STEP_NUMBERS;
            steps[i].kind = static_cast<int>(how.wide[at]);
            for (int j = 0; j < 4; j++)
                steps[i].numbers[j] = sizeof(T) == 4 ? how.narrow[at + 1 + j] : how.wide[at + 1 + j];
        }
    }

    void read(ptrdiff_t row, int rows) {
        Given<D, V> given;
        for (int i = 0; i < D; i++) given.p[i] = gather<V, T>(limbs.target, i, row, rows);
        given.r1 = gather<V, T>(limbs.r1, 0, row, rows);
        given.r2 = gather<V, T>(limbs.r2, 0, row, rows);
        for (int i = 0; D == 3 && i < 3; i++) given.pole[i] = gather<V, T>(limbs.pole, i, row, rows);
        side = gather<V, T>(limbs.side, 0, row, rows);
        list_numbers(given, numbers);
        V sizes[ALL_NUMBERS];
        list_sizes(given, numbers, sizes);
        for (int i = 0; i < ALL_NUMBERS; i++) step[i] = step_for(sizes[i]);
    }

    // Read a direction, and divide it by a power of two, which is returned, so that it is no longer than the steps.
    V read_direction(const Column *columns, ptrdiff_t row, int rows, V *direction) const {
        V most = real<V>(0);
        for (int i = 0; i < ALL_NUMBERS; i++) {
            const auto [which, part] = place_of<D>(i);
            direction[i] = columns[which].data ? gather<V, T>(columns[which], part, row, rows) : real<V>(0);
            most = larger(most, magnitude(direction[i]) / step[i]);
        }
        const V unit = step_for(smaller(most, V(0x1p1000)));  // `step_for` is for finite sizes
        for (int i = 0; i < ALL_NUMBERS; i++) direction[i] = direction[i] / unit;
        return unit;
    }

    // Solve with the numbers moved in two directions.
    void solve(const V *first, const V *second, Results<D, Dual<Dual<V>>> &results) const {
        const V zero = real<V>(0);
        Dual<Dual<V>> moved[ALL_NUMBERS];
        for (int i = 0; i < ALL_NUMBERS; i++) moved[i] = {{numbers[i], first[i]}, {second[i], zero}};
        const auto given = from_list<D, Dual<Dual<V>>>(moved, {{side, zero}, {zero, zero}});
        answer_twice(given, limbs.policy, steps, how.step_count, double(Real<T>::eps), results);
    }
};

// target, r1, r2, side[, pole], two lists of tangents -> joint[, end]
template <class T, int D> bool bend_as(Call &call) {
    const bool whole = call.frame.rets.size == 2;
    Column first[4] = {}, second[4] = {}, out[2] = {};
    if (call.frame.rets.size != 1 && !whole) return false;
    if (!call.read_some(call.given, first) || !call.read_some(call.given >> 4, second)) return false;
    if (call.next != call.frame.args.size || !call.write(0, true, out[0])) return false;
    if (whole && !call.write(1, true, out[1])) return false;
    using B = Twice<T, D>;
    using V = typename B::V;
    call.arrays.for_all([&](ptrdiff_t count) {
        B limbs(call.limbs, call.how);
        for (ptrdiff_t row = 0; row < count; row += B::N) {
            const int rows = count - row < B::N ? int(count - row) : B::N;
            limbs.read(row, rows);
            V one[COUNT<D>], two[COUNT<D>];
            const V unit = limbs.read_direction(first, row, rows, one);
            const V other = limbs.read_direction(second, row, rows, two);
            Results<D, Dual<Dual<V>>> found;
            limbs.solve(one, two, found);
            T lanes[B::N];
            for (int which = 0; which <= whole; which++)
                for (int i = 0; i < D; i++) {
                    store(lanes, within<T>((which ? found.end : found.joint)[i].slope.slope * unit * other));
                    scatter(lanes, out[which], i, row, rows);
                }
        }
    });
    return true;
}

// target, r1, r2, side[, pole], tangents[, joint][, end] -> target[, r1, r2[, pole]]
template <class T, int D> bool curve_as(Call &call) {
    const std::int64_t all = D == 3 ? 4 : 3, results = call.frame.rets.size;
    const bool rest = results == all;
    if (results != 1 && !rest) return false;
    Column along[4] = {}, bars[2] = {}, out[4] = {};
    if (!call.read_some(call.given, along)) return false;
    for (int i = 0; i < 2; i++)
        if (call.given >> (4 + i) & 1 && !call.read(true, bars[i])) return false;
    if (call.next != call.frame.args.size) return false;
    for (int i = 0; i < int(results); i++)
        if (!call.write(i, i == 0 || i == 3, out[i])) return false;
    using B = Twice<T, D>;
    using V = typename B::V;
    call.arrays.for_all([&](ptrdiff_t count) {
        B limbs(call.limbs, call.how);
        for (ptrdiff_t row = 0; row < count; row += B::N) {
            const int rows = count - row < B::N ? int(count - row) : B::N;
            limbs.read(row, rows);
            V direction[COUNT<D>];
            const V unit = limbs.read_direction(along, row, rows, direction);
            for (int j = 0; j < (rest ? COUNT<D> : D); j++) {
                V axis[COUNT<D>];
                for (int i = 0; i < COUNT<D>; i++) axis[i] = i == j ? limbs.step[i] : real<V>(0);
                Results<D, Dual<Dual<V>>> found;
                limbs.solve(axis, direction, found);
                V sum = real<V>(0);
                for (int i = 0; i < D; i++) {
                    if (bars[0].data)
                        sum = sum + gather<V, T>(bars[0], i, row, rows) *
                                        within<T>(found.joint[i].slope.slope / limbs.step[j] * unit);
                    if (bars[1].data)
                        sum = sum + gather<V, T>(bars[1], i, row, rows) *
                                        within<T>(found.end[i].slope.slope / limbs.step[j] * unit);
                }
                T lanes[B::N];
                store(lanes, within<T>(sum));
                const auto [which, part] = place_of<D>(j);
                scatter(lanes, out[which], part, row, rows);
            }
        }
    });
    return true;
}

bool bend(Call &call) {
    if (!call.begin(1)) return false;
    if (call.space()) return call.wide ? bend_as<double, 3>(call) : bend_as<float, 3>(call);
    return call.wide ? bend_as<double, 2>(call) : bend_as<float, 2>(call);
}

bool curve(Call &call) {
    if (!call.begin(1)) return false;
    if (call.space()) return call.wide ? curve_as<double, 3>(call) : curve_as<float, 3>(call);
    return call.wide ? curve_as<double, 2>(call) : curve_as<float, 2>(call);
}

void (*as_plain(XLA_FFI_Handler *function))() { return reinterpret_cast<void (*)()>(function); }

}  // namespace

const twobone::XlaHandler twobone::xla_handlers[XLA_HANDLERS] = {
    {"twobone_solve", as_plain(handle<solve>)}, {"twobone_push", as_plain(handle<push>)},
    {"twobone_pull", as_plain(handle<pull>)},   {"twobone_bend", as_plain(handle<bend>)},
    {"twobone_curve", as_plain(handle<curve>)},
};
