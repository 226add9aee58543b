// Solve random limbs and run random programs with the kernel's loops, and print a hash of each batch's results.
// `kernel_processors.py` compiles this for several processors and compares what they print.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "loops.hpp"

using namespace twobone;

namespace {

struct Random {
    std::uint64_t state;
    std::uint64_t bits() {  // splitmix64
        std::uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
    double uniform() { return double(bits() >> 11) * 0x1p-53; }
    double between(double low, double high) { return low + (high - low) * uniform(); }
    int below(int count) { return int(bits() % std::uint64_t(count)); }
    double tiny(int most) {
        const int power = below(most);
        return std::ldexp(uniform(), -power);
    }
};

template <class T> T any_bits(Random &random) {
    const std::uint64_t bits = random.bits();
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// FNV-1a of results; all NaN are alike, because processors differ in their sign.
struct Hash {
    std::uint64_t state = 0xcbf29ce484222325;
    void add(std::uint64_t word) { state = (state ^ word) * 0x100000001b3; }
    template <class T> void add_number(T value) {
        std::uint64_t bits = 0;
        if (value != value) value = T(12345);
        std::memcpy(&bits, &value, sizeof value);
        add(bits);
    }
};

enum Family { ordinary, scaled, patterns, tiny_parts, at_the_ring, along_the_pole, thin, FAMILIES };

template <class T> struct Batch {
    int size;
    std::vector<T> target, r1, r2, side, pole, joint, end;
    std::vector<signed char> status;

    Batch(Random &random, int count, int size_, int family, bool shared) : size(size_) {
        const T eps = sizeof(T) == 4 ? T(0x1p-23) : T(0x1p-52);
        const double first = random.between(0.3, 3.0), second = random.between(0.3, 3.0);
        const int most = sizeof(T) == 4 ? 120 : 1000;
        double unit = family == scaled ? std::ldexp(1.0, random.below(2 * most) - most) : 1.0;
        const double along = std::ldexp(1.0, random.below(24));
        double shared_pole[3];
        for (double &part : shared_pole) part = random.between(-1.0, 1.0);
        for (int row = 0; row < count; row++) {
            if (family == scaled && !shared) unit = std::ldexp(1.0, random.below(2 * most) - most);
            double a = shared ? first : random.between(0.3, 3.0), b = shared ? second : random.between(0.3, 3.0);
            if (family == thin) a /= along;
            double p[3], n[3], square = 0.0;
            for (int i = 0; i < size; i++) square += (p[i] = random.between(-1.0, 1.0)) * p[i];
            for (int i = 0; i < 3; i++) n[i] = shared ? shared_pole[i] : random.between(-1.0, 1.0);
            double length = random.between(0.0, 1.4) * (a + b);
            if (family == at_the_ring) {
                length = random.below(2) ? a + b : std::fabs(a - b);
                length *= 1.0 + eps * (random.below(9) - 4);
            }
            for (int i = 0; i < size; i++) {
                p[i] *= length / std::sqrt(square);
                if (family == along_the_pole) n[i] = p[i] * (1.0 + 2.0 * eps * (random.below(9) - 4));
                if (family == tiny_parts && random.below(3) == 0) p[i] = random.tiny(2 * most);
                if (family == tiny_parts && random.below(3) == 0) n[i] = random.below(2) ? 0.0 : random.tiny(most);
            }
            r1.push_back(family == patterns && !shared ? any_bits<T>(random) : T(a * unit));
            r2.push_back(family == patterns && !shared ? any_bits<T>(random) : T(b * unit));
            side.push_back(random.below(2) ? T(1) : T(-1));
            for (int i = 0; i < size; i++) target.push_back(family == patterns ? any_bits<T>(random) : T(p[i] * unit));
            for (int i = 0; i < 3; i++) pole.push_back(family == patterns ? any_bits<T>(random) : T(n[i]));
        }
        joint.resize(count * size);
        end.resize(count * size);
        status.resize(count);
    }

    Column column(std::vector<T> &values, int parts, bool moves) {
        const std::ptrdiff_t part = sizeof(T);
        return {reinterpret_cast<char *>(values.data()), moves ? part * parts : 0, part};
    }
};

template <class T> std::uint64_t solve(const Loops &loops, Random &random, int size, int family) {
    const int count = 1 + random.below(500);
    const bool shared = random.below(2), whole = random.below(2);
    Batch<T> batch(random, count, size, family, shared);
    Limbs limbs = {};
    limbs.count = count;
    limbs.policy = Policy(random.below(3));
    limbs.target = batch.column(batch.target, size, true);
    limbs.r1 = batch.column(batch.r1, 1, !shared);
    limbs.r2 = batch.column(batch.r2, 1, !shared);
    limbs.side = batch.column(batch.side, 1, !shared);
    limbs.pole = batch.column(batch.pole, 3, !shared);
    limbs.joint = batch.column(batch.joint, size, true);
    if (whole) {
        limbs.end = batch.column(batch.end, size, true);
        limbs.status = {reinterpret_cast<char *>(batch.status.data()), 1, 1};
    }
    std::vector<T> steps;
    if (random.below(3) == 0) {  // a chain of Soft, Stretch and Limits
        limbs.step_count = 1 + random.below(3);
        for (int i = 0; i < limbs.step_count; i++) {
            const double least = random.uniform(), greatest = random.between(least, 1.0);
            const int kind = random.below(3);
            const double numbers[3][4] = {{random.uniform(), 0, 0, 0},
                                          {random.between(1.0, 2.0), double(random.below(2)), 0, 0},
                                          {least, 1.0 - least, greatest, 1.0 - greatest}};
            steps.push_back(T(kind));
            for (double number : numbers[kind]) steps.push_back(T(number));
        }
        limbs.steps = batch.column(steps, 0, false);
    }
    (size == 2 ? loops.plane : loops.space)[sizeof(T) == 8](limbs);
    const std::ptrdiff_t columns = size == 2 ? 4 : 8, part = sizeof(T);
    std::vector<T> slopes(2 * count * size * columns);
    LimbSlopes derivatives = {limbs, {}, {}};
    derivatives.joint = {reinterpret_cast<char *>(slopes.data()), size * columns * part, columns * part, part};
    derivatives.end = derivatives.joint;
    derivatives.end.data += count * size * columns * part;
    (size == 2 ? loops.slopes_in_plane : loops.slopes_in_space)[sizeof(T) == 8](derivatives);
    Hash hash;
    for (T value : slopes) hash.add_number(value);
    // Products of the Jacobians with targets and poles, as tangents or as derivatives of a loss.
    std::vector<T> pulled(count * 8), pushed(count * 6);
    auto place = [&](std::vector<T> &values, int parts, int before) {
        Column column = batch.column(values, parts, true);
        column.data += count * before * part;
        return column;
    };
    Pulls pulls = {limbs, limbs.target, {}, place(pulled, size, 0), {}, {}, {}};
    if (whole) {
        pulls.end = limbs.target;
        pulls.by_r1 = place(pulled, 1, 3);
        pulls.by_r2 = place(pulled, 1, 4);
        pulls.by_pole = place(pulled, 3, 5);
    }
    (size == 2 ? loops.pull_in_plane : loops.pull_in_space)[sizeof(T) == 8](pulls);
    Pushes pushes = {limbs, limbs.target, limbs.r1, {}, limbs.pole, place(pushed, size, 0), {}};
    if (whole) pushes.end = place(pushed, size, 3);
    (size == 2 ? loops.push_in_plane : loops.push_in_space)[sizeof(T) == 8](pushes);
    for (T value : pulled) hash.add_number(value);
    for (T value : pushed) hash.add_number(value);
    for (T value : batch.joint) hash.add_number(value);
    if (whole) {
        for (T value : batch.end) hash.add_number(value);
        for (signed char value : batch.status) hash.add(std::uint64_t(value));
    }
    return hash.state;
}

template <class T> std::uint64_t run(const Loops &loops, Random &random) {
    constexpr int INPUTS = 4, OUTPUTS = 6;
    const int count = 1 + random.below(300);
    std::vector<T> inputs(INPUTS * count), outputs(OUTPUTS * count);
    for (T &value : inputs) value = random.below(9) ? T(random.between(-2.0, 2.0)) : any_bits<T>(random);
    std::vector<double> constants;
    for (int i = 0; i < 5; i++) constants.push_back(random.between(-2.0, 2.0));
    std::vector<Instruction> code;
    int values = 0;
    for (int i = 0; i < INPUTS; i++) code.push_back({op_read, values++, i, 0, 0});
    auto operand = [&] { return random.below(4) ? random.below(values) : ~random.below(5); };
    for (int i = 0; i < 40; i++) {
        const int op = op_add + random.below(op_slopes + 1 - op_add);
        const int a = operand(), b = operand(), c = operand();
        code.push_back({op, values, a, b, c});
        values++;
        for (int more = op == op_triangle ? 1 : op == op_slopes ? 3 : 0; more; more--) {
            const bool last = op == op_slopes && more == 1;  // which has two results
            code.push_back({op_more, 0, values, values + 1, last ? values : values + 2});
            values += last ? 2 : 3;
        }
    }
    for (int i = 0; i < OUTPUTS; i++) code.push_back({op_write, 0, i, values - 1 - i, 0});
    double steps[2 * STEP_NUMBERS] = {0, random.uniform(), 0, 0, 0, 1, random.between(1.0, 2.0), 1, 0, 0};
    const Program program = {code.data(),      int(code.size()),        values, 5,
                             constants.data(), Policy(random.below(3)), steps,  random.below(3)};
    ProgramData data = {};
    data.count = count;
    data.frames = 1;
    data.input_count = INPUTS;
    data.output_count = OUTPUTS;
    const std::ptrdiff_t size = sizeof(T);
    for (int i = 0; i < MOST_ARRAYS; i++) data.carried[i] = -1;
    for (int i = 0; i < INPUTS; i++) data.inputs[i] = {reinterpret_cast<char *>(&inputs[i * count]), size, size};
    for (int i = 0; i < OUTPUTS; i++) data.outputs[i] = {reinterpret_cast<char *>(&outputs[i * count]), size, size};
    Hash hash;
    hash.add(loops.programs[sizeof(T) == 8](program, data));
    for (T value : outputs) hash.add_number(value);
    return hash.state;
}

}  // namespace

// The loops are compiled under the name `baseline`, whatever the processor.
int main(int count, char **arguments) {
    if (count != 2) return 2;
    for (long batch = std::atol(arguments[1]), i = 0; i < batch; i++) {
        Random random = {std::uint64_t(i) * 0x2545f4914f6cdd1d + 1};
        const int kind = int(i % 5), family = int(i / 5 % FAMILIES);
        std::uint64_t hash;
        if (kind == 4) hash = i / 5 % 2 ? run<float>(baseline, random) : run<double>(baseline, random);
        else if (kind % 2) hash = solve<float>(baseline, random, 2 + kind / 2, family);
        else hash = solve<double>(baseline, random, 2 + kind / 2, family);
        std::printf("%ld kind %d family %d: %016llx\n", i, kind, family, static_cast<unsigned long long>(hash));
    }
}
