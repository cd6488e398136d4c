// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// Makes a chosen system call on the files of one folder kill the process or fail. Linked into a test program, or
/// loaded before a program's libraries with LD_PRELOAD. Needs neither ptrace nor a full disk.
namespace failing_calls {

enum class Action {
    Count, ///< only counts
    KillBefore, ///< SIGKILL in place of the call
    KillAfter, ///< SIGKILL after the call; a write writes only half
    Fail, ///< fails with an error, once
    FailOn, ///< all writes from this call on fail, as on a full disk
};

struct Plan {
    std::string folder; ///< absolute path; only calls on files below it count
    int turn = 0; ///< number of the call, from 1
    Action action = Action::Count;
    int error = 0; ///< error of Action::Fail and FailOn
};

/// Activates a plan and restarts the count.
void arm(const Plan &plan);
void disarm();
int count();
/// The name of the call that was hit: "rename".
std::string struck();

} // namespace failing_calls
