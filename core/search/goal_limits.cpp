// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/goal_limits.h"

#include "plan/outer_symmetry.h"
#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace meshwright {

namespace {

std::string largest_memory(const Result &result) {
    const Memory &memory = result.memory;
    const StageMemory &stage = memory.stages[static_cast<std::size_t>(memory.peak_stage)];
    const std::array<std::pair<const char *, double>, 8> kinds{
        {{"Weights", stage.weights_bytes},
         {"Gradients", stage.gradients_bytes},
         {"Optimizer states", stage.optimizer_bytes},
         {"Activations", stage.activations_bytes},
         {"Logits", stage.logits_bytes},
         {"Buffers", stage.buffers_bytes},
         {"Outer optimizer states", stage.outer_bytes},
         {"CUDA context and NCCL buffers", stage.runtime_bytes}}};
    const auto largest =
        std::max_element(kinds.begin(), kinds.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    return fmt::format("{} take {} of {} on stage {}", largest->first, text_of(largest->second, Quantity::bytes),
                       text_of(memory.capacity_bytes, Quantity::bytes), memory.peak_stage);
}

std::string largest_term(const Result &result) {
    static constexpr std::array<const char *, step_term_count> names{"Compute",
                                                                     "Recomputation",
                                                                     "The pipeline bubble",
                                                                     "Tensor-parallel communication",
                                                                     "Context-parallel communication",
                                                                     "Expert communication",
                                                                     "Pipeline communication",
                                                                     "Data-parallel communication",
                                                                     "The optimizer step"};
    const auto &terms = result.step.terms;
    const auto largest = std::max_element(terms.begin(), terms.end());
    return fmt::format("{} takes {} of a {} step at {} MFU", names[static_cast<std::size_t>(largest - terms.begin())],
                       text_of(*largest / result.step.seconds, Quantity::share),
                       text_of(result.step.seconds, Quantity::seconds), text_of(result.step.mfu, Quantity::share));
}

} // namespace

std::string reason_not_to_seek(const Result &result, GoalFigure figure) {
    if (figure == GoalFigure::utilisation && !result.outer)
        return "The plan has no outer loop, so no site waits for another site";
    const bool of_run = figure == GoalFigure::days || figure == GoalFigure::cost || figure == GoalFigure::energy
        || figure == GoalFigure::utilisation || figure == GoalFigure::goodput;
    if (result.outer && of_run && is_slow_to_follow(result.plan))
        return "Simulating unequal sites with this many fragments thousands of times would take too long";
    if (figure == GoalFigure::cost && result.run.rental_dollars == 0)
        return "The plan has no rental price";
    return {};
}

std::string limit_of(const Result &nearest, const Goal &goal) {
    const bool of_memory = goal.figure == GoalFigure::headroom || goal.figure == GoalFigure::headroom_share
        || goal.figure == GoalFigure::fit;
    if (of_memory || !nearest.verdict.fits)
        return largest_memory(nearest);
    if (goal.figure == GoalFigure::goodput)
        return fmt::format("Failures and checkpoints take {} of the run",
                           text_of(1 - nearest.run.goodput, Quantity::share));
    constexpr double waiting = 0.9; // below this compute utilization, the main limit is the links, not the step time
    if (nearest.outer && nearest.outer->utilisation < waiting)
        return fmt::format("Sites compute {} of the time and wait for their links the rest of the time",
                           text_of(nearest.outer->utilisation, Quantity::share));
    return largest_term(nearest);
}

} // namespace meshwright
