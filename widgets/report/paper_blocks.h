// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/page_flow.h"
#include "report/report_parts.h"

#include <memory>
#include <vector>

namespace meshwright {

/// The table of contents. The blocks share it, because page numbers are known only after all blocks are placed.
struct PaperContents {
    struct Entry {
        ReportChapter chapter;
        QString title;
        int page = 0; ///< page number, from 1
    };
    std::vector<Entry> entries;
};
using PaperContentsPointer = std::shared_ptr<const PaperContents>;

inline constexpr qreal PartGap = 8; ///< gap below a part that has several blocks
inline constexpr qreal PartStretch = 18; ///< maximum increase of PartGap to fill a page

/// The blocks of one report part, `width` wide.
using PaperBlocks = std::vector<ReportBlock>;
PaperBlocks blocksOf(const ReportPart &part, const PaperContentsPointer &contents, qreal width = paper::ContentWidth);

PaperBlocks blocksOf(const TitlePart &part, qreal width);
PaperBlocks blocksOf(const HeadingPart &part, qreal width);
PaperBlocks blocksOf(const BannerPart &part, qreal width);
PaperBlocks blocksOf(const KeyFiguresPart &part, qreal width);
PaperBlocks blocksOf(const FactsPart &part, qreal width);
PaperBlocks blocksOf(const TextPart &part, qreal width);
PaperBlocks blocksOf(const TablePart &part, qreal width);
PaperBlocks blocksOf(const PicturePart &part, qreal width);
PaperBlocks blocksOf(const ProblemPart &part, qreal width);
PaperBlocks blocksOf(const CodePart &part, qreal width);
PaperBlocks blocksOf(const GlossaryPart &part, qreal width);
PaperBlocks blocksOf(const DerivationPart &part, qreal width);

/// Paints the colored square of a legend entry, with hatching or a letter for prints without color.
void paintSwatch(Paper &paper, const QRectF &area, const LegendEntry &entry);
/// A legend in columns. Each column fills from top to bottom.
ReportBlock legendBlock(const std::vector<LegendValue> &legend, int columns, qreal width);

} // namespace meshwright
