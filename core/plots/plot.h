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

/// What a column says about its row.
enum class PlotRole {
    detail, ///< only listed
    name, ///< names the row
    x,
    y, ///< of cells and bars the name of a row of cells, or of a group of bars
    series, ///< name of a line, or of a set of dots
    shade, ///< a share of 1 that colors a dot
    size, ///< the largest of a row of cells is drawn largest
    bar ///< height of a bar; several columns are bars side by side
};

/// One column of a plot's table. Values are in SI units.
struct PlotColumn {
    std::string key; ///< heading in CSV: "peak_bytes"
    std::string title; ///< "Peak memory"
    PlotRole role = PlotRole::detail;
    Quantity quantity = Quantity::number; ///< of columns with numbers
    bool is_year = false; ///< a date as a year with a fraction
};

/// Empty text or NaN: unknown.
using PlotCell = std::variant<std::string, double>;

/// The data behind a plot. What is drawn, read aloud and exported are these rows.
struct Plot {
    std::string name; ///< one of plot_names()
    std::string title;
    std::string caption; ///< what is shown, in a sentence or two
    std::string source;
    PlotForm form = PlotForm::lines;
    bool logarithmic_x = false;
    bool logarithmic_y = false;
    std::vector<PlotColumn> columns;
    std::vector<std::vector<PlotCell>> rows; ///< as many cells as columns
    std::string problem; ///< why there is nothing to draw; empty where there is something

    static constexpr std::size_t missing = static_cast<std::size_t>(-1);
    /// Index of the first column with a role, or `missing`.
    std::size_t column(PlotRole role) const;
    std::size_t column(std::string_view key) const;
    /// NaN where the cell is no number.
    double number(std::size_t row, std::size_t column) const;
    /// Empty where the cell is no text.
    const std::string &text(std::size_t row, std::size_t column) const;
};

/// What plots are calculated from.
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
