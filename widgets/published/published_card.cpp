// SPDX-License-Identifier: GPL-3.0-or-later
#include "published/published_card.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_label.h"
#include "figures/figure_text.h"

#include <QGridLayout>

namespace meshwright {

namespace {

constexpr int Columns = 5;

TextLabel *cell(QGridLayout *grid, int row, int column, ColourRole colour) {
    auto *label = new TextLabel({}, TypeRole::Body, colour, TextWeight::Regular, grid->parentWidget());
    label->setAlignment((column == 0 || column == Columns - 1 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    grid->addWidget(label, row, column);
    return label;
}

FigureLabel *figureCell(QGridLayout *grid, int row, int column, TextWeight weight) {
    auto *label = new FigureLabel(TypeRole::Body, ColourRole::Text, weight, grid->parentWidget());
    grid->addWidget(label, row, column);
    return label;
}

QString figurePath(const PublishedComparison &comparison, const char *part) {
    return QStringLiteral("published.%1.%2").arg(QString::fromStdString(comparison.figure), QLatin1String(part));
}

} // namespace

QString publishedName(const PublishedComparison &comparison) {
    QString name = QString::fromStdString(comparison.title);
    name[0] = name[0].toUpper();
    return name;
}

QString publishedText(double value, Quantity quantity) {
    return quantity == Quantity::number ? plainText(value) : figureText(value, quantity);
}

QString publishedDifference(const PublishedComparison &comparison) {
    const double difference = comparison.difference();
    return (difference > 0 ? QStringLiteral("+") : QString()) + shareText(difference);
}

PublishedCard::PublishedCard(QWidget *parent)
    : ResultCard(tr("Published vs. predicted"), parent) {
    setObjectName(QStringLiteral("publishedCard"));
    auto *body = new QWidget(this);
    m_grid = new QGridLayout(body);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(0, 1);
    cell(m_grid, 0, 1, ColourRole::Text3)->setText(tr("Published"));
    cell(m_grid, 0, 2, ColourRole::Text3)->setText(tr("Predicted"));
    cell(m_grid, 0, 3, ColourRole::Text3)->setText(tr("Difference"));
    cell(m_grid, 0, 4, ColourRole::Text3)->setText(tr("Interval"));
    m_note = new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, body);
    m_note->setObjectName(QStringLiteral("publishedNote"));
    m_note->setWordWrap(true);
    showsNoFigures(m_note, NotFigures::name); // numbers in the note are quoted from the publication
    setBody(body);
}

PublishedCard::Row PublishedCard::newRow() {
    const int place = static_cast<int>(m_rows.size()) + 1;
    return {.name = cell(m_grid, place, 0, ColourRole::Text2),
            .reported = figureCell(m_grid, place, 1, TextWeight::SemiBold),
            .predicted = figureCell(m_grid, place, 2, TextWeight::Regular),
            .difference = figureCell(m_grid, place, 3, TextWeight::Regular),
            .interval = cell(m_grid, place, 4, ColourRole::Text2)};
}

void PublishedCard::showRow(std::size_t index, const PublishedComparison &comparison) {
    if (index == m_rows.size())
        m_rows.push_back(newRow());
    const Row &row = m_rows[index];
    row.name->setText(publishedName(comparison));
    row.reported->setFigure(publishedText(comparison.value, comparison.quantity), figurePath(comparison, "value"));
    row.predicted->setFigure(publishedText(comparison.predicted, comparison.quantity),
                             QString::fromStdString(comparison.path));
    row.difference->setFigure(publishedDifference(comparison), figurePath(comparison, "difference"));
    const std::optional<bool> inside = comparison.inside();
    row.interval->setText(!inside ? tr("none") : *inside ? tr("inside") : tr("outside"));
    row.interval->setColour(!inside ? ColourRole::Text3 : *inside ? ColourRole::Good : ColourRole::Warn);
    row.interval->setToolTip(inside ? tr("80% interval of the prediction: %1 to %2")
                                          .arg(publishedText(*comparison.low, comparison.quantity),
                                               publishedText(*comparison.high, comparison.quantity))
                                    : tr("No prediction interval is available for this figure"));
}

void PublishedCard::showResult(const Result &result) {
    const PublishedRun &published = result.plan.published;
    setSubtitle(published.plan_changed ? tr("this plan differs from the published run")
                                       : tr("as reported by the authors of this run"));
    for (std::size_t i = 0; i < result.published.size(); ++i)
        showRow(i, result.published[i]);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        for (QWidget *widget :
             {static_cast<QWidget *>(m_rows[i].name), static_cast<QWidget *>(m_rows[i].reported),
              static_cast<QWidget *>(m_rows[i].predicted), static_cast<QWidget *>(m_rows[i].difference),
              static_cast<QWidget *>(m_rows[i].interval)})
            widget->setVisible(i < result.published.size());
    QStringList words;
    for (const std::string &text : {published.note, published.source})
        if (!text.empty())
            words.append(QString::fromStdString(text));
    m_note->setText(words.join(QLatin1Char(' ')));
    m_note->setVisible(!words.isEmpty());
    m_grid->addWidget(m_note, static_cast<int>(m_rows.size()) + 1, 0, 1, Columns); // the note stays below the last row
}

} // namespace meshwright
