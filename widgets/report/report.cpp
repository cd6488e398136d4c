// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report.h"

#include "input/stop_scope.h"
#include "report/report_sections.h"
#include "report/report_texts.h"

#include <QBuffer>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace meshwright {
namespace {

constexpr qreal dotsPerInch = 96; ///< logical units per inch
constexpr std::size_t maxDerivationPages = 5;

using Section = ReportSection (*)(const ReportDataPointer &);
/// Sections between the first page and the derivations.
const std::array<std::pair<ReportChapter, Section>, 11> bodySections{{{ReportChapter::problems, problemsSection},
                                                                      {ReportChapter::memory, memorySection},
                                                                      {ReportChapter::pipeline, pipelineSection},
                                                                      {ReportChapter::sites, sitesSection},
                                                                      {ReportChapter::search, searchSection},
                                                                      {ReportChapter::comparison, comparisonSection},
                                                                      {ReportChapter::run, runSection},
                                                                      {ReportChapter::assumptions, assumptionsSection},
                                                                      {ReportChapter::evidence, evidenceSection},
                                                                      {ReportChapter::launch, launchSection},
                                                                      {ReportChapter::glossary, glossarySection}}};

PaperSection onPaper(const ReportSection &section, const PaperContentsPointer &contents) {
    PaperSection paper{section.chapter, section.title, section.note, {}};
    for (const ReportPart &part : section.parts)
        for (ReportBlock &block : blocksOf(part, contents))
            paper.blocks.push_back(std::move(block));
    return paper;
}

qreal heightOf(const PaperSection &section) {
    qreal height = 0;
    for (const ReportBlock &block : section.blocks)
        height += block.height;
    return height;
}

QPageSize pageSizeOf(PaperSize size) {
    return QPageSize(size == PaperSize::Letter ? QPageSize::Letter : QPageSize::A4);
}

} // namespace

Report::Report(ReportDataPointer data, const ReportOptions &options)
    : m_data(std::move(data))
    , m_options(options)
    , m_format(PaperFormat::of(options.paper))
    , m_contents(std::make_shared<PaperContents>()) {
    compose();
}

std::vector<ReportChapter> Report::chaptersOf(const ReportData &data) {
    // The result alone shows which sections have content, so no simulation is needed.
    const Result &result = data.result();
    std::vector<ReportChapter> chapters;
    for (const ReportChapterEntry &entry : reportChapters()) {
        const bool isEmpty = (entry.chapter == ReportChapter::problems && result.diagnostics.empty())
            || (entry.chapter == ReportChapter::sites && (!result.outer || data.sites == nullptr))
            || (entry.chapter == ReportChapter::search && data.input.search == nullptr)
            || (entry.chapter == ReportChapter::comparison && data.input.compared.empty())
            || (entry.chapter == ReportChapter::evidence && result.evidence.empty())
            || (entry.chapter == ReportChapter::launch && !data.launch);
        if (!isEmpty)
            chapters.push_back(entry.chapter);
    }
    return chapters;
}

// --- Composition -----------------------------------------------------------------------------------------------------

void Report::compose() {
    chooseSections();
    layOut();
    limitDerivations();
    for (PaperContents::Entry &entry : m_contents->entries)
        for (std::size_t page = 0; page < m_pages.size(); ++page)
            for (const PlacedHeading &heading : m_pages[page].headings)
                if (heading.section->chapter == entry.chapter && !heading.continues)
                    entry.page = static_cast<int>(page) + 1;
}

void Report::chooseSections() {
    std::vector<ReportSection> body;
    for (const auto &[chapter, make] : bodySections) {
        end_if_stopped();
        ReportSection section = wants(chapter) ? make(m_data) : ReportSection();
        if (section.parts.empty())
            continue;
        m_contents->entries.push_back({chapter, section.title, 0});
        body.push_back(std::move(section));
    }
    const bool derives = wants(ReportChapter::derivations);
    if (derives)
        m_contents->entries.push_back({ReportChapter::derivations, titleOf(ReportChapter::derivations), 0});
    ReportSection summary = fittedSummary();
    ReportSection derivations = derives ? derivationsSection(m_data, summary.parts) : ReportSection();
    if (wants(ReportChapter::summary))
        m_sections.push_back(std::move(summary));
    std::move(body.begin(), body.end(), std::back_inserter(m_sections));
    if (!derivations.parts.empty())
        m_sections.push_back(std::move(derivations));
    numberPictures();
}

/// The first page, with as many problems and published figures as fit on it.
ReportSection Report::fittedSummary() const {
    SummaryLimits limits{.problems = m_data->result().diagnostics.size()};
    for (;;) {
        ReportSection section = summarySection(m_data, limits);
        if (!m_contents->entries.empty()) {
            section.parts.emplace_back(HeadingPart{.title = QStringLiteral("Contents"), .atBottom = true});
            section.parts.emplace_back(ContentsPart{});
        }
        if (heightOf(onPaper(section, m_contents)) <= m_format.contentHeight())
            return section;
        if (limits.problems > 0)
            --limits.problems;
        else if (limits.published > 0)
            --limits.published;
        else
            return section;
    }
}

void Report::numberPictures() {
    int number = 0;
    for (ReportSection &section : m_sections)
        for (ReportPart &part : section.parts)
            if (auto *const picture = std::get_if<PicturePart>(&part.what()); picture && !picture->caption.empty())
                picture->number = ++number;
}

void Report::layOut() {
    m_pages.clear();
    m_paper.clear();
    for (const ReportSection &section : m_sections)
        m_paper.push_back(onPaper(section, m_contents));
    m_pages = flowed(m_paper, m_format);
}

/// Limits the derivations to five pages by removing the last ones.
void Report::limitDerivations() {
    if (m_sections.empty() || m_sections.back().chapter != ReportChapter::derivations)
        return;
    const auto pagesUsed = [this] {
        return std::count_if(m_pages.begin(), m_pages.end(), [this](const ReportPage &page) {
            return std::any_of(page.headings.begin(), page.headings.end(),
                               [this](const PlacedHeading &heading) { return heading.section == &m_paper.back(); });
        });
    };
    while (pagesUsed() > static_cast<std::ptrdiff_t>(maxDerivationPages)) {
        m_sections.back().parts.pop_back();
        m_paper.back().blocks.pop_back(); // a derivation is one block
        m_pages = flowed(m_paper, m_format);
    }
}

// --- Pages -----------------------------------------------------------------------------------------------------------

void Report::paintPage(QPainter &painter, int page, PageLinks *links) const {
    end_if_stopped();
    Paper paper(painter, links);
    meshwright::paintPage(paper, m_pages[static_cast<std::size_t>(page)], m_format);
    const qreal left = m_format.margin();
    const qreal y = m_format.height - 44;
    paper.rule(left, y - 6, paper::ContentWidth);
    paper.text(left, y, paperElided(m_data->title(), paper::ContentWidth * 0.6, TypeRole::Caption), TypeRole::Caption,
               ColourRole::Text3);
    paper.text(left + paper::ContentWidth, y,
               QStringLiteral("Meshwright %1, page %2 of %3").arg(m_data->input.version).arg(page + 1).arg(pageCount()),
               TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, Qt::AlignRight);
    paper.states(QRectF(0, y - 6, m_format.width, m_format.height - y));
}

QImage Report::pageImage(int page, qreal scale) const {
    QImage image((pageSize() * scale).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    image.setText(QStringLiteral("Title"), m_data->title());
    image.setText(QStringLiteral("Software"), QStringLiteral("Meshwright ") + m_data->input.version);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    painter.scale(scale, scale); // a device pixel ratio below 1 would not shrink the page
    paintPage(painter, page);
    painter.end();
    return image;
}

std::vector<PageLinks> Report::links() const {
    std::vector<PageLinks> links(m_pages.size());
    QImage image(1, 1, QImage::Format_RGB32); // paint on a dummy image, which is discarded
    QPainter painter(&image);
    for (int page = 0; page < pageCount(); ++page)
        paintPage(painter, page, &links[static_cast<std::size_t>(page)]);
    return links;
}

QByteArray Report::pdf() const {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageLayout(
        QPageLayout(pageSizeOf(m_options.paper), QPageLayout::Portrait, QMarginsF(), QPageLayout::Point));
    // A high resolution keeps positions from being rounded to points. The painter is scaled to logical units.
    constexpr int resolution = 1200;
    writer.setResolution(resolution);
    writer.setTitle(m_data->title());
    writer.setCreator(QStringLiteral("Meshwright ") + m_data->input.version);
    std::vector<PageLinks> links(m_pages.size());
    QPainter painter(&writer);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int page = 0; page < pageCount(); ++page) {
        if (page > 0)
            writer.newPage();
        painter.save();
        painter.scale(resolution / dotsPerInch, resolution / dotsPerInch);
        paintPage(painter, page, &links[static_cast<std::size_t>(page)]);
        painter.restore();
    }
    painter.end();
    std::vector<PdfOutline> outline;
    for (const ReportSection &section : m_sections)
        if (!section.title.isEmpty())
            outline.push_back({section.title, section.chapter});
    return withLinks(buffer.data(), links, m_format.height, outline);
}

QByteArray Report::markdown() const {
    return markdownOf(m_sections).toUtf8();
}

QByteArray Report::html() const {
    return htmlOf(m_sections, m_data->title()).toUtf8();
}

QByteArray Report::written(ReportForm form) const {
    switch (form) {
    case ReportForm::Html:
        return html();
    case ReportForm::Markdown:
        return markdown();
    case ReportForm::Pdf:
        break;
    }
    return pdf();
}

} // namespace meshwright
