// The interface between the module (module.cpp) and the functions that XLA calls (xla.cpp).
#pragma once

namespace twobone {

// A function that XLA calls, by the name under which it is registered.
struct XlaHandler {
    const char *name;
    void (*function)();
};
constexpr int XLA_HANDLERS = 5;
extern const XlaHandler xla_handlers[XLA_HANDLERS];

}  // namespace twobone
