// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "report/page_flow.h"

#include <QColor>
#include <QString>

#include <vector>

namespace meshwright {

/// A colored chip with a name and a right-aligned value.
struct ChipEntry {
    QColor colour;
    QString name;
    QString value; ///< may be empty
    FigureRef figure;
};

/// Entries in three columns. Names that are too long are elided.
ReportBlock chipEntries(const std::vector<ChipEntry> &entries);

} // namespace meshwright
