// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace meshwright {

class Library;
struct Accelerator;

/// What somebody knows of a run before there is a plan: six questions, and two more where it spans several sites.
struct PlanRequest {
    std::string accelerator = "h100-sxm-80gb"; ///< a preset
    std::int64_t accelerators = 512; ///< of a site
    std::int64_t sites = 1;
    double link_bits_per_second = 1e9; ///< of each site, each way; only with several sites
    std::string model = "llama-3.1-70b"; ///< a preset
    std::optional<double> tokens; ///< unset: 20 per parameter, unless days are given
    std::optional<double> days; ///< as many tokens as this many days allow
    std::int64_t sequence_length = 8192;
    std::string stack; ///< a preset; empty: the plan's default
    std::optional<double> budget_dollars; ///< unset: no limit
    bool operator==(const PlanRequest &) const = default;
};

/// Accelerators that fill whole nodes: the nearest number upwards, or fewer than a node as they are.
std::int64_t whole_nodes(const Accelerator &accelerator, std::int64_t accelerators);

/// "H100" of "NVIDIA H100 SXM 80 GB", "RTX 4090", "TPU v5p": what people call it.
std::string short_name(const Accelerator &accelerator);

/// Sequences of a step: the batch of DeepSeek LLM's scaling law, 0.2920 C^0.3271 tokens for C FLOP (arXiv 2401.02954,
/// equation 1), brought to the largest power of two times the odd part of the accelerators, so that data parallelism
/// divides it.
std::int64_t usual_sequences(double flops, std::int64_t sequence_length, std::int64_t accelerators);

/// "Llama 3 70B on 512 H100". @throws InputError for an unknown preset
std::string name_of(const PlanRequest &request, const Library &library);

/// A plan document of the request: the accelerator's own links make the cluster. How the work is split is left to the
/// search. @throws InputError for an unknown preset or a number out of range
nlohmann::ordered_json document_of(const PlanRequest &request, const Library &library);

} // namespace meshwright
