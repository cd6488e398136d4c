// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"
#include "quantities/text.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace meshwright {

class Library;

enum class PlotForm {
    lines, ///< y over x, with one line per series
    dots, ///< y over x, with one dot per row
    cells, ///< one dot per row, in the cell of its x and y
    bars ///< one or more bars per row; rows with the same y form a group
};

enum class PlotRole {
    detail, ///< listed in the table but not drawn
    name,
    x,
    y, ///< for cells, the heading of their row; for bars, the name of their group
    series, ///< name of a line, or of a set of dots
    shade, ///< fraction from 0 to 1 that determines the color of a dot
    size, ///< size of a dot, relative to the largest in its row
    bar ///< height of a bar; several such columns give adjacent bars
};

/// One column of a plot's table. Values are in SI units.
struct PlotColumn {
    std::string key;
    std::string title; ///< such as "Peak memory"
    PlotRole role = PlotRole::detail;
    Quantity quantity = Quantity::number;
    bool is_year = false; ///< whether the values are dates, expressed as fractional years
};

/// Empty text and NaN mean unknown values.
using PlotCell = std::variant<std::string, double>;

struct Plot {
    std::string name; ///< one of plot_names()
    std::string title;
    std::string caption;
    std::string source;
    PlotForm form = PlotForm::lines;
    bool logarithmic_x = false;
    bool logarithmic_y = false;
    std::vector<PlotColumn> columns;
    std::vector<std::vector<PlotCell>> rows;
    std::string problem; ///< reason why there is nothing to draw; empty if there is something

    static constexpr std::size_t missing = static_cast<std::size_t>(-1);
    /// Index of the first column with a role, or `missing`.
    std::size_t column(PlotRole role) const;
    std::size_t column(std::string_view key) const;
    /// Value of a cell; NaN if it is not a number.
    double number(std::size_t row, std::size_t column) const;
    /// Text of a cell; empty if it is not text.
    const std::string &text(std::size_t row, std::size_t column) const;
};

struct PlotRequest {
    const Plan &plan; ///< only plots of a plan use it
    const Library &library;
    std::stop_token stop = {};
};

/// The names "measured-runs", "best-configuration", "compute-by-date", "synchronization-by-bandwidth" and
/// "bubble-by-schedule".
const std::vector<std::string> &plot_names();
/// Empty if the name is unknown.
std::string_view title_of_plot(std::string_view name);
/// Whether a plot shows a plan; the other plots show published figures.
bool is_plot_of_plan(std::string_view name);

/// Calculates a plot, which takes up to a few seconds. The plot is incomplete if a stop is requested.
/// @throws InputError for an unknown name
Plot plot_of(std::string_view name, const PlotRequest &request);

} // namespace meshwright
