// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about settings that a target cannot express.
#include "launch/target_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

void TargetPlan::lose(const std::string &what, const std::string &instead, std::vector<std::string> fields) {
    std::string sentence = fmt::format("{}; instead: {}.", what, instead);
    // Names of software keep their capitalization.
    const std::string name = plan.stack.name.substr(0, plan.stack.name.find(' '));
    if (sentence.front() >= 'a' && sentence.front() <= 'z' && !sentence.starts_with(name))
        sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
    const auto same =
        std::find_if(lost.begin(), lost.end(), [&](const Loss &loss) { return loss.sentence == sentence; });
    if (same == lost.end())
        lost.push_back({.sentence = std::move(sentence), .fields = std::move(fields)});
    else
        same->fields.insert(same->fields.end(), fields.begin(), fields.end());
}

void TargetPlan::keep_one_site() {
    const std::int64_t sites = plan.cluster.sites;
    if (plan.outer.method != OuterMethod::none)
        lose(fmt::format("the outer loop ({} between {} sites) is not exported",
                         outer_method_names()[static_cast<std::size_t>(plan.outer.method)], sites),
             fmt::format("the job of one site: 1/{} of the tokens, {} sequences per step", sites,
                         plan.batch.global_sequences),
             {"/cluster/sites", "/outer", "/run/tokens"});
    plan.outer = {};
    plan.aggregation = {};
    plan.cluster.sites = 1;
    plan.cluster.wan.reset();
    plan.run.tokens /= static_cast<double>(std::max<std::int64_t>(1, sites));
}

void TargetPlan::make_attention_uniform(std::string_view name) {
    if (!shape.has_delta_net.empty())
        lose(fmt::format("{} has no Gated DeltaNet layers", name), "attention in all layers", {"/model"});
    shape.has_delta_net.clear();
    if (shape.windowed.empty())
        return;
    const auto windows = std::count(shape.windowed.begin(), shape.windowed.end(), true);
    const bool slides = 2 * windows > static_cast<std::ptrdiff_t>(shape.windowed.size());
    lose(fmt::format("{} has sliding windows in all layers or in none", name), slides ? "in all" : "in none",
         {"/model"});
    shape.windowed.clear();
    if (!slides)
        shape.window.reset();
}

void TargetPlan::extend_longest_sequence() {
    const std::int64_t length = plan.batch.sequence_length;
    if (shape.longest_sequence && *shape.longest_sequence < length)
        lose(fmt::format("the model's maximum sequence length, {} tokens, is less than the plan's",
                         *shape.longest_sequence),
             fmt::format("{} tokens", length), {"/model/longest_sequence"});
    shape.longest_sequence = std::max(shape.longest_sequence.value_or(0), length);
}

void TargetPlan::fit_longest_sequence_to_positions() {
    if (!shape.learned_positions)
        return extend_longest_sequence();
    const std::int64_t positions = *shape.learned_positions;
    if (shape.longest_sequence.value_or(positions) != positions)
        lose(fmt::format("{} uses the number of learned positions as the maximum sequence length", plan.stack.name),
             fmt::format("{} tokens", positions), {"/model/longest_sequence"});
    shape.longest_sequence = positions;
}

void TargetPlan::pad_vocabulary() {
    const std::int64_t tensor = plan.parallelism.tensor;
    const std::int64_t rows = shape.vocabulary.value_or(1);
    if (rows % tensor == 0)
        return;
    shape.vocabulary = (rows + tensor - 1) / tensor * tensor;
    lose(fmt::format("a vocabulary of {} is not divisible by tensor parallelism {}", rows, tensor),
         fmt::format("{} rows", *shape.vocabulary), {"/model"});
}

void TargetPlan::keep_optimizer(std::initializer_list<OptimizerKind> supported, std::string_view name) {
    const OptimizerKind kind = plan.optimizer.kind;
    if (std::find(supported.begin(), supported.end(), kind) != supported.end())
        return;
    lose(fmt::format("{} does not support the optimizer {}", name, optimizer_names()[static_cast<std::size_t>(kind)]),
         "AdamW", {"/optimizer/name"});
    plan.optimizer = {};
}

std::optional<std::int64_t> TargetPlan::effective_shard_group() {
    Parallelism &parallelism = plan.parallelism;
    const std::int64_t ranks = parallelism.data * parallelism.context;
    if (parallelism.shard_group && (parallelism.zero_stage == 0 || *parallelism.shard_group >= ranks))
        parallelism.shard_group.reset();
    return parallelism.shard_group;
}

void TargetPlan::settle(DataType &type, DataType now, const std::string &what, const std::string &field) {
    if (type == now)
        return;
    lose(type == DataType::none
             ? fmt::format("{} requires {} with these settings", plan.stack.name, what)
             : fmt::format("{} cannot store {} in {} with these settings", plan.stack.name, what, name_of(type)),
         name_of(now), {field});
    type = now;
}

} // namespace meshwright
