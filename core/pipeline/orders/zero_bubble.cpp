// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"
#include "pipeline/orders/builder.h"

#include <algorithm>

namespace meshwright::orders {

namespace {

/// `warm_up` forward passes, then alternating input gradients, weight gradients (each `lag` after its input gradient)
/// and forward passes.
void add_rank(OrderBuilder &builder, std::int64_t rank, std::int64_t warm_up, std::int64_t lag) {
    const std::int64_t microbatches = builder.microbatches();
    builder.begin_rank();
    std::int64_t next = 0;
    while (next < std::min(microbatches, warm_up))
        builder.forward(rank, next++);
    for (std::int64_t k = 0; k < microbatches; ++k) {
        builder.input_gradient(rank, k);
        if (k >= lag)
            builder.weight_gradient(rank, k - lag);
        if (next < microbatches)
            builder.forward(rank, next++);
    }
    for (std::int64_t k = std::max<std::int64_t>(0, microbatches - lag); k < microbatches; ++k)
        builder.weight_gradient(rank, k);
}

OperationOrder zb_h1_order(const OrderRequest &request) {
    OrderBuilder builder(request, 3);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank)
        add_rank(builder, rank, request.ranks - rank, rank);
    return builder.take();
}

OperationOrder zb_h2_order(const OrderRequest &request) {
    OrderBuilder builder(request, 3);
    for (std::int64_t rank = 0; rank < request.ranks; ++rank)
        add_rank(builder, rank, 2 * (request.ranks - rank) - 1, 2 * rank);
    return builder.take();
}

} // namespace

/// ZB-H1 as in figure 3 of arXiv 2401.10241: no more memory than 1F1B.
ScheduleDefinition zb_h1() {
    return {.name = "zb-h1",
            .title = "ZB-H1",
            .source = "Qi et al., Zero bubble pipeline parallelism, arXiv 2401.10241, section 2.2 and figure 3",
            .min_microbatches = [](std::int64_t stages) { return stages; },
            .generate = zb_h1_order,
            .forms = {.bubble = [](const FormTerms &t) { return formula::zb_h1_bubble_seconds(t.p, t.F, t.I, t.W); },
                      .bubble_formula = "zb-h1-bubble",
                      .span_bubble =
                          [](const FormTerms &t) { return formula::zb_h1_span_bubble_seconds(t.p, t.F, t.I, t.W); },
                      .sends = {.crossings = 4, .through_chunks = false},
                      .in_flight = [](const FormTerms &t) { return std::min(t.m, t.p); }}};
}

/// ZB-H2 as in figure 3 of arXiv 2401.10241: twice the memory of 1F1B, and no bubble within a rank's span.
ScheduleDefinition zb_h2() {
    return {.name = "zb-h2",
            .title = "ZB-H2",
            .source = "Qi et al., Zero bubble pipeline parallelism, arXiv 2401.10241, section 2.2 and figure 3",
            .min_microbatches = [](std::int64_t stages) { return 2 * stages - 1; },
            .generate = zb_h2_order,
            .forms = {.bubble = [](const FormTerms &t) { return formula::zb_h2_bubble_seconds(t.p, t.F, t.I, t.W); },
                      .bubble_formula = "zb-h2-bubble",
                      .span_bubble =
                          [](const FormTerms &t) { return formula::zb_h2_span_bubble_seconds(t.p, t.F, t.I, t.W); },
                      .sends = {.through_chunks = false},
                      .in_flight = [](const FormTerms &t) { return std::min(t.m, 2 * t.p - 1); }}};
}

} // namespace meshwright::orders
