// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// An animated picture by its name, with its values in SI units.
struct Picture {
    std::string name; ///< one of picture_names()
    std::map<std::string, double> parameters = {}; ///< values by name; parameters without a value have their defaults
    bool operator==(const Picture &) const = default;
};

/// A parameter of a picture. Both limits are inclusive.
struct PictureParameter {
    std::string_view name;
    double low;
    double high;
    double otherwise; ///< default value
    bool whole;
};

inline constexpr int most_drawn_ranks = 16;
inline constexpr int most_drawn_layers = 64;

/// The names "ring", "tree", "naive", "hierarchical", "column-split", "row-split", "zero" and "overlap".
const std::vector<std::string> &picture_names();

/// @throws InputError for an unknown name
const std::vector<PictureParameter> &parameters_of_picture(std::string_view name);

/// Sets every missing parameter of a picture to its default.
/// @throws InputError for an unknown name or parameter, or a value out of range
Picture complete(Picture picture);

} // namespace meshwright
