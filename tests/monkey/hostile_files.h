// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace meshwright {

/// Writes files of every kind that somebody may open by mistake or in bad faith: plans full of markup, cut off, nested
/// too deep or too large, tables with rows of nonsense, a fifo, a folder, a device, a link to nothing.
/// @returns their paths
QStringList writeHostileFiles(const QString &folder);

} // namespace meshwright
