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

/// How the rows of a plot are drawn.
enum class PlotForm {
    lines, ///< y over x, a line for each series
    dots, ///< y over x, a dot for each row
    cells, ///< a dot for each row in the cell of its x and y
    bars ///< bars for each row; rows of one y are adjacent
};

/// The role of a column in the drawing.
enum class PlotRole {
    detail, ///< listed in the table, not drawn
    name, ///< names the row
    x,
    y, ///< for cells: name of their row; for bars: name of their group
    series, ///< name of a line, or of a set of dots
    shade, ///< fraction of 1 that determines the color of a dot
    size, ///< size of a dot, relative to the largest of its row
    bar ///< height of a bar; several columns are bars side by side
};

/// One column of a plot's table. Values are in SI units.
struct PlotColumn {
    std::string key; ///< heading in CSV: "peak_bytes"
    std::string title; ///< "Peak memory"
    PlotRole role = PlotRole::detail;
    Quantity quantity = Quantity::number; ///< for numeric columns
    bool is_year = false; ///< dates as fractional years
};

/// Empty text or NaN: unknown.
using PlotCell = std::variant<std::string, double>;

/// The data behind a plot. What is drawn, read aloud and exported are these rows.
struct Plot {
    std::string name; ///< one of plot_names()
    std::string title;
    std::string caption; ///< describes the plot in a sentence or two
    std::string source;
    PlotForm form = PlotForm::lines;
    bool logarithmic_x = false;
    bool logarithmic_y = false;
    std::vector<PlotColumn> columns;
    std::vector<std::vector<PlotCell>> rows; ///< as many cells as columns
    std::string problem; ///< why there is nothing to draw; else empty

    static constexpr std::size_t missing = static_cast<std::size_t>(-1);
    /// Index of the first column with a role, or `missing`.
    std::size_t column(PlotRole role) const;
    std::size_t column(std::string_view key) const;
    /// NaN if the cell is not a number.
    double number(std::size_t row, std::size_t column) const;
    /// Empty if the cell is not text.
    const std::string &text(std::size_t row, std::size_t column) const;
};

/// Inputs of a plot.
struct PlotRequest {
    const Plan &plan; ///< read only by the plots of a plan
    const Library &library;
    std::stop_token stop = {};
};

/// "measured-runs", "best-configuration", "compute-by-date", "synchronization-by-bandwidth", "bubble-by-schedule"
const std::vector<std::string> &plot_names();
/// Empty for an unknown name.
std::string_view title_of_plot(std::string_view name);
/// Whether a plot is one of a plan; the others show published figures.
bool is_plot_of_plan(std::string_view name);

/// Calculates a plot; takes up to a few seconds. Incomplete once asked to stop.
/// @throws InputError for an unknown name
Plot plot_of(std::string_view name, const PlotRequest &request);

} // namespace meshwright
