// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/verdict.h"

#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace meshwright {

namespace {

std::string bytes_text(double bytes) {
    return text_of(bytes, Quantity::bytes);
}
std::string share_text(double share) {
    return text_of(share, Quantity::share);
}

} // namespace

Bottleneck bottleneck_of(const Result &result) {
    if (!result.verdict.fits)
        return Bottleneck::memory;
    if (result.outer && result.outer->utilisation < 0.8)
        return Bottleneck::wan;
    const Step &step = result.step;
    const std::array<std::pair<Bottleneck, double>, 6> avoidable{
        {{Bottleneck::tensor, step.term(StepTerm::tensor)},
         {Bottleneck::pipeline, step.term(StepTerm::bubble) + step.term(StepTerm::pipeline)},
         {Bottleneck::data, step.term(StepTerm::data)},
         {Bottleneck::expert, step.term(StepTerm::expert)},
         {Bottleneck::context, step.term(StepTerm::context)},
         {Bottleneck::wan,
          result.outer ? result.outer->stall_seconds_per_round
                  / std::max<double>(1, static_cast<double>(result.plan.outer.inner_steps))
                       : 0}}};
    const auto largest = std::max_element(avoidable.begin(), avoidable.end(),
                                          [](const auto &a, const auto &b) { return a.second < b.second; });
    return largest->second > 0.15 * step.seconds ? largest->first : Bottleneck::compute;
}

std::string summary_of(const Result &result) {
    const Memory &memory = result.memory;
    const std::string fits = result.verdict.fits
        ? fmt::format("Fits with {} of {} free", bytes_text(result.verdict.headroom_bytes),
                      bytes_text(memory.capacity_bytes))
        : fmt::format("Does not fit: stage {} needs {} of {}", memory.peak_stage, bytes_text(memory.peak_bytes),
                      bytes_text(memory.capacity_bytes));
    return fmt::format("{}; a step takes {} at {} MFU, the run {}; held back by {}", fits,
                       text_of(result.step.seconds, Quantity::seconds), share_text(result.step.mfu),
                       text_of(result.run.seconds, Quantity::seconds),
                       bottleneck_names()[static_cast<std::size_t>(result.verdict.bottleneck)]);
}

std::vector<FigureInText> figures_of_summary(const Result &result) {
    const Memory &memory = result.memory;
    const FigureInText first = result.verdict.fits
        ? FigureInText{bytes_text(result.verdict.headroom_bytes), "verdict.headroom_bytes"}
        : FigureInText{bytes_text(memory.peak_bytes), "memory.peak_bytes"};
    return {first,
            {bytes_text(memory.capacity_bytes), "memory.capacity_bytes"},
            {text_of(result.step.seconds, Quantity::seconds), "step.seconds"},
            {share_text(result.step.mfu), "step.mfu"},
            {text_of(result.run.seconds, Quantity::seconds), "run.seconds"}};
}

} // namespace meshwright
