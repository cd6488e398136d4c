// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace meshwright {

/// Writes files that a user may open by mistake or receive from an attacker: plans full of markup, truncated, nested
/// too deeply or too large, tables with nonsense rows, a fifo, a folder, a device, a dangling link.
/// @returns their paths
QStringList writeHostileFiles(const QString &folder);

} // namespace meshwright
