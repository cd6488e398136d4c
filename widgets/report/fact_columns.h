// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/page_flow.h"

#include <QString>

#include <vector>

namespace meshwright {

struct PaperFact {
    QString name;
    SentenceText value;
    ColourRole colour = ColourRole::Text;
};

/// A title with facts below it.
struct FactGroup {
    QString title;
    std::vector<PaperFact> facts;
};

/// Columns of groups. A value that is too long for its line continues on the next lines.
ReportBlock factColumns(const std::vector<std::vector<FactGroup>> &columns);

} // namespace meshwright
