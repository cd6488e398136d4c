// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A moving picture by its name, with the values that it shows in SI units.
struct Picture {
    std::string name; ///< one of picture_names()
    std::map<std::string, double> parameters = {}; ///< parameters that are left out have defaults
    bool operator==(const Picture &) const = default;
};

/// One value that a picture takes. Both limits are inclusive.
struct PictureParameter {
    std::string_view name;
    double low;
    double high;
    double otherwise; ///< default
    bool whole;
};

/// The largest number of ranks that is drawn.
inline constexpr int most_drawn_ranks = 16;
/// The largest number of layers that is drawn.
inline constexpr int most_drawn_layers = 64;

/// "ring", "tree", "naive", "hierarchical", "column-split", "row-split", "zero" and "overlap".
const std::vector<std::string> &picture_names();

/// @throws InputError for an unknown name
const std::vector<PictureParameter> &parameters_of_picture(std::string_view name);

/// The picture with every parameter that was left out at its default.
/// @throws InputError for an unknown name or parameter, or a value out of range
Picture complete(Picture picture);

} // namespace meshwright
