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

/// Model sizes times nodes, each with the best layout. Sizes, nodes and batch as in the map of the Ultra-Scale Playbook
/// (Hugging Face, 2025), unless asked otherwise.
struct MapQuestion {
    Plan plan; ///< whose model gives the family, whose cluster the nodes, with software, formats and offloading
    std::vector<double> parameters{1.34e9, 3.57e9, 8.86e9, 80e9};
    std::vector<std::int64_t> nodes{1, 2, 4, 8, 16, 32, 64};
    std::int64_t sequence_length = 4096;
    std::int64_t global_sequences = 256;
    bool operator==(const MapQuestion &) const = default;
};
inline constexpr std::size_t max_map_sizes = 12;
inline constexpr std::size_t max_map_columns = 16;

/// A measured run and what is predicted of it.
struct MeasuredConfiguration {
    std::size_t row = 0; ///< in the evidence
    double measured_seconds = 0; ///< of a step
    double predicted_seconds = 0;
};

/// The fastest of the measured runs of one size, number of accelerators and batch, and how well the model orders them.
struct MeasuredBest {
    std::string id;
    std::string source;
    Plan plan;
    double step_seconds = 0;
    double mfu = 0;
    double predicted_seconds = 0;
    Plan chosen; ///< the one of them that is predicted fastest
    std::vector<MeasuredConfiguration> configurations; ///< all of them
    std::size_t fastest = 0; ///< index of the configuration that was measured fastest
    OrderAgreement order;
};

struct MapCell {
    std::size_t size = 0; ///< index of the question's parameters
    std::size_t column = 0; ///< index of its nodes
    double parameters = 0; ///< of the family's model that comes nearest
    std::int64_t accelerators = 0;
    std::string problem; ///< why there is nothing to search; empty where there is
    std::optional<SearchEntry> best; ///< unset where nothing fits
    std::optional<MeasuredBest> measured;
    bool done = false;
};

struct ConfigurationMap {
    MapQuestion question;
    std::vector<MapCell> cells; ///< by size, then by nodes
    double seconds = 0; ///< that it took
    bool complete = false;

    const MapCell &cell(std::size_t size, std::size_t column) const {
        return cells[size * question.nodes.size() + column];
    }
    /// How well the measured configurations of all cells are ordered.
    OrderSummary order() const;
};

/// Searches every cell, few nodes first; `on_cell` hears of each as it is found, on the calling thread. Stops within a
/// tenth of a second when asked to, with the cells so far.
/// @throws InputError for an empty or too long list, a size out of 1e6 to 1e14, nodes out of 1 to 100,000
ConfigurationMap configuration_map(const MapQuestion &question, const Library &library, const EvidenceTable &evidence,
                                   const std::stop_token &stop = {},
                                   const std::function<void(const ConfigurationMap &)> &on_cell = {});

/// "meshwright.map/1"
nlohmann::ordered_json to_json(const ConfigurationMap &map);

} // namespace meshwright
