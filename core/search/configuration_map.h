// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/rank_correlation.h"
#include "search/search.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

/// A map of model sizes and node counts, with the best configuration in each cell. Default sizes, node counts and batch
/// size are those of the map in the Ultra-Scale Playbook (Hugging Face, 2025).
struct MapQuestion {
    Plan plan; ///< provides the model family, nodes, software, formats and offloading
    std::vector<double> parameters{1.34e9, 3.57e9, 8.86e9, 80e9};
    std::vector<std::int64_t> nodes{1, 2, 4, 8, 16, 32, 64};
    std::int64_t sequence_length = 4096;
    std::int64_t global_sequences = 256;
    bool operator==(const MapQuestion &) const = default;
};
inline constexpr std::size_t max_map_sizes = 12;
inline constexpr std::size_t max_map_columns = 16;

struct MeasuredConfiguration {
    std::size_t row = 0;
    double measured_seconds = 0;
    double predicted_seconds = 0;
};

/// The fastest of the measured runs with the same model size, accelerators and batch size, and how well predictions
/// rank these runs.
struct MeasuredBest {
    std::string id;
    std::string source;
    Plan plan;
    double step_seconds = 0;
    double mfu = 0;
    double predicted_seconds = 0;
    Plan chosen; ///< measured configuration that is predicted to be the fastest
    std::vector<MeasuredConfiguration> configurations;
    std::size_t fastest = 0; ///< index of the configuration that was measured as the fastest
    OrderAgreement order;
};

struct MapCell {
    std::size_t size = 0; ///< index into the question's parameters
    std::size_t column = 0; ///< index into the question's nodes
    double parameters = 0; ///< number of parameters of the family's nearest model
    std::int64_t accelerators = 0;
    std::string problem; ///< why the cell cannot be searched; otherwise empty
    std::optional<SearchEntry> best; ///< unset if no configuration fits
    std::optional<MeasuredBest> measured;
    bool done = false;
};

struct ConfigurationMap {
    MapQuestion question;
    std::vector<MapCell> cells; ///< cells by model size, then by number of nodes
    double seconds = 0; ///< duration of the search
    bool complete = false;

    const MapCell &cell(std::size_t size, std::size_t column) const {
        return cells[size * question.nodes.size() + column];
    }
    OrderSummary order() const;
};

/// Searches every cell, beginning with small node counts, and calls `on_cell` on the calling thread for each finished
/// cell. On request it stops within 0.1 s and returns the cells finished so far.
/// @throws InputError for an empty or too long list, a size outside 1e6 to 1e14, nodes outside 1 to 100,000
ConfigurationMap configuration_map(const MapQuestion &question, const Library &library, const EvidenceTable &evidence,
                                   const std::stop_token &stop = {},
                                   const std::function<void(const ConfigurationMap &)> &on_cell = {});

/// JSON of a map, with schema "meshwright.map/1".
nlohmann::ordered_json to_json(const ConfigurationMap &map);

} // namespace meshwright
