// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/plan_hints.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>

namespace meshwright {

namespace {

using Hints = std::vector<Diagnostic>;

Diagnostic &add(Hints &found, Severity severity, std::string code, Sentence message, Sentence expected,
                std::vector<std::string> fields) {
    found.push_back({.severity = severity,
                     .code = std::move(code),
                     .message = std::move(message),
                     .expected = std::move(expected),
                     .fields = std::move(fields),
                     .fixes = {}});
    return found.back();
}

void without_effect(const Plan &plan, Hints &found) {
    const Parallelism &parallelism = plan.parallelism;
    if (plan.recompute.mode == RecomputeMode::selective && plan.stack.attention != AttentionKernel::unfused
        && !plan.stack.selective_by_operation)
        add(found, Severity::hint, "selective-without-effect",
            "selective recomputation frees almost no memory with a fused attention kernel, which does not save "
            "attention scores",
            "", {"/recompute/mode"})
            .fixes.push_back({.title = "no recomputation",
                              .patch = R"({"recompute":{"mode":"none"}})",
                              .gain = "less recomputation"});
    for (const Block &block : plan.model.blocks)
        if (const auto *attention = std::get_if<Attention>(&block.mixer); attention != nullptr
            && attention->kv_heads < parallelism.tensor && attention->kv_heads > 0
            && attention->heads > attention->kv_heads) {
            add(found, Severity::hint, "kv-copies",
                filled("{} key-value heads with {}-way tensor parallelism: each head is replicated on {} ranks",
                       field(attention->kv_heads, "/model"), field(parallelism.tensor, "/parallelism/tensor"),
                       Sentence{std::to_string(parallelism.tensor / attention->kv_heads), "advice.kv_copies"}),
                "", {"/parallelism/tensor"});
            break;
        }
    if (!plan.constraints_json.empty())
        add(found, Severity::hint, "kept-fields",
            "constraints are stored with the plan but affect only searches, not the evaluation", "", {"/constraints"});
}

void limits_of_the_model(const Plan &plan, Hints &found) {
    const Model &model = plan.model;
    if (model.learned_positions > 0 && plan.batch.sequence_length > model.learned_positions)
        add(found, Severity::warning, "sequence-too-long",
            filled("sequences of {} tokens, but the model has {} learned positions",
                   field(plan.batch.sequence_length, "/batch/sequence_length"),
                   field(model.learned_positions, "/model")),
            filled("Use sequences of at most {} tokens, one per position", model.learned_positions),
            {"/batch/sequence_length"})
            .fixes.push_back({.title = fmt::format("sequence length {}", model.learned_positions),
                              .patch = fmt::format(R"({{"batch":{{"sequence_length":{}}}}})", model.learned_positions),
                              .gain = {}});
    if (plan.parallelism.zero_stage == 3 && plan.parallelism.pipeline > 1 && plan.microbatches() > 1)
        add(found, Severity::hint, "zero3-in-pipeline",
            filled("ZeRO 3 all-gathers the weights for each of {} microbatches",
                   Sentence{std::to_string(plan.microbatches()), "advice.microbatches"}),
            "", {"/parallelism/zero_stage"});
}

} // namespace

std::vector<Diagnostic> plan_hints(const Plan &plan) {
    Hints found;
    without_effect(plan, found);
    limits_of_the_model(plan, found);
    return found;
}

} // namespace meshwright
