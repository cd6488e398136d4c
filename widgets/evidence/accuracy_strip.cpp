// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/accuracy_strip.h"

#include "controls/text_label.h"
#include "panels/figure_text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <cmath>

namespace meshwright {

namespace {

struct CellText {
    QString figure;
    QString unit;
    QString subline;
    QString before; ///< the figure without overrides
};

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
    return {{{countText(rows),
              tr("rows"),
              skipped == 0 ? tr("all of them predicted") : tr("%1 skipped, each with its reason").arg(skipped),
              {}},
             {percent(all.step.median_absolute),
              share,
              tr("absolute, step, %1 rows").arg(countText(static_cast<double>(all.step.count))),
              {}},
             {percent(all.step.p90_absolute), share, tr("absolute, step"), {}},
             {signedPercent(all.step.bias), share, tr("above 0: predicted too slow"), {}},
             {percent(all.coverage), share, tr("should be 75 to 90 %; %1 wide").arg(shareText(all.interval_width)), {}},
             {percent(all.memory.median_absolute),
              share,
              tr("median of %1 rows").arg(countText(static_cast<double>(all.memory.count))),
              {}}}};
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
        cell.figure = new TextLabel(QStringLiteral("–"), TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, this);
        cell.unit = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
        cell.subline = new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this);
        cell.subline->setElided(true);
        cell.name->setElided(true);
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
        m_cells.at(i).figure->setText(texts.at(i).figure);
        m_cells.at(i).unit->setText(texts.at(i).unit);
        m_cells.at(i).subline->setText(
            moved ? tr("%1 %2 without this plan's assumptions").arg(before.at(i).figure, before.at(i).unit)
                  : texts.at(i).subline);
        m_cells.at(i).subline->setColour(moved ? ColourRole::Accent : ColourRole::Text2);
        m_cells.at(i).figure->setColour(moved ? ColourRole::Accent : ColourRole::Text);
    }
}

} // namespace meshwright
