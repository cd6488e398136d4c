// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/paper.h"
#include "report/report_options.h"

#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace meshwright {

/// A part of a section that is not split across pages.
struct ReportBlock {
    qreal height = 0;
    qreal stretch = 0; ///< additional height that the block can use, to fill the page
    /// Draws the block in an area of at least its height.
    std::function<void(Paper &, const QRectF &area)> paint;
    bool staysWithNext = false;
    bool states = false; ///< whether the block's numbers need no links, see Paper::states()
    bool takesRest = false; ///< takes all the height that other blocks leave on a page
    int headedBy = 0; ///< distance in blocks to the heading above; if this block begins a page, the heading is repeated
};

/// Blocks under one heading, which is repeated on each page that the section covers.
struct PaperSection {
    ReportChapter chapter = ReportChapter::summary;
    QString title; ///< empty for no heading, as at the top of the report
    SentenceText note; ///< shown next to the title in a lighter color
    std::vector<ReportBlock> blocks;
};

struct PlacedBlock {
    const ReportBlock *block;
    qreal y;
    qreal height;
};
struct PlacedHeading {
    const PaperSection *section;
    bool continues = false;
    qreal y = 0;
};
struct ReportPage {
    std::vector<PlacedHeading> headings;
    std::vector<PlacedBlock> blocks;
};

/// Distributes sections over pages. Each page gets as many blocks as fit, and these stretch to fill it. A section
/// without a heading gets a page of its own. The sections must outlive the pages.
std::vector<ReportPage> flowed(const std::vector<PaperSection> &sections, const PaperFormat &format);

void paintPage(Paper &paper, const ReportPage &page, const PaperFormat &format);

} // namespace meshwright
