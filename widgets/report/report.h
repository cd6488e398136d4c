// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/page_flow.h"
#include "report/paper_blocks.h"
#include "report/paper_links.h"
#include "report/report_data.h"
#include "report/report_options.h"
#include "report/report_parts.h"

#include <QByteArray>
#include <QImage>
#include <QSizeF>

#include <memory>
#include <vector>

class QPainter;

namespace meshwright {

/// The report of a plan: sections composed once, which are written as pages, as Markdown and as HTML. Drawn by the same
/// code as the window but without widgets, so it can be used on any thread. Requires a QGuiApplication on any platform,
/// including "offscreen". The same data and options give the same report.
class Report {
public:
    Report(ReportDataPointer data, const ReportOptions &options);
    Report(const Report &) = delete;
    Report &operator=(const Report &) = delete;

    const std::vector<ReportSection> &sections() const { return m_sections; }
    /// Sections that have content for a plan, independent of the options.
    static std::vector<ReportChapter> chaptersOf(const ReportData &data);

    int pageCount() const { return static_cast<int>(m_pages.size()); }
    /// Size of a page in units of 1/96 inch.
    QSizeF pageSize() const { return {m_format.width, m_format.height}; }
    /// @param links  collects the links of the page; may be null
    void paintPage(QPainter &painter, int page, PageLinks *links = nullptr) const;
    /// @param scale  pixels per unit
    QImage pageImage(int page, qreal scale) const;

    /// Pages as vectors with embedded fonts, links and an outline; the text can be searched and copied.
    QByteArray pdf() const;
    /// The report as one self-contained Markdown file, with tables of values instead of pictures.
    QByteArray markdown() const;
    /// The report as one self-contained HTML file, with inline SVG pictures, each with a table of its values.
    QByteArray html() const;
    QByteArray written(ReportForm form) const;

    /// The figures that can be clicked, and on which areas of each page their numbers are.
    std::vector<ReportFigure> figures() const { return figuresOf(links()); }
    std::vector<ReportPlaces> places() const { return placesOn(links()); }

private:
    void compose();
    void chooseSections();
    ReportSection fittedSummary() const;
    void limitDerivations();
    void numberPictures();
    void layOut();
    std::vector<PageLinks> links() const;
    bool wants(ReportChapter chapter) const { return m_options.chapters.has(chapter); }

    ReportDataPointer m_data;
    ReportOptions m_options;
    PaperFormat m_format;
    std::shared_ptr<PaperContents> m_contents;
    std::vector<ReportSection> m_sections;
    std::vector<PaperSection> m_paper;
    std::vector<ReportPage> m_pages; ///< pages that refer to blocks in m_paper
};

/// Memory by stage and the terms of the step time in one vector drawing.
QByteArray reportSvg(const Result &result);

} // namespace meshwright
