// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// Makes the n-th system call on the files of a folder fail or kill the process. The code is linked into a test program
/// or loaded with LD_PRELOAD, and needs neither ptrace nor a full disk.
namespace failing_calls {

enum class Action {
    Count, ///< only counts calls
    KillBefore, ///< sends SIGKILL in place of the call
    KillAfter, ///< sends SIGKILL after the call; a write writes only half of its bytes
    Fail, ///< returns an error once
    FailOn, ///< returns an error for this call and all later writes, as on a full disk
};

struct Plan {
    std::string folder; ///< absolute path; calls on files below it count
    int turn = 0; ///< number of the call to fail, counted from 1
    Action action = Action::Count;
    int error = 0; ///< errno for Action::Fail and FailOn
};

/// Starts counting calls from 0, with one call that fails as planned.
void arm(const Plan &plan);
void disarm();
int count();
/// Returns the name of the call that failed, such as "rename".
std::string struck();

} // namespace failing_calls
