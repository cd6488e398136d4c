// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/accuracy_strip.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
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
    SaidText subline;
    QString path; ///< see evidenceMaking()
};

SaidText ofEvidence(const QString &text, const QString &figure) {
    return said(text, FigureRef::ofView(figure, FigureView::evidence));
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
    const SaidText left = ofEvidence(QString::number(skipped), path("skipped"));
    const SaidText steps = ofEvidence(countText(static_cast<double>(all.step.count)), path("steps"));
    const SaidText memories = ofEvidence(countText(static_cast<double>(all.memory.count)), path("memories"));
    const SaidText width = ofEvidence(shareText(all.interval_width), path("width"));
    const SaidText ninety = ofEvidence(QStringLiteral("90 %"), path("coverage"));
    return {{{countText(rows), tr("rows"),
              skipped == 0 ? tr("all of them predicted") : filled(tr("%1 skipped, each with its reason"), left),
              path("rows")},
             {percent(all.step.median_absolute), share, filled(tr("absolute, step, %1 rows"), steps), path("median")},
             {percent(all.step.p90_absolute), share, tr("absolute, step"), path("p90")},
             {signedPercent(all.step.bias), share, tr("above 0: predicted too slow"), path("bias")},
             {percent(all.coverage), share, filled(tr("should be 75 to %1; %2 wide"), ninety, width), path("coverage")},
             {percent(all.memory.median_absolute), share, filled(tr("median of %1 rows"), memories), path("memory")}}};
}

/// "60 runs like yours: median error 4.2 %, 90 % within 9.8 %, bias +1.1 %. The constants were fitted to 57 of them."
SaidText headlineOf(const EvidenceSlice &slice) {
    if (slice.rows.empty())
        return tr("No measured run passes the filter.");
    const auto own = [&](const QString &text, const char *figure) {
        return ofEvidence(text,
                          slice.whole ? QString(QLatin1String(figure))
                                      : QString(QLatin1String("shown.") + QLatin1String(figure)));
    };
    const Errors &step = slice.summary.step;
    const SaidText rows = own(countText(static_cast<double>(slice.rows.size())), "rows");
    const SaidText which = slice.near && slice.words.isEmpty() ? filled(tr("%1 runs like yours"), rows)
        : slice.near             ? filled(tr("%1 runs like yours with \"%2\""), rows, slice.words)
        : !slice.words.isEmpty() ? filled(tr("%1 runs with \"%2\""), rows, slice.words)
        : slice.whole            ? filled(tr("All %1 measured runs"), rows)
                                 : filled(tr("%1 measured runs"), rows);
    const SaidText fitted =
        filled(tr("The constants were fitted to %1 of them."),
               ofEvidence(countText(static_cast<double>(slice.fitted)), QStringLiteral("shown.fitted")));
    if (step.count == 0)
        return filled(tr("%1: none has a step time to compare. %2"), which, fitted);
    const QString percentSign = QStringLiteral(" %");
    return filled(tr("%1: median error %2, %3 of steps within %4, bias %5. %6"), which,
                  own(percent(step.median_absolute) + percentSign, "median"), own(QStringLiteral("90 %"), "p90"),
                  own(percent(step.p90_absolute) + percentSign, "p90"),
                  own(signedPercent(step.bias) + percentSign, "bias"), fitted);
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
    m_headline->setSentence(headlineOf(slice));
    const std::array<CellText, 6> texts = textsOf(slice, set);
    const std::array<CellText, 6> before = textsOf(former, unchanged);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const bool moved = texts.at(i).figure != before.at(i).figure;
        m_cells.at(i).figure->setSentence(ofEvidence(texts.at(i).figure, texts.at(i).path));
        m_cells.at(i).unit->setText(texts.at(i).unit);
        const QString formerly = before.at(i).figure + QLatin1Char(' ') + before.at(i).unit;
        if (moved)
            m_cells.at(i).subline->setSentence(
                filled(tr("%1 without this plan's assumptions"),
                       ofEvidence(formerly, QStringLiteral("unchanged.") + texts.at(i).path)));
        else
            m_cells.at(i).subline->setSentence(texts.at(i).subline);
        m_cells.at(i).subline->setColour(moved ? ColourRole::Accent : ColourRole::Text2);
        m_cells.at(i).figure->setColour(moved ? ColourRole::Accent : ColourRole::Text);
    }
}

} // namespace meshwright
