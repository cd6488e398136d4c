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

/// Facts under a title.
struct FactGroup {
    QString title;
    std::vector<PaperFact> facts;
};

/// Columns side by side, each of groups under one another. A value that is too long for its line takes the next ones.
ReportBlock factColumns(const std::vector<std::vector<FactGroup>> &columns);

} // namespace meshwright
