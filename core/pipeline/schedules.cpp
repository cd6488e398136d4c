// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/schedules.h"

/// The schedules in the order in which lists show them. Each line names the function in orders/ that defines the
/// schedule.
#define MESHWRIGHT_SCHEDULES(LISTED)                                                                                   \
    LISTED(gpipe)                                                                                                      \
    LISTED(one_f_one_b)                                                                                                \
    LISTED(interleaved)                                                                                                \
    LISTED(looped_bfs)                                                                                                 \
    LISTED(zb_h1)                                                                                                      \
    LISTED(zb_h2)                                                                                                      \
    LISTED(zb_1p)                                                                                                      \
    LISTED(zb_2p)                                                                                                      \
    LISTED(interleaved_zb)                                                                                             \
    LISTED(zb_v)                                                                                                       \
    LISTED(v_half)                                                                                                     \
    LISTED(v_min)                                                                                                      \
    LISTED(dualpipe)                                                                                                   \
    LISTED(dualpipe_v)                                                                                                 \
    LISTED(chimera)                                                                                                    \
    LISTED(seq1f1b)

namespace meshwright {

namespace orders {
#define MESHWRIGHT_DECLARED(schedule) ScheduleDefinition schedule();
MESHWRIGHT_SCHEDULES(MESHWRIGHT_DECLARED)
} // namespace orders

std::vector<ScheduleDefinition> listed_schedules() {
#define MESHWRIGHT_DEFINED(schedule) orders::schedule(),
    return {MESHWRIGHT_SCHEDULES(MESHWRIGHT_DEFINED)};
}

} // namespace meshwright
