// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// System calls on the files of one folder that kill the process, or fail, when their turn comes. Linked into a test
/// program, or loaded before a program's own libraries with LD_PRELOAD. Needs neither ptrace nor a disk that is full.
namespace failing_calls {

enum class Action {
    Count, ///< only counts
    KillBefore, ///< SIGKILL in place of the call
    KillAfter, ///< SIGKILL when it is done; a write is done by half
    Fail, ///< with an error, once
    FailOn, ///< with an error, from its turn on: writes alone, as on a disk that is full
};

struct Plan {
    std::string folder; ///< absolute; calls on what lies below it count
    int turn = 0; ///< from 1
    Action action = Action::Count;
    int error = 0; ///< of Action::Fail and FailOn
};

/// From here on; counts from 0 again.
void arm(const Plan &plan);
void disarm();
int count();
/// The name of the call whose turn it was: "rename".
std::string struck();

} // namespace failing_calls
