// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace meshwright {

/// Writes files that a user may open by mistake or that an attacker may send: plans with markup, truncated plans, plans
/// that are nested too deeply or too large, malformed tables, a FIFO, a folder, a device, a broken link.
/// @returns their paths
QStringList writeHostileFiles(const QString &folder);

} // namespace meshwright
