// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_flow.h"

#include <algorithm>

namespace meshwright {
namespace {

constexpr qreal SectionGap = 16;
constexpr qreal HeadingHeight = 31;

class Flow {
public:
    explicit Flow(const PaperFormat &format)
        : m_format(format)
        , m_y(format.top()) { }

    void add(const PaperSection &section) {
        const bool hasHeading = !section.title.isEmpty();
        // Derivations do not share pages with other sections.
        const bool isAppendix = section.chapter == ReportChapter::derivations;
        const qreal gap = pageIsEmpty() ? 0 : SectionGap;
        if ((hasHeading && m_y + gap + HeadingHeight + heightTogether(section, 0) > m_format.bottom())
            || m_isFirstPageFull || (isAppendix && !pageIsEmpty()))
            breakPage();
        m_isFirstPageFull = !hasHeading;
        if (hasHeading)
            heading(section, false);
        for (size_t i = 0; i < section.blocks.size(); ++i) {
            const bool breaksBefore = i > 0 ? !section.blocks[i - 1].staysWithNext : !hasHeading;
            const bool hasRoom = m_y + heightTogether(section, i) <= m_format.bottom() && !leavesWidow(section, i);
            if (breaksBefore && !hasRoom && !pageIsEmpty()) {
                breakPage();
                if (hasHeading)
                    heading(section, true);
                if (const auto back = static_cast<size_t>(section.blocks[i].headedBy); back > 0)
                    place(section.blocks[i - back]);
            }
            place(section.blocks[i]);
        }
    }
    std::vector<ReportPage> take() {
        fill();
        return std::move(m_pages);
    }

private:
    /// Height from block `first` to the next allowed page break.
    static qreal heightTogether(const PaperSection &section, size_t first) {
        qreal height = 0;
        for (size_t i = first; i < section.blocks.size(); ++i) {
            height += section.blocks[i].height;
            if (!section.blocks[i].staysWithNext)
                break;
        }
        return height;
    }
    /// Whether too little of the section would be left for the next page if block `i` stayed on this one. A short text
    /// must stay with the block before it, and the last row of a table with two other rows.
    bool leavesWidow(const PaperSection &section, size_t i) const {
        constexpr qreal shortest = 44;
        const size_t last = section.blocks.size() - 1;
        const ReportBlock &end = section.blocks[last];
        const size_t along = end.headedBy > 0 ? 2 : 1;
        if (i == 0 || i + along != last || end.height > shortest)
            return false;
        qreal height = 0;
        for (size_t at = i; at <= last; ++at)
            height += section.blocks[at].height;
        return m_y + height > m_format.bottom() && m_y + height - end.height <= m_format.bottom();
    }
    void place(const ReportBlock &block) {
        m_pages.back().blocks.push_back({&block, m_y, block.height});
        m_y += block.height;
    }
    bool pageIsEmpty() const { return m_pages.back().blocks.empty() && m_pages.back().headings.empty(); }
    void heading(const PaperSection &section, bool continues) {
        if (!pageIsEmpty())
            m_y += SectionGap;
        m_pages.back().headings.push_back({&section, continues, m_y});
        m_y += HeadingHeight;
    }
    /// Distributes the rest of the page among the blocks that can stretch.
    void fill() {
        ReportPage &page = m_pages.back();
        qreal stretch = 0;
        for (const PlacedBlock &placed : page.blocks)
            stretch += placed.block->stretch;
        const qreal rest = m_format.bottom() - m_y;
        if (rest <= 0)
            return;
        const qreal share = stretch > 0 ? std::min(1.0, rest / stretch) : 0;
        const qreal left = rest - share * stretch;
        const auto gainOf = [&](const ReportBlock &block) {
            return share * block.stretch + (block.takesRest ? left : 0);
        };
        const auto movedBy = [&](qreal y) { // total height gained by the blocks above
            qreal gain = 0;
            for (const PlacedBlock &placed : page.blocks)
                if (placed.y < y)
                    gain += gainOf(*placed.block);
            return gain;
        };
        ReportPage filled = page;
        for (PlacedHeading &heading : filled.headings)
            heading.y += movedBy(heading.y);
        for (PlacedBlock &placed : filled.blocks) {
            placed.y += movedBy(placed.y);
            placed.height += gainOf(*placed.block);
        }
        page = filled;
    }
    void breakPage() {
        fill();
        m_pages.emplace_back();
        m_y = m_format.top();
    }

    PaperFormat m_format;
    std::vector<ReportPage> m_pages{1};
    qreal m_y;
    bool m_isFirstPageFull = false;
};

} // namespace

std::vector<ReportPage> flowed(const std::vector<PaperSection> &sections, const PaperFormat &format) {
    Flow flow(format);
    for (const PaperSection &section : sections)
        flow.add(section);
    return flow.take();
}

void paintPage(Paper &paper, const ReportPage &page, const PaperFormat &format) {
    const qreal left = format.margin();
    for (const PlacedHeading &heading : page.headings) {
        const PaperSection &section = *heading.section;
        if (!heading.continues)
            paper.target(heading.y, section.chapter);
        paper.rule(left, heading.y, paper::ContentWidth, ColourRole::Line);
        paper.text(left, heading.y + 7, section.title, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold);
        const qreal after = left + paperWidth(section.title, TypeRole::Emphasis, TextWeight::SemiBold) + 10;
        const SentenceText note = heading.continues ? SentenceText(QStringLiteral("continued")) : section.note;
        paper.text(after, heading.y + 9, paperElided(note.text, left + paper::ContentWidth - after, TypeRole::Caption),
                   TypeRole::Caption, ColourRole::Text3);
        paper.link(after, heading.y + 9, note, TypeRole::Caption);
    }
    for (const PlacedBlock &placed : page.blocks) {
        const QRectF area(left, placed.y, paper::ContentWidth, placed.height);
        placed.block->paint(paper, area);
        if (placed.block->states)
            paper.states(area);
    }
}

} // namespace meshwright
