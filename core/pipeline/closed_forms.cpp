// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/closed_forms.h"

#include "formulas/pipeline.h"
#include "formulas/step_terms.h"

#include <algorithm>

namespace meshwright {

namespace {

FormTerms terms_of(const PipelineShape &shape) {
    return {.p = static_cast<double>(shape.stages),
            .m = static_cast<double>(shape.microbatches),
            .v = static_cast<double>(shape.chunks),
            .g = static_cast<double>(shape.group),
            .F = shape.forward,
            .I = shape.input_gradient,
            .W = shape.weight_gradient};
}

} // namespace

double bubble_seconds(const PipelineShape &shape) {
    if (shape.stages <= 1)
        return 0;
    const FormTerms t = terms_of(shape);
    const auto bubble = definition_of(shape.schedule).forms.bubble;
    return bubble != nullptr ? bubble(t) : formula::fill_bubble_seconds(t.p, t.v, t.F, t.I, t.W);
}

double span_bubble_seconds(const PipelineShape &shape) {
    const auto span_bubble = definition_of(shape.schedule).forms.span_bubble;
    if (span_bubble == nullptr || shape.stages <= 1)
        return bubble_seconds(shape);
    return span_bubble(terms_of(shape));
}

double send_seconds(const PipelineShape &shape, bool overlapped) {
    if (shape.stages <= 1)
        return 0;
    const FormTerms t = terms_of(shape);
    const SendForm &form = definition_of(shape.schedule).forms.sends;
    if (form.waits == SendForm::Waits::neighbours)
        return formula::one_f_one_b_send_seconds(t.p, t.m, shape.hop);
    if (form.waits == SendForm::Waits::chunks && !overlapped)
        return formula::chunk_send_seconds(t.m, t.v, shape.hop);
    return formula::fill_send_seconds(static_cast<double>(form.crossings), t.p, form.through_chunks ? t.v : 1,
                                      shape.hop);
}

std::vector<std::int64_t> in_flight(const PipelineShape &shape) {
    std::vector<std::int64_t> counts;
    counts.reserve(static_cast<std::size_t>(shape.stages));
    for (std::int64_t rank = 0; rank < shape.stages; ++rank) {
        const double held =
            formula::chunks_in_flight(static_cast<double>(shape.schedule), static_cast<double>(shape.stages),
                                      static_cast<double>(shape.microbatches), static_cast<double>(shape.chunks),
                                      static_cast<double>(shape.group), static_cast<double>(rank));
        counts.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(held)));
    }
    return counts;
}

std::vector<std::int64_t> stages_of_rank(Schedule schedule, std::int64_t stages, std::int64_t chunks,
                                         std::int64_t rank) {
    const ScheduleDefinition &definition = definition_of(schedule);
    if (definition.placement == StagePlacement::v_shape)
        return {rank, 2 * stages - 1 - rank};
    if (definition.placement == StagePlacement::both_ways)
        return stages > 1 ? std::vector<std::int64_t>{rank, stages - 1 - rank} : std::vector<std::int64_t>{0};
    std::vector<std::int64_t> held;
    if (definition.cuts_sequences)
        chunks = 1;
    held.reserve(static_cast<std::size_t>(chunks));
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
        held.push_back(chunk * stages + rank);
    return held;
}

} // namespace meshwright
