// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace meshwright {

class Library;
struct Accelerator;

/// The answers to the start page's questions, from which a plan is made.
struct PlanRequest {
    std::string accelerator = "h100-sxm-80gb"; ///< id of a preset
    std::int64_t accelerators = 512; ///< per site
    std::int64_t sites = 1;
    double link_bits_per_second = 1e9; ///< link rate of each site in one direction; used only with several sites
    std::string model = "llama-3.1-70b"; ///< id of a preset
    std::optional<double> tokens; ///< training tokens; if unset, 20 per parameter, unless days are given
    std::optional<double> days; ///< duration of the run in days, which determines the number of tokens
    std::int64_t sequence_length = 8192;
    std::string stack; ///< id of a preset; if empty, the plan's default
    std::optional<double> budget_dollars; ///< no limit if unset
    bool operator==(const PlanRequest &) const = default;
};

/// Rounds up to whole nodes; a number smaller than one node is not changed.
std::int64_t whole_nodes(const Accelerator &accelerator, std::int64_t accelerators);

/// The common short name of an accelerator: "H100" for "NVIDIA H100 SXM 80 GB", "RTX 4090", "TPU v5p".
std::string short_name(const Accelerator &accelerator);

/// Sequences per step: the batch size of DeepSeek LLM's scaling law, 0.2920 C^0.3271 tokens for C FLOP (arXiv
/// 2401.02954, equation 1). It is rounded to a power of two multiplied by the odd part of the number of accelerators,
/// so that data parallelism divides it.
std::int64_t usual_sequences(double flops, std::int64_t sequence_length, std::int64_t accelerators);

/// Name of the requested plan: "Llama 3 70B on 512 H100".
/// @throws InputError for an unknown preset
std::string name_of(const PlanRequest &request, const Library &library);

/// A plan document for the request, with a cluster made from the accelerator's own links. The parallel configuration is
/// left to the search.
/// @throws InputError for an unknown preset or a number out of range
nlohmann::ordered_json document_of(const PlanRequest &request, const Library &library);

} // namespace meshwright
