// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/idle_shares.h"

#include <algorithm>

namespace meshwright {

namespace {

/// Idle time summed over all ranks in seconds, by cause, and the ranks' total time.
struct IdleSeconds {
    double warm_up_and_drain = 0;
    double imbalance = 0;
    double sends = 0;
    double available = 0;

    IdleShares shares() const {
        if (!(available > 0))
            return {};
        return {.warm_up_and_drain = warm_up_and_drain / available,
                .imbalance = imbalance / available,
                .sends = sends / available};
    }
};

IdleSeconds idle_seconds(const OperationOrder &order, const Timeline &timeline) {
    IdleSeconds idle{.available = static_cast<double>(order.ranks) * timeline.makespan};
    for (std::int64_t rank = 0; rank < order.ranks; ++rank)
        for (const IdleInterval &interval : idle_intervals(order, timeline, rank)) {
            double &cause = interval.cause == IdleCause::send ? idle.sends
                : interval.cause == IdleCause::imbalance      ? idle.imbalance
                                                              : idle.warm_up_and_drain;
            cause += interval.end - interval.start;
        }
    return idle;
}

} // namespace

IdleShares idle_shares(const OperationOrder &order, const Timeline &timeline) {
    return idle_seconds(order, timeline).shares();
}

IdleShares idle_shares(const ExecutedOrder &executed, const PipelineWork &work) {
    if (executed.order.ranks == 1)
        return {}; // a pipeline of one rank has no idle time
    const IdleSeconds longer = idle_seconds(executed.order, simulate(executed.order, work));
    if (!executed.shorter)
        return longer.shares();
    const IdleSeconds shorter = idle_seconds(*executed.shorter, simulate(*executed.shorter, work));
    const auto whole = [&](double IdleSeconds::*part) {
        return std::max(0.0, executed.carried_on(longer.*part, shorter.*part));
    };
    return IdleSeconds{.warm_up_and_drain = whole(&IdleSeconds::warm_up_and_drain),
                       .imbalance = whole(&IdleSeconds::imbalance),
                       .sends = whole(&IdleSeconds::sends),
                       .available = whole(&IdleSeconds::available)}
        .shares();
}

} // namespace meshwright
