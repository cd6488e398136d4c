// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_flow.h"

namespace meshwright {
namespace {

constexpr qreal SectionGap = 14;
constexpr qreal HeadingHeight = 26;

class Flow {
public:
    void add(const ReportSection &section) {
        const bool ownPage = section.start == SectionStart::OwnPage && !pageIsEmpty();
        if (ownPage
            || (!section.title.isEmpty()
                && m_y + SectionGap + HeadingHeight + heightTogether(section, 0) > paper::Bottom))
            breakPage();
        if (!section.title.isEmpty())
            heading(section.title, section.note);
        for (size_t i = 0; i < section.blocks.size(); ++i) {
            const bool breaksBefore = i > 0 ? !section.blocks[i - 1].staysWithNext : section.title.isEmpty();
            if (breaksBefore && m_y + heightTogether(section, i) > paper::Bottom && !pageIsEmpty()) {
                breakPage();
                if (!section.title.isEmpty())
                    heading(section.title, QStringLiteral("continued"));
            }
            m_pages.back().blocks.push_back({&section.blocks[i], m_y});
            m_y += section.blocks[i].height;
        }
    }
    std::vector<ReportPage> take() { return std::move(m_pages); }

private:
    /// Height from block `first` to the next allowed page break.
    static qreal heightTogether(const ReportSection &section, size_t first) {
        qreal height = 0;
        for (size_t i = first; i < section.blocks.size(); ++i) {
            height += section.blocks[i].height;
            if (!section.blocks[i].staysWithNext)
                break;
        }
        return height;
    }
    bool pageIsEmpty() const { return m_pages.back().blocks.empty() && m_pages.back().headings.empty(); }
    void heading(const QString &title, const SentenceText &note) {
        if (!pageIsEmpty())
            m_y += SectionGap;
        m_pages.back().headings.push_back({title, note, m_y});
        m_y += HeadingHeight;
    }
    void breakPage() {
        m_pages.emplace_back();
        m_y = paper::Top;
    }

    std::vector<ReportPage> m_pages{1};
    qreal m_y = paper::Top;
};

} // namespace

std::vector<ReportPage> flowed(const std::vector<ReportSection> &sections) {
    Flow flow;
    for (const ReportSection &section : sections)
        flow.add(section);
    return flow.take();
}

void paintPage(Paper &paper, const ReportPage &page) {
    for (const PlacedHeading &heading : page.headings) {
        paper.rule(paper::Margin, heading.y, paper::ContentWidth, ColourRole::Line);
        paper.text(paper::Margin, heading.y + 7, heading.title, TypeRole::Emphasis, ColourRole::Text,
                   TextWeight::SemiBold);
        const qreal after = paperWidth(heading.title, TypeRole::Emphasis, TextWeight::SemiBold) + 10;
        paper.text(paper::Margin + after, heading.y + 9,
                   paperElided(heading.note.text, paper::ContentWidth - after, TypeRole::Caption), TypeRole::Caption,
                   ColourRole::Text3);
        paper.link(paper::Margin + after, heading.y + 9, heading.note, TypeRole::Caption);
    }
    for (const PlacedBlock &placed : page.blocks) {
        placed.block->paint(paper, paper::Margin, placed.y);
        if (placed.block->states)
            paper.states(QRectF(paper::Margin, placed.y, paper::ContentWidth, placed.block->height));
    }
}

} // namespace meshwright
