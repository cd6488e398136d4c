// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/paper.h"

#include <QString>

#include <functional>
#include <vector>

namespace meshwright {

/// A part of a section that is not split across pages.
struct ReportBlock {
    qreal height = 0;
    /// Draws the block with its top left corner at (x, y) and a width of paper::ContentWidth.
    std::function<void(Paper &, qreal x, qreal y)> paint;
    bool staysWithNext = false;
    bool states = false; ///< whether numbers that are not links are explained by the block itself
};

enum class SectionStart { Flowing, OwnPage };

/// Blocks under one heading, which is repeated on each page that the section continues on.
struct ReportSection {
    QString title; ///< empty for no heading, as at the top of the report
    SentenceText note; ///< shown next to the title in a lighter color
    std::vector<ReportBlock> blocks;
    SectionStart start = SectionStart::Flowing;
};

/// A block and its position on a page.
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

/// Distributes sections over pages. The sections must outlive the pages.
std::vector<ReportPage> flowed(const std::vector<ReportSection> &sections);

void paintPage(Paper &paper, const ReportPage &page);

} // namespace meshwright
