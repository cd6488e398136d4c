// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan_json.h"
#include "plan/valid_values.h"
#include "preset_plans.h"

#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace meshwright {

inline Plan plan_of(const nlohmann::ordered_json &document) {
    return plan_from_json(document, shipped_presets());
}

inline Plan preset_plan(const char *id) {
    return plan_of(shipped_presets().json(PresetKind::plan, id));
}

/// Choices for random plans; a test may restrict them.
struct PlanChoices {
    std::vector<std::string> models{"llama-3.1-8b", "gpt3-175b",   "llama-2-70b", "qwen2-0.5b",  "phi-2",
                                    "mixtral-8x7b", "deepseek-v2", "deepseek-v3", "gemma-2-27b", "qwen3-next-80b-a3b"};
    std::vector<std::string> accelerators{"a100-sxm-80gb", "h100-sxm-80gb", "gb200", "mi300x", "tpu-v5p"};
    std::vector<std::string> stacks{
        "megatron-lm-2021",        "megatron-core-2025", "torchtitan-2024", "nanotron-2024", "ideal",
        "kempnerforge-2026-eager", "maxtext-2024"};
    std::vector<std::string> schedules = schedule_names();
    std::vector<std::string> recomputes{"none", "selective", "full", "layers"};
    std::vector<std::string> computes{"bf16", "fp8", "fp32"};
    std::vector<std::int64_t> contexts{1, 1, 2, 3};
    std::vector<std::int64_t> zero_stages{0, 1, 2, 3};
    std::vector<double> offloaded_activations{0, 0, 0.5, 1};
    std::vector<double> offloaded_optimizers{0, 0, 1};
};

inline bool takes_chunks(const std::string &schedule) {
    return schedule == "interleaved" || schedule == "looped-bfs" || schedule == "interleaved-zb"
        || schedule == "seq1f1b";
}

inline bool folds_in_two(const std::string &schedule) {
    return schedule == "zb-v" || schedule == "v-half" || schedule == "v-min" || schedule == "dualpipe-v";
}

/// A document for a random plan: degrees include powers of two and other numbers, and the cluster has as many
/// accelerators as they need.
inline std::string random_document(const PlanChoices &choices) {
    using nlohmann::ordered_json;
    const auto model = *rc::gen::elementOf(choices.models);
    const Model &read = *shipped_presets().model(model);
    const auto divides = [&](std::int64_t tensor) {
        for (const Block &block : read.blocks)
            if (!tensor_problem(read, block, tensor).empty())
                return false;
        return true;
    };
    const auto tensor = *rc::gen::suchThat(rc::gen::element<std::int64_t>(1, 2, 4, 8, 3, 6), divides);
    const auto context = *rc::gen::elementOf(choices.contexts);
    const auto schedule = *rc::gen::elementOf(choices.schedules);
    const auto pipeline = *rc::gen::element<std::int64_t>(1, 2, 4, 6, 8);
    const std::int64_t chunks = folds_in_two(schedule) ? 2
        : takes_chunks(schedule)                       ? *rc::gen::element<std::int64_t>(1, 2)
                                                       : 1;
    const auto data = *rc::gen::element<std::int64_t>(1, 2, 3, 4, 8, 16);
    const std::int64_t experts = routed_experts(read);
    const auto spreads = [&](std::int64_t expert) {
        return expert == 1 || (experts > 0 && experts % expert == 0 && (tensor * context * data) % expert == 0);
    };
    const auto expert = *rc::gen::suchThat(rc::gen::element<std::int64_t>(1, 1, 2, 4, 8, 16), spreads);
    const auto micro = *rc::gen::element<std::int64_t>(1, 2);
    const std::int64_t microbatches = pipeline * *rc::gen::element<std::int64_t>(2, 3, 5);
    const std::int64_t site = tensor * context * pipeline * data;
    const std::int64_t node = site % 8 == 0 ? 8 : site;
    ordered_json tiers = ordered_json::array();
    tiers.push_back(
        {{"name", "node"}, {"accelerators", node}, {"bandwidth_bytes_per_second", 450e9}, {"latency_seconds", 3e-6}});
    if (node < site)
        tiers.push_back({{"name", "network"},
                         {"accelerators", site},
                         {"bandwidth_bytes_per_second", 50e9},
                         {"latency_seconds", 7e-6}});
    const bool measured = node < site && *rc::gen::inRange(0, 6) == 0;
    if (measured)
        tiers.back()["bus_bandwidth"] = {{{"ranks", 2 * node}, {"bytes", 1e6}, {"bytes_per_second", 20e9}},
                                         {{"ranks", 2 * node}, {"bytes", 1e9}, {"bytes_per_second", 200e9}},
                                         {{"ranks", 8 * node}, {"bytes", 1e8}, {"bytes_per_second", 50e9}}};
    ordered_json document{{"schema", "meshwright.plan/1"},
                          {"cluster",
                           {{"accelerator", *rc::gen::elementOf(choices.accelerators)},
                            {"tiers", tiers},
                            {"health", measured ? "measured" : "nominal"}}},
                          {"model", model},
                          {"stack", *rc::gen::elementOf(choices.stacks)}};
    document["parallelism"] = {{"tensor", tensor},
                               {"context", context},
                               {"pipeline", pipeline},
                               {"chunks", chunks},
                               {"expert", expert},
                               {"data", data},
                               {"sequence_parallel", tensor > 1 && *rc::gen::arbitrary<bool>()},
                               {"zero_stage", *rc::gen::elementOf(choices.zero_stages)},
                               {"schedule", schedule}};
    // The context degree times the tensor degree must divide the sequence length. Each may be a multiple of three, and
    // nine does not divide 24.
    const std::int64_t parts = std::lcm(std::int64_t(24), context * tensor);
    document["batch"] = {{"sequence_length", parts * *rc::gen::element<std::int64_t>(32, 64, 128)},
                         {"micro_sequences", micro},
                         {"global_sequences", micro * microbatches * data}};
    document["precision"] = {{"compute", *rc::gen::elementOf(choices.computes)},
                             {"gradients", *rc::gen::element<std::string>("fp32", "bf16")}};
    document["recompute"] = {{"mode", *rc::gen::elementOf(choices.recomputes)},
                             {"layers", *rc::gen::element<std::int64_t>(1, 2, 5)}};
    document["offload"] = {{"activations", *rc::gen::elementOf(choices.offloaded_activations)},
                           {"optimizer", *rc::gen::elementOf(choices.offloaded_optimizers)}};
    document["run"] = {{"tokens", 1e12}};
    return document.dump();
}

inline rc::Gen<std::string> plan_documents(const PlanChoices &choices = {}) {
    return rc::gen::exec([choices] { return random_document(choices); });
}

/// Returns the plan, or nothing if the random degrees are incompatible; RC_PRE then requests another plan.
inline std::optional<Plan> valid_plan(const std::string &document) {
    PlanReading reading = read_plan(nlohmann::ordered_json::parse(document), shipped_presets());
    if (!reading.valid())
        return std::nullopt;
    return std::move(reading.plan);
}

/// Whether pipeline ranks differ in the traffic that they send once per step; one of them then determines the exposed
/// time.
inline bool shards_inside_a_pipeline(const Plan &plan) {
    return (plan.parallelism.zero_stage >= 2 || plan.stack.balances_stages) && plan.parallelism.pipeline > 1;
}

} // namespace meshwright
