// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/accuracy_strip.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_path.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <cmath>
#include <string>
#include <vector>

namespace meshwright {

namespace {

struct CellText {
    QString figure;
    QString unit;
    QString subline;
    QString before; ///< the figure without overrides
    QString path = {}; ///< see evidenceMaking()
    std::vector<FigureInText> figures = {}; ///< of the subline
};

FigureInText said(const QString &text, const QString &figure) {
    return {text.toStdString(), figurepath::ofView(figure, views::evidence).toStdString()};
}

QString percent(double share) {
    return QString(QString::number(100 * share, 'f', 1)).replace(QLatin1Char('-'), QChar(0x2212));
}

QString signedPercent(double share) {
    return (share > 0 ? QStringLiteral("+") : QString()) + percent(share);
}

QString tr(const char *text) {
    return AccuracyStrip::tr(text);
}

/// The six figures of some rows of a set, in order.
std::array<CellText, 6> textsOf(const EvidenceSlice &slice, const EvidenceSet &set) {
    const EvidenceSummary &all = slice.summary;
    const auto rows = static_cast<double>(slice.rows.size());
    const auto path = [&](const char *figure) {
        return slice.whole ? QString(QLatin1String(figure)) : QString(QLatin1String("shown.") + QLatin1String(figure));
    };
    std::size_t skipped = 0;
    for (const std::size_t row : slice.rows)
        skipped += set.predictions[row].skipped.empty() ? 0 : 1;
    const QString share = QStringLiteral("%");
    const QString left = QString::number(skipped);
    const QString steps = countText(static_cast<double>(all.step.count));
    const QString memories = countText(static_cast<double>(all.memory.count));
    const QString width = shareText(all.interval_width);
    return {{{countText(rows),
              tr("rows"),
              skipped == 0 ? tr("all of them predicted") : tr("%1 skipped, each with its reason").arg(left),
              {},
              path("rows"),
              {said(left, path("skipped"))}},
             {percent(all.step.median_absolute),
              share,
              tr("absolute, step, %1 rows").arg(steps),
              {},
              path("median"),
              {said(steps, path("steps"))}},
             {percent(all.step.p90_absolute), share, tr("absolute, step"), {}, path("p90")},
             {signedPercent(all.step.bias), share, tr("above 0: predicted too slow"), {}, path("bias")},
             {percent(all.coverage),
              share,
              tr("should be 75 to 90 %; %1 wide").arg(width),
              {},
              path("coverage"),
              {said(QStringLiteral("90 %"), path("coverage")), said(width, path("width"))}},
             {percent(all.memory.median_absolute),
              share,
              tr("median of %1 rows").arg(memories),
              {},
              path("memory"),
              {said(memories, path("memories"))}}}};
}

struct Headline {
    QString text;
    std::vector<FigureInText> figures;
};

/// "60 runs like yours: median error 4.2 %, 90 % within 9.8 %, bias +1.1 %. The constants were fitted to 57 of them."
Headline headlineOf(const EvidenceSlice &slice) {
    if (slice.rows.empty())
        return {tr("No measured run passes the filter."), {}};
    const auto path = [&](const char *figure) {
        return slice.whole ? QString(QLatin1String(figure)) : QString(QLatin1String("shown.") + QLatin1String(figure));
    };
    const Errors &step = slice.summary.step;
    const QString rows = countText(static_cast<double>(slice.rows.size()));
    const QString which = slice.near && slice.words.isEmpty() ? tr("%1 runs like yours").arg(rows)
        : slice.near             ? tr("%1 runs like yours with \"%2\"").arg(rows, slice.words)
        : !slice.words.isEmpty() ? tr("%1 runs with \"%2\"").arg(rows, slice.words)
        : slice.whole            ? tr("All %1 measured runs").arg(rows)
                                 : tr("%1 measured runs").arg(rows);
    const QString fitted = countText(static_cast<double>(slice.fitted));
    const QString percentSign = QStringLiteral(" %");
    const QString median = percent(step.median_absolute) + percentSign;
    const QString within = percent(step.p90_absolute) + percentSign;
    const QString bias = signedPercent(step.bias) + percentSign;
    const QString fittedWords = tr("The constants were fitted to %1 of them.").arg(fitted);
    if (step.count == 0)
        return {tr("%1: none has a step time to compare. %2").arg(which, fittedWords),
                {said(rows, path("rows")), said(fitted, QStringLiteral("shown.fitted"))}};
    std::vector<FigureInText> figures{said(rows, path("rows")), said(median, path("median"))};
    const QString ninety = QStringLiteral("90 %");
    figures.push_back(said(ninety, path("p90")));
    figures.push_back(said(within, path("p90")));
    figures.push_back(said(bias, path("bias")));
    figures.push_back(said(fitted, QStringLiteral("shown.fitted")));
    return {
        tr("%1: median error %2, 90 % of steps within %3, bias %4. %5").arg(which, median, within, bias, fittedWords),
        std::move(figures)};
}

} // namespace

AccuracyStrip::AccuracyStrip(QWidget *parent)
    : Card(parent) {
    setObjectName(QStringLiteral("accuracyStrip"));
    setAccessibleName(tr("How well measured runs are predicted"));
    const QString names[CellCount] = {
        tr("Measured runs"), tr("Median error"), tr("90 % of rows within"), tr("Bias"), tr("Inside the 80 % interval"),
        tr("Peak memory")};
    m_headline = new FigureSentence(TypeRole::Emphasis, ColourRole::Text, TextWeight::Medium, this);
    m_headline->setObjectName(QStringLiteral("accuracyHeadline"));
    m_headline->setElided(true);
    connect(m_headline, &FigureSentence::figureWanted, this, [this](const QString &path) { wantFigure(this, path); });
    contentLayout()->addWidget(m_headline);
    auto *row = new QHBoxLayout;
    row->setSpacing(16);
    for (int i = 0; i < CellCount; ++i) {
        Cell &cell = m_cells.at(static_cast<std::size_t>(i));
        cell.name = new TextLabel(names[i], TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
        cell.figure = new FigureSentence(TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, this);
        cell.figure->setSentence(QStringLiteral("–"));
        cell.unit = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
        cell.subline = new FigureSentence(TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this);
        cell.subline->setElided(true);
        cell.name->setElided(true);
        showsNoFigures(cell.name, NotFigures::name); // "90 % of rows within"
        for (FigureSentence *sentence : {cell.figure, cell.subline})
            connect(sentence, &FigureSentence::figureWanted, this,
                    [this](const QString &path) { wantFigure(this, path); });
        auto *line = new QHBoxLayout;
        line->setSpacing(4);
        line->addWidget(cell.figure, 0, Qt::AlignBottom);
        line->addWidget(cell.unit, 0, Qt::AlignBottom);
        line->addStretch(1);
        auto *column = new QVBoxLayout;
        column->setSpacing(1);
        column->addWidget(cell.name);
        column->addLayout(line);
        column->addWidget(cell.subline);
        row->addLayout(column, 1);
    }
    layout()->setContentsMargins(16, 10, 16, 10);
    contentLayout()->addLayout(row);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QString AccuracyStrip::figure(int place) const {
    return m_cells.at(static_cast<std::size_t>(place)).figure->text();
}

QString AccuracyStrip::headline() const {
    return m_headline->text();
}

void AccuracyStrip::showSets(const EvidenceSlice &slice, const EvidenceSet &set, const EvidenceSlice &former,
                             const EvidenceSet &unchanged) {
    const Headline headline = headlineOf(slice);
    m_headline->setSentence(headline.text, headline.figures);
    const std::array<CellText, 6> texts = textsOf(slice, set);
    const std::array<CellText, 6> before = textsOf(former, unchanged);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const bool moved = texts.at(i).figure != before.at(i).figure;
        m_cells.at(i).figure->setSentence(texts.at(i).figure, {said(texts.at(i).figure, texts.at(i).path)});
        m_cells.at(i).unit->setText(texts.at(i).unit);
        const QString formerly = before.at(i).figure + QLatin1Char(' ') + before.at(i).unit;
        if (moved)
            m_cells.at(i).subline->setSentence(
                tr("%1 without this plan's assumptions").arg(formerly),
                {said(formerly, QString(QStringLiteral("unchanged.") + texts.at(i).path))});
        else
            m_cells.at(i).subline->setSentence(texts.at(i).subline, texts.at(i).figures);
        m_cells.at(i).subline->setColour(moved ? ColourRole::Accent : ColourRole::Text2);
        m_cells.at(i).figure->setColour(moved ? ColourRole::Accent : ColourRole::Text);
    }
}

} // namespace meshwright
