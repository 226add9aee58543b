// The interface between the module (module.cpp) and the parts of the step of walkers (walking.cpp).
#pragma once

#include <Python.h>

#include "loops.hpp"

namespace twobone {

// The loops for the instruction set in use.
const Loops &loops_in_use();

// Add the functions to the module. Returns -1 with an error set if that fails.
int add_walking(PyObject *module);

}  // namespace twobone
