// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/accuracy_strip.h"

#include "controls/figure_event.h"
#include "controls/figure_path.h"
#include "controls/figure_sentence.h"
#include "controls/text_label.h"
#include "panels/figure_text.h"

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
    const char *path = nullptr; ///< see evidenceMaking()
    std::vector<FigureInText> figures = {}; ///< of the subline
};

FigureInText said(const QString &text, const char *figure) {
    return {text.toStdString(), figurepath::ofView(QLatin1String(figure), views::evidence).toStdString()};
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

/// The six figures of a set, in order.
std::array<CellText, 6> textsOf(const EvidenceSet &set) {
    const EvidenceSummary &all = set.all;
    const auto rows = static_cast<double>(set.table->runs.size());
    std::size_t skipped = 0;
    for (const Prediction &prediction : set.predictions)
        skipped += prediction.skipped.empty() ? 0 : 1;
    const QString share = QStringLiteral("%");
    const QString left = QString::number(skipped);
    const QString steps = countText(static_cast<double>(all.step.count));
    const QString memories = countText(static_cast<double>(all.memory.count));
    const QString width = shareText(all.interval_width);
    return {{{countText(rows),
              tr("rows"),
              skipped == 0 ? tr("all of them predicted") : tr("%1 skipped, each with its reason").arg(left),
              {},
              "rows",
              {said(left, "skipped")}},
             {percent(all.step.median_absolute),
              share,
              tr("absolute, step, %1 rows").arg(steps),
              {},
              "median",
              {said(steps, "steps")}},
             {percent(all.step.p90_absolute), share, tr("absolute, step"), {}, "p90"},
             {signedPercent(all.step.bias), share, tr("above 0: predicted too slow"), {}, "bias"},
             {percent(all.coverage),
              share,
              tr("should be 75 to 90 %; %1 wide").arg(width),
              {},
              "coverage",
              {said(QStringLiteral("90 %"), "coverage"), said(width, "width")}},
             {percent(all.memory.median_absolute),
              share,
              tr("median of %1 rows").arg(memories),
              {},
              "memory",
              {said(memories, "memories")}}}};
}

} // namespace

AccuracyStrip::AccuracyStrip(QWidget *parent)
    : Card(parent) {
    setObjectName(QStringLiteral("accuracyStrip"));
    setAccessibleName(tr("How well measured runs are predicted"));
    const QString names[CellCount] = {
        tr("Measured runs"), tr("Median error"), tr("90 % of rows within"), tr("Bias"), tr("Inside the 80 % interval"),
        tr("Peak memory")};
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

void AccuracyStrip::showSets(const EvidenceSet &set, const EvidenceSet &unchanged) {
    const std::array<CellText, 6> texts = textsOf(set);
    const std::array<CellText, 6> before = textsOf(unchanged);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const bool moved = texts.at(i).figure != before.at(i).figure;
        m_cells.at(i).figure->setSentence(texts.at(i).figure, {said(texts.at(i).figure, texts.at(i).path)});
        m_cells.at(i).unit->setText(texts.at(i).unit);
        const QString formerly = before.at(i).figure + QLatin1Char(' ') + before.at(i).unit;
        if (moved)
            m_cells.at(i).subline->setSentence(
                tr("%1 without this plan's assumptions").arg(formerly),
                {said(formerly, (std::string("unchanged.") + texts.at(i).path).c_str())});
        else
            m_cells.at(i).subline->setSentence(texts.at(i).subline, texts.at(i).figures);
        m_cells.at(i).subline->setColour(moved ? ColourRole::Accent : ColourRole::Text2);
        m_cells.at(i).figure->setColour(moved ? ColourRole::Accent : ColourRole::Text);
    }
}

} // namespace meshwright
