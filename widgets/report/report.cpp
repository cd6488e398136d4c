// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report.h"

#include "gantt/schedule_run.h"
#include "input/stop_scope.h"
#include "report/page_flow.h"
#include "report/pipeline_sections.h"
#include "report/report_sections.h"

#include <QBuffer>
#include <QPageLayout>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <iterator>
#include <memory>
#include <utility>

namespace meshwright {
namespace {

QString titleOf(const Result &result) {
    return result.plan.name.empty() ? QStringLiteral("Training plan") : QString::fromStdString(result.plan.name);
}

/// The charts come first, unless many stages need a page of their own; then the other figures precede them.
std::vector<ReportSection> sectionsOf(const Result &result) {
    constexpr size_t fewStages = 16;
    std::vector<ReportSection> sections{summarySection(result), planSection(result)};
    if (result.memory.stages.size() <= fewStages) {
        sections.push_back(memorySection(result));
        sections.push_back(stepSection(result));
        sections.push_back(runSection(result));
    } else {
        sections.push_back(stepSection(result));
        sections.push_back(runSection(result));
        sections.push_back(memorySection(result));
    }
    sections.push_back(problemsSection(result));
    sections.push_back(assumptionsSection(result));
    sections.push_back(glossarySection(result));
    const auto run = std::make_shared<const ScheduleRun>(runSchedule({.plan = result.plan, .patch = {}}));
    PipelineReport pipeline = pipelineReport(result, run);
    std::move(pipeline.sections.begin(), pipeline.sections.end(), std::back_inserter(sections));
    sections.push_back(formulasSection(result, run->pipeline.get(), pipeline.derivations));
    return sections;
}

/// The pages of a report and the sections that they show.
class Pages {
public:
    explicit Pages(const Result &result)
        : m_sections(sectionsOf(result))
        , m_pages(flowed(m_sections)) { }
    Pages(const Pages &) = delete;
    Pages &operator=(const Pages &) = delete;

    size_t count() const { return m_pages.size(); }
    void paint(QPainter &painter, size_t index, const QString &title, const QString &version,
               PageLinks *links = nullptr) const {
        end_if_stopped();
        Paper paper(painter, links);
        paintPage(paper, m_pages[index]);
        const qreal y = paper::PageHeight - 44;
        paper.rule(paper::Margin, y - 6, paper::ContentWidth);
        paper.text(paper::Margin, y, paperElided(title, paper::ContentWidth * 0.6, TypeRole::Caption),
                   TypeRole::Caption, ColourRole::Text3);
        paper.text(paper::Margin + paper::ContentWidth, y,
                   QStringLiteral("Meshwright ") + version + QStringLiteral(", page ") + QString::number(index + 1)
                       + QStringLiteral(" of ") + QString::number(count()),
                   TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, Qt::AlignRight);
        paper.states(QRectF(0, y - 6, paper::PageWidth, paper::PageHeight - y));
    }

private:
    std::vector<ReportSection> m_sections;
    std::vector<ReportPage> m_pages; ///< points into the sections
};

} // namespace

QByteArray reportPdf(const Result &result, const QString &version) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Portrait, QMarginsF(), QPageLayout::Point));
    // High resolution, so that positions are not rounded to points; the painter is scaled to logical pixels.
    constexpr int resolution = 1200;
    writer.setResolution(resolution);
    writer.setTitle(titleOf(result));
    writer.setCreator(QStringLiteral("Meshwright ") + version);
    const Pages pages(result);
    std::vector<PageLinks> links(pages.count());
    QPainter painter(&writer);
    painter.setRenderHint(QPainter::Antialiasing);
    for (size_t i = 0; i < pages.count(); ++i) {
        if (i > 0)
            writer.newPage();
        painter.save();
        painter.scale(resolution / 96.0, resolution / 96.0);
        pages.paint(painter, i, titleOf(result), version, &links[i]);
        painter.restore();
    }
    painter.end();
    return withLinks(buffer.data(), links);
}

namespace {

/// The links of all pages; the painted content is discarded.
std::vector<PageLinks> linksOf(const Result &result) {
    const Pages pages(result);
    std::vector<PageLinks> links(pages.count());
    QImage image(1, 1, QImage::Format_RGB32);
    QPainter painter(&image);
    for (size_t i = 0; i < pages.count(); ++i)
        pages.paint(painter, i, titleOf(result), QString(), &links[i]);
    return links;
}

} // namespace

std::vector<ReportFigure> reportFigures(const Result &result) {
    return figuresOf(linksOf(result));
}

std::vector<ReportPlaces> reportPlaces(const Result &result) {
    return placesOn(linksOf(result));
}

QImage reportImage(const Result &result, const QString &version, qreal scale) {
    QImage image((QSizeF(paper::PageWidth, paper::PageHeight) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    image.setText(QStringLiteral("Title"), titleOf(result));
    image.setText(QStringLiteral("Software"), QStringLiteral("Meshwright ") + version);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    Pages(result).paint(painter, 0, titleOf(result), version);
    return image;
}

QByteArray reportSvg(const Result &result) {
    const std::vector<ReportSection> sections{memorySection(result), stepSection(result)};
    const std::vector<ReportPage> pages = flowed(sections);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    const QSizeF size(paper::PageWidth, paper::PageHeight * double(pages.size()));
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(), size));
    generator.setTitle(titleOf(result));
    generator.setDescription(QString::fromStdString(result.verdict.summary.text));
    QPainter painter(&generator);
    painter.setRenderHint(QPainter::Antialiasing);
    Paper paper(painter);
    for (const ReportPage &page : pages) {
        paintPage(paper, page);
        painter.translate(0, paper::PageHeight);
    }
    painter.end();
    return buffer.data();
}

} // namespace meshwright
