// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/accuracy_strip.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <cmath>

namespace meshwright {

namespace {

struct CellText {
    QString figure;
    QString unit;
    QString subline;
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

std::array<CellText, 6> textsOf(const EvidenceSlice &slice, const EvidenceSet &set) {
    const EvidenceSummary &all = slice.summary;
    const auto rows = static_cast<double>(slice.rows.size());
    std::size_t skipped = 0;
    for (const std::size_t row : slice.rows)
        skipped += set.predictions[row].skipped.empty() ? 0 : 1;
    const QString share = QStringLiteral("%");
    return {
        {{countText(rows), tr("rows"),
          skipped == 0 ? tr("all predicted") : tr("%1 skipped, each with a reason").arg(skipped)},
         {percent(all.step.median_absolute), share,
          tr("absolute step time error, %1 rows").arg(countText(static_cast<double>(all.step.count)))},
         {percent(all.step.p90_absolute), share, tr("absolute step time error")},
         {signedPercent(all.step.bias), share, tr("above 0: predicted steps are too long")},
         {percent(all.coverage), share, tr("target: 75 to 90%; median width %1").arg(shareText(all.interval_width))},
         {percent(all.memory.median_absolute), share,
          tr("median error, %1 rows").arg(countText(static_cast<double>(all.memory.count)))}}};
}

/// The headline, such as "60 runs like yours: median error 4.2%, 90% of step times within 9.8%, bias +1.1%. The
/// constants were fitted to 57 of them."
QString headlineOf(const EvidenceSlice &slice) {
    if (slice.rows.empty())
        return tr("No measured run matches the filter.");
    const Errors &step = slice.summary.step;
    const QString rows = countText(static_cast<double>(slice.rows.size()));
    const QString which = slice.near && slice.words.isEmpty() ? tr("%1 runs like yours").arg(rows)
        : slice.near             ? tr("%1 runs like yours matching \"%2\"").arg(rows, slice.words)
        : !slice.words.isEmpty() ? tr("%1 runs matching \"%2\"").arg(rows, slice.words)
        : slice.whole            ? tr("All %1 measured runs").arg(rows)
                                 : tr("%1 measured runs").arg(rows);
    const QString fitted =
        tr("The constants were fitted to %1 of them.").arg(countText(static_cast<double>(slice.fitted)));
    if (step.count == 0)
        return tr("%1: none has a step time to compare. %2").arg(which, fitted);
    return tr("%1: median error %2%, 90% of step times within %3%, bias %4%. %5")
        .arg(which, percent(step.median_absolute), percent(step.p90_absolute), signedPercent(step.bias), fitted);
}

} // namespace

AccuracyStrip::AccuracyStrip(QWidget *parent)
    : Card(parent) {
    setObjectName(QStringLiteral("accuracyStrip"));
    setAccessibleName(tr("Prediction accuracy on measured runs"));
    const QString names[CellCount] = {tr("Measured runs"),           tr("Median error"),
                                      tr("90% of rows within"),      tr("Bias"),
                                      tr("Inside the 80% interval"), tr("Peak memory")};
    showsNoFigures(this, NotFigures::statistic);
    m_headline = new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::Medium, this);
    m_headline->setObjectName(QStringLiteral("accuracyHeadline"));
    m_headline->setElided(true);
    contentLayout()->addWidget(m_headline);
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

QString AccuracyStrip::headline() const {
    return m_headline->text();
}

void AccuracyStrip::showSets(const EvidenceSlice &slice, const EvidenceSet &set, const EvidenceSlice &former,
                             const EvidenceSet &unchanged) {
    m_headline->setText(headlineOf(slice));
    const std::array<CellText, 6> texts = textsOf(slice, set);
    const std::array<CellText, 6> before = textsOf(former, unchanged);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const CellText &now = texts.at(i);
        const bool moved = now.figure != before.at(i).figure;
        m_cells.at(i).figure->setText(now.figure);
        m_cells.at(i).unit->setText(now.unit);
        m_cells.at(i).subline->setText(
            moved ? tr("%1 %2 without this plan's overrides").arg(before.at(i).figure, before.at(i).unit)
                  : now.subline);
        m_cells.at(i).subline->setColour(moved ? ColourRole::Accent : ColourRole::Text2);
        m_cells.at(i).figure->setColour(moved ? ColourRole::Accent : ColourRole::Text);
    }
}

} // namespace meshwright
