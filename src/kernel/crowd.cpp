// The class `Crowd`: animals of one kind that walk on one ground. It is `twobone.creature.crowd.Crowd` with the walker
// that is printed from Python (stepping/*.hpp). The bits are the same; compile it without contraction.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <numpy/arrayobject.h>

#include "crowd.hpp"
#include "loops.hpp"
#include "stepping/anatomy.hpp"
#include "stepping/command.hpp"
#include "stepping/heights.hpp"
#include "stepping/journey.hpp"
#include "stepping/legs.hpp"
#include "stepping/records.hpp"
#include "stepping/shown.hpp"
#include "stepping/standing.hpp"

namespace {

namespace stepping = twobone::stepping;
namespace heights = stepping::heights;
namespace journeys = stepping::journey;
using py::Int;
using stepping::anatomy::Anatomy;
using stepping::records::Journey;
using stepping::records::Order;
using Journeys = std::vector<Journey>;

// A Python error is set: what is being computed ends here.
struct Raised {};

// --- references ---------------------------------------------------------------------------

// Owns a reference, which may be null.
class Object {
  public:
    explicit Object(PyObject *object = nullptr) : object(object) {}
    Object(Object &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
    Object &operator=(Object &&other) noexcept {
        std::swap(object, other.object);
        return *this;
    }
    ~Object() { Py_XDECREF(object); }
    PyObject *get() const { return object; }
    PyObject *release() { return std::exchange(object, nullptr); }
    explicit operator bool() const { return object; }

  private:
    PyObject *object;
};

// The same reference, or the end where there is none because of an error.
Object needed(PyObject *object) {
    if (!object) throw Raised{};
    return Object(object);
}

// --- records from Python ------------------------------------------------------------------

inline void read(PyObject *value, double &found) {
    found = PyFloat_AsDouble(value);
    if (found == -1.0 && PyErr_Occurred()) throw Raised{};
}

inline void read(PyObject *value, Int &found) {
    found = PyLong_AsLongLong(value);
    if (found == -1 && PyErr_Occurred()) throw Raised{};
}

inline void read(PyObject *value, bool &found) {
    const int truth = PyObject_IsTrue(value);
    if (truth < 0) throw Raised{};
    found = truth;
}

inline void read(PyObject *value, std::string &found) {
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(value, &size);
    if (!text) throw Raised{};
    found.assign(text, std::size_t(size));
}

template <class T> void read(PyObject *value, std::vector<T> &found);

// A record: its fields are attributes.
template <class T> void read(PyObject *value, T &found) {
    auto field = [&](const char *name, auto &part) { read(needed(PyObject_GetAttrString(value, name)).get(), part); };
    T::visit(found, field);
}

template <class T> void read(PyObject *value, std::vector<T> &found) {
    const Object items = needed(PySequence_Tuple(value));
    found.clear();
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.get()); i++) {
        found.emplace_back();
        read(PyTuple_GET_ITEM(items.get(), i), found.back());
    }
}

// Call a function with each number of a record, in the order of its fields.
template <class Each> void each_number(double &number, const Each &each) { each(number); }
template <class Each> void each_number(Int &number, const Each &each) { each(number); }
template <class Each> void each_number(bool &number, const Each &each) { each(number); }
template <class T, class Each> void each_number(std::vector<T> &items, const Each &each) {
    for (T &item : items) each_number(item, each);
}
template <class T, class Each> void each_number(T &record, const Each &each) {
    auto field = [&](const char *, auto &part) { each_number(part, each); };
    T::visit(record, field);
}

// An animal whose indices and lengths fit each other; what its numbers may be, `creature/checking.py` says.
Anatomy anatomy_of(PyObject *value) {
    Anatomy animal{};
    read(value, animal);
    const std::size_t legs = animal.legs.size();
    bool fits = legs > 0 && !animal.along.empty() && !animal.gaits.empty() && animal.tail >= 0;
    for (const auto &leg : animal.legs) fits = fits && leg.station >= 0 && leg.station < Int(animal.along.size());
    for (const auto &gait : animal.gaits)
        fits = fits && gait.offsets_low.size() == legs && gait.offsets_high.size() == legs;
    for (std::size_t i = 0; i < animal.links.size(); i++) {
        const auto &link = animal.links[i];
        fits = fits && link.parent >= -1 && link.parent < Int(i) && link.leg >= -1 && link.leg < Int(legs);
    }
    if (fits) return animal;
    PyErr_SetString(PyExc_ValueError, "the stations, legs, gaits, links or tail of an animal do not fit each other");
    throw Raised{};
}

// --- the ground ---------------------------------------------------------------------------

// What `Terrain.for_kernel` says: a formula, or that Python is called.
class Ground {
  public:
    explicit Ground(PyObject *terrain) {
        const Object found = needed(PyObject_CallMethod(terrain, "for_kernel", nullptr));
        if (found.get() == Py_None) return;
        std::string name;
        read(item(found.get(), 0), name);
        if (name == "level") {
            kind = LEVEL;
            numbers(found.get(), 1);
        } else if (name == "slope") {
            kind = SLOPE;
            numbers(found.get(), 2);
        } else if (name == "steps") {
            kind = STEPS;
            numbers(found.get(), 3);
        } else if (name == "noise") {
            kind = NOISE;
            read_waves(found.get());
        } else if (name == "grid") {
            kind = GRID;
            read(item(found.get(), 1), grid);
            for (const auto &row : grid.heights) require(row.size() == grid.heights[0].size());
            require(!grid.heights.empty() && !grid.heights[0].empty());
        } else {
            require(false);
        }
    }
    Ground(const Ground &) = delete;

    bool is_own() const { return kind == OWN; }

    // The height at a place; `own` is called where the ground is no formula.
    double height(double x, double z, PyObject *own) const {
        switch (kind) {
        case LEVEL: return given[0];
        case SLOPE: return heights::slope_height(given[0], given[1], x, z);
        case STEPS: return heights::steps_height(given[0], given[1], given[2], z);
        case NOISE: return twobone::loops_in_use().wave_height(waves, x, z);
        case GRID: return heights::grid_height(grid, x, z);
        default: return called(own, x, z);
        }
    }

  private:
    enum Kind { OWN, LEVEL, SLOPE, STEPS, NOISE, GRID } kind = OWN;
    double given[3] = {};
    heights::Grid grid{};
    std::vector<double> along, phase, coefficients;
    twobone::Waves waves{};

    static void require(bool holds) {
        if (holds) return;
        PyErr_SetString(PyExc_ValueError, "not a ground of this kernel");
        throw Raised{};
    }

    static PyObject *item(PyObject *tuple, Py_ssize_t i) {
        require(PyTuple_Check(tuple) && i < PyTuple_GET_SIZE(tuple));
        return PyTuple_GET_ITEM(tuple, i);
    }

    void numbers(PyObject *tuple, int count) {
        for (int i = 0; i < count; i++) read(item(tuple, 1 + i), given[i]);
    }

    void read_waves(PyObject *tuple) {
        std::vector<heights::Wave> found;
        read(item(tuple, 1), found);
        read(item(tuple, 2), waves.high);
        read(item(tuple, 3), coefficients);
        require(found.size() <= twobone::MOST_WAVES && coefficients.size() == twobone::COSINE_TERMS);
        for (const auto &wave : found) along.push_back(wave.along_x);
        for (const auto &wave : found) along.push_back(wave.along_z);
        for (const auto &wave : found) phase.push_back(wave.phase);
        waves.count = int(found.size());
        waves.along = along.data();
        waves.phase = phase.data();
        waves.coefficients = coefficients.data();
    }

    static double called(PyObject *function, double x, double z) {
        const Object left = needed(PyFloat_FromDouble(x)), ahead = needed(PyFloat_FromDouble(z));
        PyObject *const given[] = {left.get(), ahead.get()};
        double height;
        read(needed(PyObject_Vectorcall(function, given, 2, nullptr)).get(), height);
        if (std::isfinite(height)) return height;
        PyErr_Format(PyExc_ValueError, "the height of the ground at (%S, %S) is not finite", given[0], given[1]);
        throw Raised{};
    }
};

// The ground as the walker takes it: a function of places.
struct Heights {
    const Ground &ground;
    PyObject *own;
    double operator()(double x, double z) const { return ground.height(x, z, own); }
};

// --- the class ----------------------------------------------------------------------------

struct Members {
    Anatomy animal;
    // Of what follows. A signal handler may look at a crowd that walks for long, in the same thread.
    std::recursive_mutex mutex;
    Journeys journeys;
    std::shared_ptr<const Ground> ground;
};

struct Crowd {
    PyObject_HEAD PyObject *animal, *terrain;
    Members *members;
};

// Holds the animals of a crowd. Who waits for them lets other threads run Python.
class Lock {
  public:
    explicit Lock(std::recursive_mutex &mutex) : mutex(mutex) {
        if (mutex.try_lock()) return;
        Py_BEGIN_ALLOW_THREADS;
        mutex.lock();
        Py_END_ALLOW_THREADS;
    }
    Lock(const Lock &) = delete;
    ~Lock() { mutex.unlock(); }

  private:
    std::recursive_mutex &mutex;
};

// Lets other threads run Python, if that is worth it.
class Released {
  public:
    explicit Released(bool is_long) : state(is_long ? PyEval_SaveThread() : nullptr) {}
    Released(const Released &) = delete;
    ~Released() { take(); }
    void take() {
        if (state) PyEval_RestoreThread(std::exchange(state, nullptr));
    }

  private:
    PyThreadState *state;
};

constexpr double LONG = 64.0;  // steps, each of some microseconds: others run Python meanwhile
constexpr double SHARE = 200.0;  // steps per thread: with fewer, a thread costs more than it saves
// Steps after which an interrupt is looked at; the animals are kept as they were before.
constexpr double VERY_LONG = 20000.0;

// Call `work(from, to)` for parts of the rows, on so many threads at most; raise the first error. `each` is the number
// of steps of a row.
template <class Work>
void shared(npy_intp from, npy_intp to, double each, npy_intp threads, const Work &work) {
    const npy_intp size = to - from;
    const double most = std::min(each * size / SHARE, double(std::min(threads, size)));
    const npy_intp parts = std::max(npy_intp(1), npy_intp(most));
    std::vector<std::exception_ptr> errors(parts);
    auto run = [&](npy_intp part) {
        try {
            work(from + size * part / parts, from + size * (part + 1) / parts);
        } catch (...) {
            errors[part] = std::current_exception();
        }
    };
    std::vector<std::thread> helpers;
    helpers.reserve(parts);
    npy_intp begun = 1;
    try {
        for (; begun < parts; begun++) helpers.emplace_back(run, begun);
    } catch (const std::system_error &) {  // there are too many threads
    }
    run(0);
    for (npy_intp part = begun; part < parts; part++) run(part);
    for (std::thread &helper : helpers) helper.join();
    for (const std::exception_ptr &error : errors)
        if (error) std::rethrow_exception(error);
}

// Clear the flags of what was computed, of which NumPy may warn. To look at them is much faster.
void clear_flags() {
    if (std::fetestexcept(FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID)) std::feclearexcept(FE_ALL_EXCEPT);
}

// Run a method; errors of Python and missing memory end it.
template <class Method> PyObject *guarded(const Method &method) {
    PyObject *found = nullptr;
    try {
        found = method().release();
    } catch (const Raised &) {
    } catch (const std::bad_alloc &) {
        PyErr_NoMemory();
    }
    clear_flags();
    return found;
}

Crowd &crowd_of(PyObject *self) { return *reinterpret_cast<Crowd *>(self); }

// What is set of the ground: the terrain, the formula, and for ground that is none the function to call.
struct Footing {
    Object terrain, own;
    std::shared_ptr<const Ground> ground;
    Heights heights() const { return {*ground, own.get()}; }
};

Footing footing_of(PyObject *terrain, std::shared_ptr<const Ground> ground) {
    Object own(ground->is_own() ? needed(PyObject_GetAttrString(terrain, "height_at")) : Object());
    return {Object(Py_NewRef(terrain)), std::move(own), std::move(ground)};
}

Footing footing_of(Crowd &crowd) {
    Object terrain;
    std::shared_ptr<const Ground> ground;
    {
        const Lock lock(crowd.members->mutex);
        terrain = Object(Py_XNewRef(crowd.terrain));
        ground = crowd.members->ground;
    }
    if (!terrain) throw(PyErr_SetString(PyExc_ReferenceError, "the terrain is gone"), Raised{});
    return footing_of(terrain.get(), std::move(ground));
}

// Numbers of each animal.
class Rows {
  public:
    Rows(PyObject *value, npy_intp count, npy_intp width)
        : array(needed(PyArray_FROM_OTF(value, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO))) {
        auto *found = reinterpret_cast<PyArrayObject *>(array.get());
        const bool fits = PyArray_NDIM(found) == 2 && (count < 0 || PyArray_DIM(found, 0) == count) &&
                          (width < 0 || PyArray_DIM(found, 1) == width);
        if (!fits) {
            PyErr_SetString(PyExc_ValueError, "an array with a row for each animal is needed");
            throw Raised{};
        }
        rows = PyArray_DIM(found, 0);
        columns = PyArray_DIM(found, 1);
        data = static_cast<const double *>(PyArray_DATA(found));
    }
    npy_intp size() const { return rows; }
    npy_intp width() const { return columns; }
    const double *operator[](npy_intp row) const { return data + row * columns; }

  private:
    Object array;
    npy_intp rows, columns;
    const double *data;
};

// Writes the numbers of an array, one after the other.
template <class T> struct Writer {
    T *next;
    void add(T number) { *next++ = number; }
    // All numbers of a record.
    template <class Record> void add_all(const Record &record) {
        auto field = [&](const char *, const double &number) { add(number); };
        Record::visit(record, field);
    }
};

// A new array with a row for each animal.
template <class T = double> class Made {
  public:
    Made(std::initializer_list<npy_intp> shape, int type = NPY_DOUBLE)
        : array(needed(PyArray_SimpleNew(int(shape.size()), const_cast<npy_intp *>(shape.begin()), type))),
          data(static_cast<T *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(array.get())))),
          width(std::accumulate(shape.begin() + 1, shape.end(), npy_intp(1), std::multiplies<>())) {}
    Writer<T> from(npy_intp row) { return {data + row * width}; }
    PyObject *release() { return array.release(); }

  private:
    Object array;
    T *data;
    npy_intp width;
};

// A crowd of animals on the way.
Object made(PyTypeObject *type, PyObject *animal, PyObject *terrain, Anatomy &&anatomy, Journeys &&all,
            std::shared_ptr<const Ground> ground) {
    Object self = needed(type->tp_alloc(type, 0));
    Crowd &crowd = crowd_of(self.get());
    crowd.members = new Members{std::move(anatomy), {}, std::move(all), std::move(ground)};
    crowd.animal = Py_NewRef(animal);
    crowd.terrain = Py_NewRef(terrain);
    return self;
}

PyObject *make(PyTypeObject *type, PyObject *args, PyObject *names) {
    return guarded([&] {
        static const char *const words[] = {"animal", "terrain", "starts", nullptr};
        PyObject *animal, *terrain, *starts;
        if (!PyArg_ParseTupleAndKeywords(args, names, "OOO:Crowd", const_cast<char **>(words), &animal, &terrain,
                                         &starts))
            throw Raised{};
        Anatomy anatomy = anatomy_of(animal);
        const Footing footing = footing_of(terrain, std::make_shared<const Ground>(terrain));
        const Rows rows(starts, -1, 3);
        Journeys all;
        for (npy_intp i = 0; i < rows.size(); i++)
            all.push_back(journeys::set_off(anatomy, rows[i][0], rows[i][1], rows[i][2], footing.heights()));
        return made(type, animal, terrain, std::move(anatomy), std::move(all), footing.ground);
    });
}

int traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(crowd_of(self).animal);
    Py_VISIT(crowd_of(self).terrain);
    return 0;
}

int clear(PyObject *self) {
    Py_CLEAR(crowd_of(self).terrain);
    return 0;
}

void destroy(PyObject *self) {
    PyTypeObject *const type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(crowd_of(self).animal);
    Py_XDECREF(crowd_of(self).terrain);
    delete crowd_of(self).members;
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject *animal(PyObject *self, void *) { return Py_NewRef(crowd_of(self).animal); }

PyObject *terrain(PyObject *self, void *) {
    return guarded([&] { return std::move(footing_of(crowd_of(self)).terrain); });
}

int set_terrain(PyObject *self, PyObject *value, void *) {
    if (!value) return PyErr_SetString(PyExc_AttributeError, "a crowd has a terrain"), -1;
    Crowd &crowd = crowd_of(self);
    PyObject *const done = guarded([&] {
        Members &members = *crowd.members;
        const Footing footing = footing_of(value, std::make_shared<const Ground>(value));
        auto meet = [&](Journeys &all) {
            for (Journey &each : all) stepping::legs::meet(members.animal, each.walk, footing.heights());
        };
        const bool is_own = footing.ground->is_own();  // it may raise, or look at the crowd
        Journeys all;
        if (is_own) {
            {
                const Lock lock(members.mutex);
                all = members.journeys;
            }
            meet(all);
        }
        Object before;  // it may run Python when it goes, after the lock
        const Lock lock(members.mutex);
        if (is_own) members.journeys.swap(all);
        else meet(members.journeys);
        before = Object(std::exchange(crowd.terrain, Py_NewRef(value)));
        members.ground = footing.ground;
        return Object(Py_NewRef(Py_None));
    });
    Py_XDECREF(done);
    return done ? 0 : -1;
}

// --- methods ------------------------------------------------------------------------------

void walk(const Anatomy &animal, Journeys &all, double dt, const Rows &orders, const Heights &ground, npy_intp from,
          npy_intp to) {
    for (npy_intp i = from; i < to; i++)
        journeys::travel(animal, all[i], Order{orders[i][0], orders[i][1], orders[i][2]}, dt, ground);
}

PyObject *travel(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    return guarded([&] {
        if (count != 2 && count != 3)
            throw(PyErr_SetString(PyExc_TypeError, "travel(dt, orders, threads=1)"), Raised{});
        double dt;
        Int threads = 1;
        read(args[0], dt);
        if (count > 2) read(args[2], threads);
        Members &members = *crowd_of(self).members;
        const npy_intp size = members.journeys.size();
        const Rows orders(args[1], size, 3);
        const Footing footing = footing_of(crowd_of(self));
        const double steps = dt * 120.0 + 1.0;
        if (footing.ground->is_own()) {  // it may raise, or look at the crowd
            Journeys all;
            {
                const Lock lock(members.mutex);
                all = members.journeys;
            }
            walk(members.animal, all, dt, orders, footing.heights(), 0, size);
            const Lock lock(members.mutex);
            members.journeys.swap(all);
            return Object(Py_NewRef(Py_None));
        }
        const Lock lock(members.mutex);
        const bool is_very_long = steps * size > VERY_LONG;
        Journeys kept;
        if (is_very_long) kept = members.journeys;
        const npy_intp some = is_very_long ? std::max(npy_intp(threads), npy_intp(VERY_LONG / steps)) : size;
        for (npy_intp from = 0; from < size; from += some) {
            Released released(steps * size > LONG);
            shared(from, std::min(from + some, size), steps, threads, [&](npy_intp first, npy_intp end) {
                walk(members.animal, members.journeys, dt, orders, footing.heights(), first, end);
            });
            released.take();
            if (is_very_long && PyErr_CheckSignals() < 0) {
                members.journeys.swap(kept);
                throw Raised{};
            }
        }
        return Object(Py_NewRef(Py_None));
    });
}

PyObject *shove(PyObject *self, PyObject *given) {
    return guarded([&] {
        Members &members = *crowd_of(self).members;
        const Rows velocities(given, members.journeys.size(), 2);
        const Lock lock(members.mutex);
        for (npy_intp i = 0; i < velocities.size(); i++)
            stepping::command::shove(members.animal, members.journeys[i].walk, velocities[i][0], velocities[i][1]);
        return Object(Py_NewRef(Py_None));
    });
}

PyObject *misfits(PyObject *self, PyObject *) {
    return guarded([&] {
        const Footing footing = footing_of(crowd_of(self));
        Members &members = *crowd_of(self).members;
        Journeys all;
        {
            const Lock lock(members.mutex);
            all = members.journeys;
        }
        Made<npy_int64> found({npy_intp(all.size())}, NPY_INT64);
        auto next = found.from(0);
        for (const Journey &each : all)
            next.add(stepping::standing::misfit(members.animal, each.walk, journeys::seen(each), footing.heights()));
        return Object(found.release());
    });
}

PyObject *courses(PyObject *self, PyObject *) {
    return guarded([&] {
        Members &members = *crowd_of(self).members;
        Made<> found({npy_intp(members.journeys.size()), 9});
        const Lock lock(members.mutex);
        auto next = found.from(0);
        for (const Journey &each : members.journeys) next.add_all(journeys::motion(each));
        return Object(found.release());
    });
}

PyObject *blocked(PyObject *self, PyObject *) {
    return guarded([&] {
        Members &members = *crowd_of(self).members;
        Made<npy_bool> found({npy_intp(members.journeys.size())}, NPY_BOOL);
        const Lock lock(members.mutex);
        auto next = found.from(0);
        for (const Journey &each : members.journeys) next.add(journeys::is_blocked(each));
        return Object(found.release());
    });
}

PyObject *shapes(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    return guarded([&] {
        if (count > 1) throw(PyErr_SetString(PyExc_TypeError, "shapes(threads=1)"), Raised{});
        Int threads = 1;
        if (count > 0) read(args[0], threads);
        Members &members = *crowd_of(self).members;
        const Anatomy &animal = members.animal;
        const npy_intp size = members.journeys.size(), legs = animal.legs.size(), stations = animal.along.size();
        Made<> places({size, stations, 3}), rotations({size, stations, 4}), hips({size, legs, 3});
        Made<> knees({size, legs, 3}), ankles({size, legs, 3}), feet({size, legs, 3}), soles({size, legs, 4});
        Made<> neck({size, npy_intp(animal.links.size()), 4}), tail({size, npy_intp(animal.tail), 4});
        Made<npy_bool> stance({size, legs}, NPY_BOOL);
        {
            const Lock lock(members.mutex);
            Released released(double(size) > LONG);
            shared(0, size, 1.0, threads, [&](npy_intp first, npy_intp end) {
                auto place = places.from(first), rotation = rotations.from(first), hip = hips.from(first);
                auto knee = knees.from(first), ankle = ankles.from(first), foot = feet.from(first);
                auto sole = soles.from(first), neck_link = neck.from(first), tail_link = tail.from(first);
                auto down = stance.from(first);
                for (npy_intp i = first; i < end; i++) {
                    const auto shown = stepping::shown::shown(animal, journeys::seen(members.journeys[i]));
                    for (const auto &each : shown.stations) place.add_all(each);
                    for (const auto &each : shown.rotations) rotation.add_all(each);
                    for (const auto &each : shown.joints) {
                        hip.add_all(each.hip);
                        knee.add_all(each.knee);
                        ankle.add_all(each.ankle);
                        foot.add_all(each.foot);
                    }
                    for (const bool each : shown.down) down.add(each);
                    for (const auto &each : shown.soles) sole.add_all(each);
                    for (const auto &each : shown.neck) neck_link.add_all(each);
                    for (const auto &each : shown.tail) tail_link.add_all(each);
                }
            });
            released.take();  // not in a destructor: it ends the thread if Python has ended
        }
        return needed(Py_BuildValue("(NNNNNNNNNN)", places.release(), rotations.release(), hips.release(),
                                    knees.release(), ankles.release(), feet.release(), stance.release(),
                                    soles.release(), neck.release(), tail.release()));
    });
}

// --- copies and pickles -------------------------------------------------------------------

npy_intp numbers_in(Journey &journey) {
    npy_intp count = 0;
    each_number(journey, [&](auto &) { count++; });
    return count;
}

// Return what makes the same crowd again: animal, terrain, and all numbers of each animal.
PyObject *reduce(PyObject *self, PyObject *) {
    return guarded([&] {
        const Footing footing = footing_of(crowd_of(self));
        Members &members = *crowd_of(self).members;
        Journeys all;
        {
            const Lock lock(members.mutex);
            all = members.journeys;
        }
        Made<> state({npy_intp(all.size()), all.empty() ? 0 : numbers_in(all[0])});
        auto next = state.from(0);
        for (Journey &each : all) each_number(each, [&](auto &number) { next.add(double(number)); });
        const Object restored = needed(PyObject_GetAttrString(reinterpret_cast<PyObject *>(Py_TYPE(self)), "restored"));
        return needed(
            Py_BuildValue("(O(OON))", restored.get(), crowd_of(self).animal, footing.terrain.get(), state.release()));
    });
}

// A class method: the crowd that `reduce` describes.
PyObject *restored(PyObject *type, PyObject *const *args, Py_ssize_t count) {
    return guarded([&] {
        if (count != 3) throw(PyErr_SetString(PyExc_TypeError, "restored(animal, terrain, state)"), Raised{});
        Anatomy anatomy = anatomy_of(args[0]);
        auto ground = std::make_shared<const Ground>(args[1]);
        const Rows state(args[2], -1, -1);
        // Lists have the lengths of those of any animal of the kind.
        Journey like = journeys::set_off(anatomy, 0.0, 0.0, 0.0, [](double, double) { return 0.0; });
        bool fits = !state.size() || state.width() == numbers_in(like);
        Journeys all(fits ? state.size() : 0, like);
        for (std::size_t i = 0; i < all.size(); i++) {
            const double *next = state[i];
            each_number(all[i], [&](auto &number) {
                using T = std::decay_t<decltype(number)>;
                if (std::is_same_v<T, Int>) fits = fits && std::fabs(*next) < 1e9;  // it is an index
                number = fits ? T(*next) : T();
                next++;
            });
            fits = fits && (all[i].last == 0 || all[i].last == 1) && all[i].walk.gait >= 0 &&
                   all[i].walk.gait < Int(anatomy.gaits.size());
        }
        if (!fits) throw(PyErr_SetString(PyExc_ValueError, "not the numbers of such animals"), Raised{});
        return made(reinterpret_cast<PyTypeObject *>(type), args[0], args[1], std::move(anatomy), std::move(all),
                    std::move(ground));
    });
}

template <class Function> PyCFunction plain(Function function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef METHODS[] = {
    {"travel", plain(travel), METH_FASTCALL,
     "travel(dt, orders, threads=1): walk for a time, with orders of shape (N, 3)"},
    {"shove", shove, METH_O, "shove(velocities): add velocities to the bodies, shape (N, 2)"},
    {"misfits", misfits, METH_NOARGS, "misfits() -> why each animal cannot stand as it does, shape (N)"},
    {"courses", courses, METH_NOARGS, "courses() -> x, z, heading, velocity, yaw rate and front, shape (N, 9)"},
    {"blocked", blocked, METH_NOARGS, "blocked() -> which animals are kept from what they are told, shape (N)"},
    {"shapes", plain(shapes), METH_FASTCALL, "shapes(threads=1) -> the arrays of `Shapes`"},
    {"restored", plain(restored), METH_FASTCALL | METH_CLASS, "restored(animal, terrain, state) -> a crowd"},
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef ATTRIBUTES[] = {
    {"animal", animal, nullptr, "the animal, an `Anatomy`", nullptr},
    {"terrain", terrain, set_terrain, "the ground; it may be set at any time", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot SLOTS[] = {
    {Py_tp_doc, const_cast<char *>("Crowd(animal, terrain, starts): see `twobone.creature.crowd.Crowd`.")},
    {Py_tp_new, reinterpret_cast<void *>(make)},
    {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
    {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(clear)},
    {Py_tp_methods, METHODS},
    {Py_tp_getset, ATTRIBUTES},
    {0, nullptr},
};

PyType_Spec SPEC = {"twobone.core._kernel.Crowd", sizeof(Crowd), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, SLOTS};

}  // namespace

int twobone::add_crowd(PyObject *module) {
    if (PyArray_ImportNumPyAPI() < 0) return -1;
    PyObject *const type = PyType_FromModuleAndSpec(module, &SPEC, nullptr);
    if (!type) return -1;
    const int failed = PyModule_AddObjectRef(module, "Crowd", type);
    Py_DECREF(type);
    return failed;
}
