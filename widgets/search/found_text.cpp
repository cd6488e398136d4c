// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/found_text.h"

#include "controls/figure_path.h"
#include "evaluate/evaluate.h"
#include "panels/figure_text.h"
#include "search/layout_selection.h"
#include "search/layout_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace meshwright {

namespace {

constexpr int mostDifferences = 5;

QString tr(const char *text) {
    return QCoreApplication::translate("FoundText", text);
}

/// Path of what the search itself has counted.
std::string ownFigure(const char *name) {
    return figurepath::ofView(QLatin1String(name), views::search).toStdString();
}

SaidLine whyOf(const LayoutSelection &selection, const LayoutRow &row) {
    const SearchAnswer &answer = *selection.answer();
    const std::string headroom = selection.pathOf(row, ColumnId::headroom).toStdString();
    const QString free = figureText(std::abs(row.entry.headroom_bytes), Quantity::bytes);
    if (row.entry.headroom_bytes < 0)
        return {tr("Does not fit: %1 over").arg(free), {{free.toStdString(), headroom}}};
    if (!answer.present->verdict.fits) {
        const QString over = figureText(-answer.present->verdict.headroom_bytes, Quantity::bytes);
        return {tr("Fits with %1 free; the plan is %2 over").arg(free, over),
                {{free.toStdString(), headroom}, {over.toStdString(), "verdict.headroom_bytes"}}};
    }
    const Result to = &row == answer.bestRow() && answer.best ? *answer.best : evaluate(row.entry.plan, Depth::numbers);
    return {whyText(*answer.present, to), whyFigures(*answer.present, to, selection.patchOf(row))};
}

} // namespace

FoundText foundText(const LayoutSelection &selection, const LayoutRow &row, bool best) {
    const SearchAnswer &answer = *selection.answer();
    const QString place = row.elsewhere ? tr("pinned before")
        : row.rank > 0                  ? tr("rank %1").arg(row.rank)
                                        : tr("on the front");
    FoundText text;
    if (row.present) {
        text.words = best ? tr("The plan is the best already") : tr("The present plan");
        text.changes.text = best ? tr("No layout that the constraints admit is better.") : place;
        return text;
    }
    text.applies = true;
    const double gain = selection.figures().gain(row.entry);
    const QString words = gainText(gain, answer.question.objective);
    const bool numbered = words.contains(QLatin1Char('%'));
    if (numbered) {
        const QString figure = words.section(QLatin1Char(' '), 0, 1);
        text.figure = {figure, {{figure.toStdString(), selection.pathOf(row, ColumnId::gain).toStdString()}}};
    }
    const QString rest = numbered ? words.section(QLatin1Char(' '), 2) : words;
    text.words = best ? tr("%1 found").arg(rest) : tr("%1, %2").arg(rest, place);
    text.tone = gain < 0 ? Tone::Good : Tone::Neutral;
    text.changes.text = differencesText(layoutDifferences(answer.question.plan, row.entry.plan), mostDifferences);
    text.why = whyOf(selection, row);
    return text;
}

FoundText nothingFitsText(const LayoutSelection &selection) {
    const SearchAnswer &answer = *selection.answer();
    FoundText text{.words = answer.stopped ? tr("Nothing that fits so far") : tr("Nothing fits"), .tone = Tone::Bad};
    if (const LayoutRow *const best = answer.bestRow(); answer.best && best != nullptr) {
        const QString step = figureText(answer.best->step.seconds, Quantity::seconds);
        const QString lacks = figureText(-answer.best->verdict.headroom_bytes, Quantity::bytes);
        text.changes = {tr("The fastest of them would take %1 a step and needs %2 more.").arg(step, lacks),
                        {{step.toStdString(), selection.pathOf(*best, ColumnId::step).toStdString()},
                         {lacks.toStdString(), selection.pathOf(*best, ColumnId::headroom).toStdString()}}};
    }
    const QString least = figureText(answer.least_excess_bytes, Quantity::bytes);
    if (answer.least_excess_bytes > 0)
        text.why = {tr("At most 25 % slower, %1 more is the least.").arg(least),
                    {{"25 %", ownFigure("slower_admitted")}, {least.toStdString(), ownFigure("least_excess_bytes")}}};
    return text;
}

SaidLine widerText(const LayoutSelection &selection) {
    SaidLine line;
    QStringList said;
    for (const WiderSearch &wider : selection.answer()->wider) {
        QString option = searchOptionText(wider.option);
        option[0] = option[0].toLower();
        const QString step = figureText(wider.best.step_seconds, Quantity::seconds);
        said << tr("%1 (%2 a step)").arg(option, step);
        line.figures.push_back(
            {step.toStdString(), selection.pathOf({.entry = wider.best}, ColumnId::step).toStdString()});
    }
    line.text = tr("Fits where the search may vary %1").arg(said.join(tr(" or ")));
    return line;
}

} // namespace meshwright
