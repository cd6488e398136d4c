// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/verdict.h"
#include "figures/figure_text.h"
#include "report/report_sections.h"
#include "theme/icon.h"
#include "theme/surfaces.h"

#include <algorithm>
#include <optional>

namespace meshwright {
namespace {

QString text(const std::string &utf8) {
    return QString::fromStdString(utf8);
}

// --- Title and verdict -----------------------------------------------------------------------------------------------

QString subtitle(const Result &result) {
    const Plan &plan = result.plan;
    const QString accelerator =
        text(plan.cluster.accelerator.name.empty() ? plan.cluster.accelerator_id : plan.cluster.accelerator.name);
    const QString machines = plan.cluster.sites > 1 ? countText(double(plan.cluster.sites))
            + QStringLiteral(" sites of ") + countText(double(plan.cluster.site_accelerators()))
                                                    : countText(double(plan.cluster.accelerators()));
    return text(plan.model.name.empty() ? plan.model_id : plan.model.name) + QStringLiteral(" on ") + machines
        + QStringLiteral(" \u00d7 ") + accelerator;
}

ReportBlock titleBlock(const Result &result) {
    constexpr qreal brandWidth = 130;
    const QString name = text(result.plan.name.empty() ? "Training plan" : result.plan.name);
    const QStringList title = paperLines(name, paper::ContentWidth - brandWidth, TypeRole::Title, TextWeight::SemiBold);
    const qreal titleHeight = qreal(title.size()) * Theme::lineHeight(TypeRole::Title);
    const QString hint = QStringLiteral("Figures link to their derivations.");
    const QString line =
        paperElided(subtitle(result), paper::ContentWidth - paperWidth(hint, TypeRole::Caption) - 16, TypeRole::Body);
    return {.height = titleHeight + 24,
            .paint =
                [=](Paper &paper, qreal x, qreal y) {
                    paper.lines(x, y, title, TypeRole::Title, ColourRole::Text, TextWeight::SemiBold);
                    paper.text(x, y + titleHeight, line, TypeRole::Body, ColourRole::Text2);
                    const qreal right = x + paper::ContentWidth;
                    paper.text(right, y + 5, QStringLiteral("Meshwright"), TypeRole::Caption, ColourRole::Text3,
                               TextWeight::Regular, Qt::AlignRight);
                    paper.text(right, y + titleHeight + 1, hint, TypeRole::Caption, ColourRole::Text3,
                               TextWeight::Regular, Qt::AlignRight);
                },
            .staysWithNext = true,
            .states = true};
}

Tone verdictTone(const Result &result) {
    if (!result.verdict.fits)
        return Tone::Bad;
    return result.verdict.headroom_bytes < 0.05 * result.memory.capacity_bytes ? Tone::Warn : Tone::Good;
}

ReportBlock verdictBlock(const Result &result) {
    constexpr qreal padding = 10;
    const Tone tone = verdictTone(result);
    const QString verdict = tone == Tone::Bad ? QStringLiteral("Does not fit")
        : tone == Tone::Warn                  ? QStringLiteral("Fits, tight")
                                              : QStringLiteral("Fits");
    // The label already shows the first words of the sentence.
    SentenceText sentence = shownText(result.verdict.summary);
    const QString said = verdict + QStringLiteral(": ");
    if (sentence.text.startsWith(said))
        sentence = capitalised(partOf(sentence, said.size(), sentence.text.size()));
    const qreal label = paperWidth(verdict, TypeRole::Body, TextWeight::SemiBold) + 2 * padding + 6;
    const std::vector<SentenceText> summary =
        saidLines(sentence, paper::ContentWidth - label - 2 * padding, TypeRole::Body);
    const qreal height = std::max<qreal>(1, qreal(summary.size())) * Theme::lineHeight(TypeRole::Body) + 2 * 7;
    return {.height = height + 10,
            .paint =
                [=](Paper &paper, qreal x, qreal y) {
                    const Theme &theme = paper.theme();
                    surfaces::rounded(paper.painter(), QRectF(x, y, paper::ContentWidth, height), 6,
                                      theme.softFill(tone));
                    paper.text(x + padding, y + 7, verdict, TypeRole::Body, theme.ink(tone), TextWeight::SemiBold);
                    paper.say(x + label, y + 7, summary, TypeRole::Body);
                },
            .staysWithNext = true};
}

// --- Key figures -----------------------------------------------------------------------------------------------------

struct PaperInterval {
    double low;
    double estimate;
    double high;
    QString lowText;
    QString highText;
    FigureRef lowFigure; ///< figures of both ends
    FigureRef highFigure;
};

struct PaperFigure {
    QString title;
    FigureParts figure;
    QString words; ///< shown after the unit
    SentenceText subline;
    FigureRef path;
    Tone tone = Tone::Neutral;
    std::optional<PaperInterval> interval = {};
};

/// The interval of a figure that is proportional to the step time: the scaled interval of the step time.
std::optional<PaperInterval> scaledInterval(const Step &step, double value, Quantity quantity, const char *lowFigure,
                                            const char *highFigure) {
    if (step.seconds <= 0 || step.high_seconds <= step.low_seconds)
        return std::nullopt;
    const double low = value * step.low_seconds / step.seconds;
    const double high = value * step.high_seconds / step.seconds;
    return PaperInterval{low,       value,     high, figureText(low, quantity), figureText(high, quantity),
                         lowFigure, highFigure};
}

PaperFigure memoryFigure(const Result &result) {
    const Memory &memory = result.memory;
    const double headroom = result.verdict.headroom_bytes;
    const bool over = headroom < 0;
    const FigureParts peak = figureParts(memory.peak_bytes, Quantity::bytes);
    const FigureParts capacity = figureParts(memory.capacity_bytes, Quantity::bytes);
    // e.g. "149.4 of 154.0 GB"
    const QString peakText = peak.unit == capacity.unit ? peak.figure : peak.figure + QLatin1Char(' ') + peak.unit;
    const QString capacityText = capacity.figure + QLatin1Char(' ') + capacity.unit;
    PaperFigure space{.title = QStringLiteral("Memory"),
                      .figure = figureParts(std::abs(headroom), Quantity::bytes),
                      .words = over ? QStringLiteral("over") : QStringLiteral("free"),
                      .subline = filled(QStringLiteral("peak %1 of %2"), said(peakText, "memory.peak_bytes"),
                                        said(capacityText, "memory.capacity_bytes")),
                      .path = QStringLiteral("verdict.headroom_bytes"),
                      .tone = over ? Tone::Bad : Tone::Neutral};
    if (memory.low_bytes <= 0 || memory.high_bytes <= memory.low_bytes)
        return space;
    const double low = memory.capacity_bytes - memory.high_bytes;
    const double high = memory.capacity_bytes - memory.low_bytes;
    const QString lowFigure = QStringLiteral("verdict.low_headroom_bytes");
    const QString highFigure = QStringLiteral("verdict.high_headroom_bytes");
    space.interval = PaperInterval{over ? -high : low,
                                   std::abs(headroom),
                                   over ? -low : high,
                                   figureText(over ? -high : low, Quantity::bytes),
                                   figureText(over ? -low : high, Quantity::bytes),
                                   over ? highFigure : lowFigure,
                                   over ? lowFigure : highFigure};
    return space;
}

std::vector<PaperFigure> keyFigures(const Result &result) {
    const Step &step = result.step;
    const RunEstimate &run = result.run;
    const QString mfu = shareText(step.mfu);
    const QString hfu = shareText(step.hfu);
    const QString tokens = figureText(run.tokens, Quantity::tokens);
    const QString hours = figureText(run.accelerator_hours, Quantity::count);
    return {
        memoryFigure(result),
        {.title = QStringLiteral("Step time"),
         .figure = figureParts(step.seconds, Quantity::seconds),
         .words = QString(),
         .subline = filled(QStringLiteral("MFU %1, HFU %2"), said(mfu, "step.mfu"), said(hfu, "step.hfu")),
         .path = QStringLiteral("step.seconds"),
         .tone = Tone::Neutral,
         .interval = scaledInterval(step, step.seconds, Quantity::seconds, "step.low_seconds", "step.high_seconds")},
        {.title = QStringLiteral("Run time"),
         .figure = figureParts(run.seconds, Quantity::seconds),
         .words = QString(),
         .subline = filled(QStringLiteral("%1 tokens"), said(tokens, "run.tokens")),
         .path = QStringLiteral("run.seconds"),
         .tone = Tone::Neutral,
         .interval = scaledInterval(step, run.seconds, Quantity::seconds, "run.low_seconds", "run.high_seconds")},
        {.title = QStringLiteral("Rental cost"),
         .figure = figureParts(run.rental_dollars, Quantity::dollars),
         .words = QString(),
         .subline = filled(QStringLiteral("%1 accelerator-hours"), said(hours, "run.accelerator_hours")),
         .path = QStringLiteral("run.rental_dollars"),
         .tone = Tone::Neutral,
         .interval = scaledInterval(step, run.rental_dollars, Quantity::dollars, "run.low_rental_dollars",
                                    "run.high_rental_dollars")}};
}

void paintInterval(Paper &paper, const PaperInterval &interval, const QRectF &area) {
    const Theme &theme = paper.theme();
    // The bar extends beyond the interval by its length on either side, so that a narrow interval looks narrow.
    const double span = interval.high - interval.low;
    const auto place = [&](double value) {
        return area.left() + area.width() * (value - (interval.low - span / 3)) / (span * 5 / 3);
    };
    const qreal middle = area.top() + 3;
    QPainter &painter = paper.painter();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.colour(ColourRole::Raised));
    painter.drawRoundedRect(QRectF(area.left(), middle - 1.5, area.width(), 3), 1.5, 1.5);
    painter.setBrush(theme.colour(ColourRole::AccentFill));
    painter.drawRect(QRectF(place(interval.low), middle - 1.5, place(interval.high) - place(interval.low), 3));
    painter.setBrush(theme.colour(ColourRole::Text));
    painter.drawRect(QRectF(place(interval.estimate) - 0.75, middle - 4.5, 1.5, 9));
    paper.text(area.left(), middle + 5, interval.lowText, TypeRole::Caption, ColourRole::Text3);
    paper.text(area.right(), middle + 5, interval.highText, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular,
               Qt::AlignRight);
    paper.link(area.left(), middle + 5, said(interval.lowText, interval.lowFigure), TypeRole::Caption);
    paper.link(area.right(), middle + 5, said(interval.highText, interval.highFigure), TypeRole::Caption,
               TextWeight::Regular, Qt::AlignRight);
}

void paintFigure(Paper &paper, const PaperFigure &figure, const QRectF &card) {
    constexpr qreal padding = 12;
    const Theme &theme = paper.theme();
    surfaces::rounded(paper.painter(), card, 8, theme.colour(ColourRole::Panel), theme.colour(ColourRole::Line), 0.75);
    const qreal x = card.left() + padding;
    paper.text(x, card.top() + 8, figure.title, TypeRole::Caption, ColourRole::Text2);
    const QColor ink = figure.tone == Tone::Neutral ? theme.colour(ColourRole::Text) : theme.ink(figure.tone);
    paper.text(x, card.top() + 22, figure.figure.figure, TypeRole::Figure, ink, TextWeight::SemiBold);
    const qreal unit = x + paperWidth(figure.figure.figure, TypeRole::Figure, TextWeight::SemiBold) + 5;
    const QString words =
        figure.words.isEmpty() ? figure.figure.unit : figure.figure.unit + QLatin1Char(' ') + figure.words;
    paper.text(unit, card.top() + 36, words, TypeRole::Body, ColourRole::Text2);
    paper.link(QRectF(x, card.top() + 22, unit + paperWidth(words, TypeRole::Body) - x, 32), figure.path);
    paper.text(x, card.top() + 56, paperElided(figure.subline.text, card.width() - 2 * padding, TypeRole::Caption),
               TypeRole::Caption, ColourRole::Text2);
    paper.link(x, card.top() + 56, figure.subline, TypeRole::Caption);
    if (figure.interval)
        paintInterval(paper, *figure.interval, QRectF(x, card.top() + 76, card.width() - 2 * padding, 20));
}

ReportBlock figuresBlock(const Result &result) {
    constexpr qreal gap = 10;
    constexpr qreal height = 99;
    const std::vector<PaperFigure> figures = keyFigures(result);
    return {.height = height,
            .paint =
                [figures](Paper &paper, qreal x, qreal y) {
                    const qreal width = (paper::ContentWidth - gap * qreal(figures.size() - 1)) / qreal(figures.size());
                    for (const PaperFigure &figure : figures) {
                        paintFigure(paper, figure, QRectF(x, y, width, height));
                        x += width + gap;
                    }
                },
            .staysWithNext = false};
}

} // namespace

ReportSection summarySection(const Result &result) {
    return {QString(), QString(), {titleBlock(result), verdictBlock(result), figuresBlock(result)}};
}

} // namespace meshwright
