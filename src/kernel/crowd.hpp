// The interface between the module (module.cpp) and crowds of animals (crowd.cpp).
#pragma once

#include <Python.h>

namespace twobone {

// Add the class `Crowd` to the module. Returns -1 with an error set if that fails.
int add_crowd(PyObject *module);

}  // namespace twobone
