// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/simulation.h"

#include "outer/fleet.h"
#include "outer/wave.h"

#include <cmath>
#include <stdexcept>

namespace meshwright {

OuterRun simulate_outer(const Plan &plan, double parameters, double step_seconds, std::uint64_t seed,
                        const SimulationSize &size, OuterTimeline *timeline) {
    Fleet fleet(plan, parameters, step_seconds, seed, size);
    OuterRun run = Wave(fleet, timeline, size).run();
    if (std::abs(run.updates.sent - run.updates.accounted()) > 0.5)
        throw std::logic_error("the number of sent updates differs from the number of updates accounted for");
    return run;
}

OuterCourse follow_run(const Plan &plan, double parameters, double step_seconds, std::uint64_t seed,
                       std::int64_t rounds, std::int64_t stretches, const std::stop_token &stop) {
    Fleet fleet(plan, parameters, step_seconds, seed, {});
    return Wave(fleet, nullptr, {}).course(rounds, stretches, stop);
}

} // namespace meshwright
