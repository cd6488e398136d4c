// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plot.h"

#include "input/diagnostic.h"
#include "plots/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace meshwright {

namespace {

struct ListedPlot {
    std::string_view name;
    std::string_view title;
    bool of_plan;
    Plot (*make)(const PlotRequest &);
};

constexpr std::array listed_plots{
    ListedPlot{"measured-runs", "Measured runs by nodes and model size", false, plots::measured_runs},
    ListedPlot{"best-configuration", "Best configuration by model size and nodes", true, plots::best_configuration},
    ListedPlot{"compute-by-date", "Training compute by date", false, plots::compute_by_date},
    ListedPlot{"synchronization-by-bandwidth", "Synchronization time vs. bandwidth", false,
               plots::synchronization_by_bandwidth},
    ListedPlot{"bubble-by-schedule", "Bubble by schedule", true, plots::bubble_by_schedule}};

const ListedPlot *find_plot(std::string_view name) {
    const auto *const found = std::find_if(listed_plots.begin(), listed_plots.end(),
                                           [name](const ListedPlot &plot) { return plot.name == name; });
    return found == listed_plots.end() ? nullptr : found;
}

template <typename Matches>
std::size_t first_column(const Plot &plot, const Matches &matches) {
    const auto found = std::find_if(plot.columns.begin(), plot.columns.end(), matches);
    return found == plot.columns.end() ? Plot::missing : static_cast<std::size_t>(found - plot.columns.begin());
}

} // namespace

std::size_t Plot::column(PlotRole role) const {
    return first_column(*this, [role](const PlotColumn &each) { return each.role == role; });
}

std::size_t Plot::column(std::string_view key) const {
    return first_column(*this, [key](const PlotColumn &each) { return each.key == key; });
}

double Plot::number(std::size_t row, std::size_t column) const {
    const double *const value = column == missing ? nullptr : std::get_if<double>(&rows[row][column]);
    return value != nullptr ? *value : std::numeric_limits<double>::quiet_NaN();
}

const std::string &Plot::text(std::size_t row, std::size_t column) const {
    static const std::string none;
    const std::string *const text = column == missing ? nullptr : std::get_if<std::string>(&rows[row][column]);
    return text != nullptr ? *text : none;
}

const std::vector<std::string> &plot_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const ListedPlot &plot : listed_plots)
            all.emplace_back(plot.name);
        return all;
    }();
    return names;
}

std::string_view title_of_plot(std::string_view name) {
    const ListedPlot *const plot = find_plot(name);
    return plot == nullptr ? std::string_view() : plot->title;
}

bool is_plot_of_plan(std::string_view name) {
    const ListedPlot *const plot = find_plot(name);
    return plot != nullptr && plot->of_plan;
}

Plot plot_of(std::string_view name, const PlotRequest &request) {
    const ListedPlot *const listed = find_plot(name);
    if (listed == nullptr)
        throw InputError("", fmt::format("unknown plot \"{}\"", name.substr(0, 80)),
                         fmt::format("expected one of {}", fmt::join(plot_names(), ", ")));
    Plot plot = listed->make(request);
    plot.name = listed->name;
    plot.title = listed->title;
    return plot;
}

} // namespace meshwright
