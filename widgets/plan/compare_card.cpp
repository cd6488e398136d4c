// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/compare_card.h"

#include "controls/text_label.h"
#include "figures/change_tone.h"
#include "figures/figure_label.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "views/view_mapping.h"

#include <QGridLayout>

#include <cmath>
#include <vector>

namespace meshwright {

namespace {

struct Line {
    QString name;
    QString opened;
    QString now;
    double before = 0;
    double after = 0;
    Preference preference = Preference::none;
    QString figure = {};
};

Line numberLine(const QString &figure, const QString &name, double before, double after, Quantity quantity) {
    return {name,
            figureText(before, quantity),
            figureText(after, quantity),
            before,
            after,
            preference_of(figure.toStdString(), quantity),
            figure};
}

std::vector<Line> linesOf(const Result &opened, const Result &now) {
    const auto outer = [](const Result &result) { return result.outer ? result.outer->utilisation : 1.0; };
    const auto outerText = [](const Result &result) {
        return result.outer ? shareText(result.outer->utilisation) : QStringLiteral("–");
    };
    const auto held = [](const Result &result) {
        return QString::fromStdString(bottleneck_names()[static_cast<std::size_t>(result.verdict.bottleneck)]);
    };
    return {
        {CompareCard::tr("Configuration"), degreesText(opened.plan.parallelism), degreesText(now.plan.parallelism)},
        numberLine(QStringLiteral("memory.peak_bytes"), CompareCard::tr("Peak memory"), opened.memory.peak_bytes,
                   now.memory.peak_bytes, Quantity::bytes),
        numberLine(QStringLiteral("step.seconds"), CompareCard::tr("Step time"), opened.step.seconds, now.step.seconds,
                   Quantity::seconds),
        numberLine(QStringLiteral("step.mfu"), CompareCard::tr("MFU"), opened.step.mfu, now.step.mfu, Quantity::share),
        {CompareCard::tr("Tokens per second"), plainText(opened.step.tokens_per_second),
         plainText(now.step.tokens_per_second), opened.step.tokens_per_second, now.step.tokens_per_second,
         Preference::higher, QStringLiteral("step.tokens_per_second")},
        {CompareCard::tr("Compute utilization"), outerText(opened), outerText(now), outer(opened), outer(now),
         opened.outer && now.outer ? Preference::higher : Preference::none,
         now.outer ? QStringLiteral("outer.utilisation") : QString()},
        numberLine(QStringLiteral("run.seconds"), CompareCard::tr("Run time"), opened.run.seconds, now.run.seconds,
                   Quantity::seconds),
        numberLine(QStringLiteral("run.rental_dollars"), CompareCard::tr("Rental cost"), opened.run.rental_dollars,
                   now.run.rental_dollars, Quantity::dollars),
        numberLine(QStringLiteral("run.energy_joules"), CompareCard::tr("Energy"), opened.run.energy_joules,
                   now.run.energy_joules, Quantity::joules),
        {CompareCard::tr("Bottleneck"), held(opened), held(now)},
    };
}

/// Text and color of a change: "−12%", "changed" for anything but a number, empty if nothing changed.
std::pair<QString, ColourRole> changeOf(const Line &line) {
    if (line.preference == Preference::none || line.before == 0)
        return {line.opened == line.now ? QString() : CompareCard::tr("changed"), ColourRole::Text2};
    const double change = line.after / line.before - 1;
    if (std::abs(change) < 5e-4)
        return {{}, ColourRole::Text2};
    const QString sign = change > 0 ? QStringLiteral("+") : QString();
    return {sign + shareText(change),
            changeTone(line.preference, change) == Tone::Good ? ColourRole::Good : ColourRole::Bad};
}

FigureLabel *figureCell(QGridLayout *grid, int row, int column, TextWeight weight) {
    auto *label = new FigureLabel(TypeRole::Body, ColourRole::Text, weight, grid->parentWidget());
    grid->addWidget(label, row, column);
    return label;
}

TextLabel *cell(QGridLayout *grid, int row, int column, ColourRole colour, TextWeight weight = TextWeight::Regular) {
    auto *label = new TextLabel({}, TypeRole::Body, colour, weight, grid->parentWidget());
    label->setAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    grid->addWidget(label, row, column);
    return label;
}

} // namespace

CompareCard::CompareCard(QWidget *parent)
    : ResultCard(tr("Effect of the edits"), parent) {
    setObjectName(QStringLiteral("compareCard"));
    auto *body = new QWidget(this);
    auto *grid = new QGridLayout(body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    for (int column = 0; column < 4; ++column)
        grid->setColumnStretch(column, column == 3 ? 2 : 3);
    cell(grid, 0, 1, ColourRole::Text3)->setText(tr("As opened"));
    cell(grid, 0, 2, ColourRole::Text3)->setText(tr("Now"));
    cell(grid, 0, 3, ColourRole::Text3)->setText(tr("Change"));
    for (int row = 0; row < rowCount; ++row)
        m_rows[static_cast<std::size_t>(row)] = {.name = cell(grid, row + 1, 0, ColourRole::Text2),
                                                 .opened = figureCell(grid, row + 1, 1, TextWeight::Regular),
                                                 .now = figureCell(grid, row + 1, 2, TextWeight::SemiBold),
                                                 .change = figureCell(grid, row + 1, 3, TextWeight::Regular)};
    setBody(body);
}

void CompareCard::setOpened(std::shared_ptr<const Result> opened) {
    m_opened = std::move(opened);
}

void CompareCard::showResult(const Result &result) {
    if (!m_opened)
        return;
    const std::vector<Line> lines = linesOf(*m_opened, result);
    setSubtitle(tr("plan as opened vs. now"));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto [change, colour] = changeOf(lines[i]);
        m_rows[i].name->setText(lines[i].name);
        const QString &figure = lines[i].figure;
        const bool isOpened = !figure.isEmpty() && (m_opened->outer || !figure.startsWith(QLatin1String("outer.")));
        const QString share = QStringLiteral("gain_share_") + figure;
        m_rows[i].opened->setFigure(lines[i].opened, isOpened ? FigureRef(figure, scope::Opened()) : FigureRef());
        m_rows[i].now->setFigure(lines[i].now, figure);
        m_rows[i].change->setFigure(change,
                                    isOpened && !change.isEmpty() ? FigureRef(share, scope::Opened()) : FigureRef());
        m_rows[i].change->setColour(colour);
    }
}

} // namespace meshwright
