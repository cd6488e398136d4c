// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "report/page_flow.h"

#include <QColor>
#include <QString>

#include <vector>

namespace meshwright {

/// A coloured chip with a name and, right of it, a value.
struct ChipEntry {
    QColor colour;
    QString name;
    QString value; ///< may be empty
    FigureRef figure;
};

/// In three columns, one under another. Names that are too long are shortened.
ReportBlock chipEntries(const std::vector<ChipEntry> &entries);

} // namespace meshwright
