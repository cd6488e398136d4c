// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/batch_stages.h"

#include "formulas/batch_and_rates.h"
#include "formulas/catalogue.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

std::vector<BatchStage> batch_stages(double start_batch, double tokens, std::span<const double> doubling_tokens) {
    if (!std::is_sorted(doubling_tokens.begin(), doubling_tokens.end()))
        return {};
    std::vector<BatchStage> stages;
    stages.reserve(doubling_tokens.size() + 1);
    double batch = start_batch;
    double trained = 0;
    for (std::size_t i = 0; i <= doubling_tokens.size(); ++i) {
        const double end = i < doubling_tokens.size() ? std::min(doubling_tokens[i], tokens) : tokens;
        const double steps = std::max(0.0, std::ceil((end - trained) / batch));
        stages.push_back({batch, trained, steps});
        trained += steps > 0 ? steps * batch : 0;
        batch *= 2;
    }
    return stages;
}

namespace catalogue {

using enum Quantity;

namespace {

double all_steps(const std::vector<BatchStage> &stages) {
    double steps = 0;
    for (const BatchStage &stage : stages)
        steps += stage.steps;
    return stages.empty() ? formula::undefined : steps;
}
double last_batch(const std::vector<BatchStage> &stages) {
    const auto last = std::find_if(stages.rbegin(), stages.rend(), [](const BatchStage &one) { return one.steps > 0; });
    return last == stages.rend() ? formula::undefined : last->batch_tokens;
}

/// Arguments: start_batch, tokens and doubling_tokens.
std::vector<BatchStage> stages_of(std::span<const double> values) {
    return batch_stages(values[0], values[1], values.subspan(2));
}
double steps_of_run(std::span<const double> values) {
    return all_steps(stages_of(values));
}
double final_batch(std::span<const double> values) {
    return last_batch(stages_of(values));
}
double extra_steps(std::span<const double> values) {
    const std::vector<BatchStage> stages = stages_of(values);
    return all_steps(stages) - formula::training_steps(values[1], last_batch(stages));
}

/// The stage whose number is the third argument. Null if there are fewer stages.
const BatchStage *stage_of(std::span<const double> values, const std::vector<BatchStage> &stages) {
    const double stage = values[2];
    return stage <= static_cast<double>(stages.size()) ? &stages[static_cast<std::size_t>(stage) - 1] : nullptr;
}
double stage_steps(std::span<const double> values) {
    const std::vector<BatchStage> stages = batch_stages(values[0], values[1], values.subspan(3));
    const BatchStage *const stage = stage_of(values, stages);
    return stage == nullptr ? formula::undefined : stage->steps;
}
double stage_batch(std::span<const double> values) {
    const std::vector<BatchStage> stages = batch_stages(values[0], values[1], values.subspan(3));
    const BatchStage *const stage = stage_of(values, stages);
    return stage == nullptr ? formula::undefined : stage->batch_tokens;
}

} // namespace

std::vector<Formula> batch_stage_formulas() {
    Symbol doublings = amount(tokens, "doubling_tokens", "D_2",
                              "tokens trained on before each doubling of the batch, in ascending order");
    doublings.is_list = true;
    return {
        {.id = "batch-stages",
         .title = "Batch size that doubles in stages",
         .topic = topic::batch_and_learning_rate,
         .symbols = {amount(tokens, "start_batch", "B_0", "tokens per batch at the start"),
                     amount(tokens, "tokens", "D", "tokens of the run"), doublings,
                     otherwise(whole("stage", "k", "stage, from 1", 1, 1e5), 1)},
         .results = {procedure({"steps", "n", "optimizer steps of the run", count},
                               {"start_batch", "tokens", "doubling_tokens"}, steps_of_run),
                     procedure({"final_batch", "B", "tokens per batch at the end of the run", tokens},
                               {"start_batch", "tokens", "doubling_tokens"}, final_batch),
                     procedure({"extra_steps", "n_x",
                                "additional steps compared with training at the final batch size throughout", count},
                               {"start_batch", "tokens", "doubling_tokens"}, extra_steps),
                     procedure({"stage_steps", "n_k", "optimizer steps of the stage", count},
                               {"start_batch", "tokens", "stage", "doubling_tokens"}, stage_steps),
                     procedure({"stage_batch", "B_k", "tokens per batch in the stage", tokens},
                               {"start_batch", "tokens", "stage", "doubling_tokens"}, stage_batch)},
         .source = "Llama 3, arXiv 2407.21783, section 3.4.1, and MiniMax-01, arXiv 2501.08313, for batch sizes that "
                   "double at given token counts",
         .notes = "A stage ends with the first step that reaches its token count. Llama 3 405B: batches of 4M "
                  "tokens, of 8M after 252M trained tokens, and of 16M after 2.87T."}};
}

} // namespace catalogue

} // namespace meshwright
