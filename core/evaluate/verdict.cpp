// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/verdict.h"

#include "quantities/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace meshwright {

namespace {

Sentence said(double value, Quantity quantity, const char *figure) {
    return {text_of(value, quantity), figure};
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

Sentence fit_of(const Result &result) {
    const Memory &memory = result.memory;
    const Sentence capacity = said(memory.capacity_bytes, Quantity::bytes, "memory.capacity_bytes");
    return result.verdict.fits
        ? filled("Fits with {} of {} free",
                 said(result.verdict.headroom_bytes, Quantity::bytes, "verdict.headroom_bytes"), capacity)
        : filled("Does not fit: stage {} needs {}, but capacity is {}", memory.peak_stage,
                 said(memory.peak_bytes, Quantity::bytes, "memory.peak_bytes"), capacity);
}

Sentence summary_of(const Result &result) {
    return filled("{}; step time {} at {} MFU, run time {}; bottleneck: {}", fit_of(result),
                  said(result.step.seconds, Quantity::seconds, "step.seconds"),
                  said(result.step.mfu, Quantity::share, "step.mfu"),
                  said(result.run.seconds, Quantity::seconds, "run.seconds"),
                  bottleneck_names()[static_cast<std::size_t>(result.verdict.bottleneck)]);
}

} // namespace meshwright
