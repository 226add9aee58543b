// The joint of one limb, for what is printed from Python: the loops for one limb, which have the bits of `solve_xyz`.
#pragma once

#include <array>

#include "loops.hpp"

namespace twobone::stepping::one {

inline std::array<double, 3> joint_xyz(double x, double y, double z, double r1, double r2, double pole_x, double pole_y,
                                       double pole_z, double side) {
    const double target[] = {x, y, z}, pole[] = {pole_x, pole_y, pole_z};
    std::array<double, 3> joint;
    loops_in_use().one_in_space(target, r1, r2, side, pole, joint.data());
    return joint;
}

}  // namespace twobone::stepping::one
