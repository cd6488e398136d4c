// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper_blocks.h"
#include "report/report.h"
#include "report/report_sections.h"
#include "report/report_texts.h"

#include <QBuffer>
#include <QFont>
#include <QFontMetricsF>
#include <QRegularExpression>
#include <QSvgGenerator>

namespace meshwright {
namespace {

/// Draws into an SVG document whose size is given in logical units.
template <typename Draw>
QByteArray drawn(const QSizeF &size, const QString &title, const QString &description, const Draw &draw) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(), size));
    generator.setTitle(title);
    generator.setDescription(description);
    QPainter painter(&generator);
    painter.setRenderHint(QPainter::Antialiasing);
    Paper paper(painter);
    draw(paper);
    painter.end();
    return buffer.data();
}

qreal widthOf(const QRegularExpressionMatch &text) {
    QFont font(text.captured(QStringLiteral("family")));
    font.setPixelSize(std::max(1, text.captured(QStringLiteral("size")).toInt()));
    font.setWeight(static_cast<QFont::Weight>(text.captured(QStringLiteral("weight")).toInt()));
    font.setHintingPreference(QFont::PreferNoHinting);
    QString plain = text.captured(QStringLiteral("text"));
    plain.replace(QStringLiteral("&lt;"), QStringLiteral("<"));
    plain.replace(QStringLiteral("&gt;"), QStringLiteral(">"));
    plain.replace(QStringLiteral("&quot;"), QStringLiteral("\""));
    plain.replace(QStringLiteral("&amp;"), QStringLiteral("&"));
    return QFontMetricsF(font).horizontalAdvance(plain);
}

} // namespace

QString svgOf(const PicturePart &picture, qreal width) {
    PicturePart bare = picture;
    bare.caption = {};
    bare.minHeight = picture.maxHeight;
    const PaperBlocks blocks = blocksOf(bare, width);
    const ReportBlock &block = blocks.front();
    const QSizeF size(width, block.height + 2);
    const QString document = QString::fromUtf8(
        drawn(size, {}, {}, [&](Paper &paper) { block.paint(paper, QRectF(0, 1, width, block.height)); }));
    static const QRegularExpression body(QStringLiteral("<svg[^>]*>(.*)</svg>"),
                                         QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression head(QStringLiteral("<title>.*?</title>|<desc>.*?</desc>"),
                                         QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression text(
        QStringLiteral("<text (?<attributes>[^>]*font-family=\"(?<family>[^\"]*)\" font-size=\"(?<size>\\d+)\" "
                       "font-weight=\"(?<weight>\\d+)\"[^>]*)\\s*>(?<text>[^<]*)</text>"));
    const QString content = body.match(document).captured(1).remove(head);
    QString sized;
    qsizetype end = 0;
    QRegularExpressionMatchIterator matches = text.globalMatch(content);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        sized += QStringView(content).mid(end, match.capturedStart() - end);
        sized += QStringLiteral("<text %1 textLength=\"%2\" lengthAdjust=\"spacingAndGlyphs\">%3</text>")
                     .arg(match.captured(QStringLiteral("attributes")).trimmed())
                     .arg(widthOf(match), 0, 'f', 2)
                     .arg(match.captured(QStringLiteral("text")));
        end = match.capturedEnd();
    }
    sized += QStringView(content).mid(end);
    return QStringLiteral("<svg viewBox=\"0 0 %1 %2\" role=\"img\" aria-label=\"%3\">%4</svg>")
        .arg(size.width())
        .arg(size.height())
        .arg(picture.title.toHtmlEscaped(), sized);
}

QByteArray reportSvg(const Result &result) {
    std::vector<ReportPart> parts{HeadingPart{QStringLiteral("Memory per accelerator"), QStringLiteral("at the peak")}};
    if (result.memory.stages.size() > 1)
        for (PicturePart &picture : stagePictures(result))
            parts.emplace_back(std::move(picture));
    else
        parts.emplace_back(peakPicture(result));
    parts.emplace_back(HeadingPart{QStringLiteral("Step time"), QStringLiteral("the terms add up")});
    parts.emplace_back(stepPicture(result));
    PaperBlocks blocks;
    qreal height = 0;
    for (const ReportPart &part : parts)
        for (ReportBlock &block : blocksOf(part, nullptr)) {
            height += block.height + block.stretch;
            blocks.push_back(std::move(block));
        }
    constexpr qreal margin = 24;
    return drawn(QSizeF(paper::ContentWidth + 2 * margin, height + 2 * margin),
                 shownName(QString::fromStdString(result.plan.name)),
                 QString::fromStdString(result.verdict.summary.text), [&](Paper &paper) {
                     qreal y = margin;
                     for (const ReportBlock &block : blocks) {
                         const qreal each = block.height + block.stretch;
                         block.paint(paper, QRectF(margin, y, paper::ContentWidth, each));
                         y += each;
                     }
                 });
}

} // namespace meshwright
