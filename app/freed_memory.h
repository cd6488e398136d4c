// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

namespace meshwright {

/// Gives memory that was freed back to the system, every few seconds where some has been added since: an allocator that
/// keeps the most that any plan ever took holds twice what is in use.
class FreedMemory {
public:
    FreedMemory();

    /// At once, whichever allocator the program runs with.
    static void release();
    /// What the program holds of the machine's memory, in bytes; 0 where the system does not say.
    static double resident();

private:
    void check();

    QTimer m_checks;
    double m_least = 0; ///< bytes, since the last release
};

} // namespace meshwright
