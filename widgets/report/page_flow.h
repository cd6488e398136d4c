// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/paper.h"

#include <QString>

#include <functional>
#include <vector>

namespace meshwright {

/// A part of a section that stays on one page.
struct ReportBlock {
    qreal height = 0;
    /// Draws with its top left corner at (x, y) in a column of paper::ContentWidth.
    std::function<void(Paper &, qreal x, qreal y)> paint;
    bool staysWithNext = false;
    bool states = false; ///< what it says of numbers beside figures that open
};

enum class SectionStart { Flowing, OwnPage };

/// Blocks under one heading. A section that goes on over a page repeats its heading there.
struct ReportSection {
    QString title; ///< empty: no heading, as at the top of the report
    SentenceText note; ///< beside the title, quieter
    std::vector<ReportBlock> blocks;
    SectionStart start = SectionStart::Flowing;
};

/// Where every block stands.
struct PlacedBlock {
    const ReportBlock *block;
    qreal y;
};
struct PlacedHeading {
    QString title;
    SentenceText note;
    qreal y;
};
struct ReportPage {
    std::vector<PlacedHeading> headings;
    std::vector<PlacedBlock> blocks;
};

/// Fills pages from the top; the sections must outlive the pages.
std::vector<ReportPage> flowed(const std::vector<ReportSection> &sections);

void paintPage(Paper &paper, const ReportPage &page);

} // namespace meshwright
