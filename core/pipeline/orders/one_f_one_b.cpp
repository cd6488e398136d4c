// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"
#include "pipeline/orders/builder.h"

#include <algorithm>

namespace meshwright::orders {

namespace {

/// 1F1B over slices of a sequence. Plain 1F1B has one slice. Backward passes run a microbatch's slices from last to
/// first.
OperationOrder in_slices(const OrderRequest &request) {
    OrderBuilder builder(request, 2);
    const std::int64_t slices = request.chunks;
    const std::int64_t units = request.microbatches * slices;
    for (std::int64_t rank = 0; rank < request.ranks; ++rank) {
        builder.begin_rank();
        const std::int64_t warm_up = std::min(request.ranks - rank - 2 + slices, units);
        std::int64_t next = 0;
        while (next < warm_up)
            builder.forward(rank, next++);
        for (std::int64_t k = 0; k < units; ++k) {
            if (next < units)
                builder.forward(rank, next++);
            builder.backward(rank, k - k % slices + slices - 1 - k % slices);
        }
    }
    return builder.take();
}

} // namespace

ScheduleDefinition one_f_one_b() {
    return {.name = "1f1b",
            .title = "1F1B",
            .source = "Narayanan et al., arXiv 2104.04473, section 2.2.1",
            .generate = in_slices,
            .forms = {.bubble = [](const FormTerms &t) { return formula::fill_bubble_seconds(t.p, 1, t.F, t.I, t.W); },
                      .sends = {.waits = SendForm::Waits::neighbours},
                      .in_flight = [](const FormTerms &t) { return formula::one_f_one_b_in_flight(t.p, t.m, t.r); }}};
}

ScheduleDefinition seq1f1b() {
    return {
        .name = "seq1f1b",
        .title = "Seq1F1B",
        .source = "Sun et al., Seq1F1B, arXiv 2406.03488",
        .chunks = ChunkCount::any,
        .cuts_sequences = true,
        .generate = in_slices,
        .forms = {.bubble = [](const FormTerms &t) { return formula::fill_bubble_seconds(t.p, t.v, t.F, t.I, t.W); },
                  .in_flight = [](const FormTerms &t) { return formula::seq1f1b_in_flight(t.p, t.m, t.v, t.r); }}};
}

} // namespace meshwright::orders
