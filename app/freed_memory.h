// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

namespace meshwright {

/// Checks every few seconds and returns freed memory to the system if the program has grown. Otherwise the allocator
/// would hold on to the peak memory of all plans so far, about twice the memory in use.
class FreedMemory {
public:
    FreedMemory();

    /// Releases memory immediately, with any allocator.
    static void release();
    /// Resident memory of the program in bytes; 0 if unknown.
    static double resident();

private:
    void check();

    QTimer m_checks;
    double m_least = 0; ///< minimum resident bytes since the last release
};

} // namespace meshwright
