// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/order.h"

#include "input/diagnostic.h"
#include "pipeline/orders/builder.h"
#include "pipeline/orders/generators.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

/// How many chunks a rank has under a schedule.
enum class Chunks { one, two, any };

struct Generator {
    Schedule schedule;
    Chunks chunks;
    OperationOrder (*generate)(const OrderRequest &);
};

/// Every schedule's generator.
constexpr std::array generators{
    Generator{Schedule::gpipe, Chunks::one, orders::gpipe},
    Generator{Schedule::one_f_one_b, Chunks::one, orders::one_f_one_b},
    Generator{Schedule::interleaved, Chunks::any, orders::interleaved},
    Generator{Schedule::looped_bfs, Chunks::any, orders::looped_bfs},
    Generator{Schedule::zb_h1, Chunks::one, orders::zb_h1},
    Generator{Schedule::zb_h2, Chunks::one, orders::zb_h2},
    Generator{Schedule::zb_1p, Chunks::one, orders::zb_automatic},
    Generator{Schedule::zb_2p, Chunks::one, orders::zb_automatic},
    Generator{Schedule::interleaved_zb, Chunks::any, orders::interleaved_zb},
    Generator{Schedule::zb_v, Chunks::two, orders::zb_v},
    Generator{Schedule::v_half, Chunks::two, orders::v_compact},
    Generator{Schedule::v_min, Chunks::two, orders::v_compact},
    Generator{Schedule::dualpipe, Chunks::one, orders::dualpipe},
    Generator{Schedule::dualpipe_v, Chunks::two, orders::dualpipe_v},
    Generator{Schedule::chimera, Chunks::one, orders::chimera},
    Generator{Schedule::seq1f1b, Chunks::any, orders::seq1f1b},
};

void check_request(const OrderRequest &request, Chunks chunks) {
    require(request.ranks >= 1 && request.ranks <= 4096, request, "1 to 4096 stages are expected");
    require(request.microbatches >= 1 && request.microbatches <= most_operations, request,
            "1 to 8000000 microbatches are expected");
    require(request.chunks >= 1 && request.chunks <= 65'535, request, "1 to 65535 chunks are expected");
    require(chunks != Chunks::one || request.chunks == 1, request, "one chunk a stage is expected");
    require(chunks != Chunks::two || request.chunks == 2, request, "two chunks a stage are expected");
    require(request.group >= 0, request, "a group of at least one microbatch is expected");
    for (const double seconds :
         {request.forward, request.input_gradient, request.weight_gradient, request.hop, request.memory_limit})
        require(std::isfinite(seconds) && seconds >= 0, request, "times and limits from 0 are expected");
}

} // namespace

std::int64_t OperationOrder::chunk_of(const Operation &operation) const {
    if (directions == 2)
        return operation.direction;
    return operation.stage / ranks;
}

OperationOrder operation_order(const OrderRequest &request) {
    const auto *const generator = std::find_if(
        generators.begin(), generators.end(), [&](const Generator &each) { return each.schedule == request.schedule; });
    require(generator != generators.end(), request, "a schedule with an order is expected");
    check_request(request, generator->chunks);
    return generator->generate(request);
}

} // namespace meshwright
