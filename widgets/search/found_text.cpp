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
        return {tr("Does not fit: %1 over capacity").arg(free), {{free.toStdString(), headroom}}};
    if (!answer.present->verdict.fits) {
        const QString over = figureText(-answer.present->verdict.headroom_bytes, Quantity::bytes);
        return {tr("Headroom %1; the plan is %2 over capacity").arg(free, over),
                {{free.toStdString(), headroom}, {over.toStdString(), "verdict.headroom_bytes"}}};
    }
    const Result to = &row == answer.bestRow() && answer.best ? *answer.best : evaluate(row.entry.plan, Depth::numbers);
    return {whyText(*answer.present, to), whyFigures(*answer.present, to, selection.patchOf(row))};
}

QString placeOf(const LayoutRow &row) {
    return row.elsewhere ? tr("pinned before") : row.rank > 0 ? tr("rank %1").arg(row.rank) : tr("on the Pareto front");
}

/// That a row cannot be told from the best; empty where it is the best itself.
SaidLine tieOf(const LayoutSelection &selection, const LayoutRow &row) {
    const LayoutRow *first = selection.answer()->bestRow();
    if (first == nullptr || row.rank == 1 || !row.entry.tied)
        return {};
    const QString within = shareText(selection.answer()->found.tied_within);
    const FigureInText limit{within.toStdString(), ownFigure("tied_within")};
    if (!row.present)
        return {tr("tied with the best: predictions cannot tell %1 apart").arg(within), {limit}};
    const QString share = shareText(std::abs(selection.figures().gain(first->entry)));
    return {tr("The best gains %1; predictions cannot tell %2 apart.").arg(share, within),
            {{share.toStdString(), selection.pathOf(*first, ColumnId::gain).toStdString()}, limit}};
}

/// What speaks for the recommended one among those tied with the best; empty for the others.
QString meritOf(const SearchAnswer &answer, const LayoutRow &row) {
    const LayoutRow *first = answer.bestRow();
    const LayoutRow *recommended = answer.recommendedRow();
    if (first == nullptr || recommended == nullptr || row.rank <= 1 || recommended->rank != row.rank)
        return {};
    QStringList merits;
    if (row.entry.techniques.size() < first->entry.techniques.size())
        merits << tr("simpler");
    if (row.entry.headroom_bytes > first->entry.headroom_bytes)
        merits << tr("more headroom");
    return merits.isEmpty() ? QString() : tr("recommended among ties: %1").arg(merits.join(tr(", ")));
}

FoundText presentText(const LayoutSelection &selection, const LayoutRow &row, bool best) {
    FoundText text;
    if (!best) {
        text.words = tr("The present plan");
        text.changes.text = placeOf(row);
        return text;
    }
    // A plan that has warnings of its own is not called the best.
    text.words = selection.isPresentWarned() ? tr("No better configuration found")
        : row.rank == 1                      ? tr("The plan is the best already")
                                             : tr("The plan is as good as the best");
    text.changes =
        row.rank == 1 ? SaidLine{tr("No configuration within the constraints is better.")} : tieOf(selection, row);
    return text;
}

/// What the best is best of, where the plan itself is no candidate: then no comparison with it says anything.
QString leadOf(const SearchAnswer &answer, const LayoutRow &row) {
    const LayoutRow *present = answer.presentRow();
    if (!answer.present->verdict.fits)
        return tr("Best configuration that fits:");
    const Objective objective = answer.question.objective;
    if (present == nullptr || figureOf(row.entry, objective) < figureOf(present->entry, objective))
        return {};
    if (present->entry.headroom_bytes < answer.headroom_bytes)
        return tr("Best with the required headroom:");
    if (!answer.presentHolds())
        return tr("Best that the software can run:");
    return present->rank > 0 ? QString() : tr("Best within the constraints:");
}

/// The figure that the objective compares.
SaidLine absoluteOf(const LayoutSelection &selection, const LayoutRow &row) {
    const Objective objective = selection.answer()->question.objective;
    const QString text = figureText(figureOf(row.entry, objective), quantityOf(objective));
    const QString path = selection.pathOf(row, figurePathOf(objective));
    return {objective == Objective::accelerators ? tr("%1 GPUs").arg(text) : text,
            {{text.toStdString(), path.toStdString()}}};
}

SaidLine stepOf(const LayoutSelection &selection, const LayoutRow &row) {
    const QString step = figureText(row.entry.step_seconds, Quantity::seconds);
    return {tr("Step %1").arg(step), {{step.toStdString(), selection.pathOf(row, ColumnId::step).toStdString()}}};
}

SaidLine stepGainOf(const LayoutSelection &selection, const LayoutRow &row) {
    const QString words = gainText(selection.figures().stepGain(row.entry), Objective::time);
    const QString figure = words.section(QLatin1Char(' '), 0, 1);
    return {
        tr("Step %1").arg(words),
        {{figure.toStdString(),
          selection.gainPathOf(row, layoutColumns()[static_cast<std::size_t>(ColumnId::step)].figure).toStdString()}}};
}

} // namespace

SaidLine joined(const SaidLine &first, const QString &mark, const SaidLine &second) {
    SaidLine both = first;
    if (!first.text.isEmpty() && !second.text.isEmpty())
        both.text += mark;
    both.text += second.text;
    both.figures.insert(both.figures.end(), second.figures.begin(), second.figures.end());
    return both;
}

FoundText foundText(const LayoutSelection &selection, const LayoutRow &row, bool best) {
    const SearchAnswer &answer = *selection.answer();
    FoundText text;
    if (row.present)
        return presentText(selection, row, best);
    text.applies = true;
    text.changes.text = differencesText(layoutDifferences(answer.question.plan, row.entry.plan));
    text.why = whyOf(selection, row);
    const QString lead = best ? leadOf(answer, row) : QString();
    if (!lead.isEmpty() || !answer.present->verdict.fits) {
        // A plan that cannot be had is nothing to be faster or slower than.
        text.lead = lead.isEmpty() ? placeOf(row) + QLatin1Char(':') : lead;
        text.lead[0] = text.lead[0].toUpper();
        text.figure = absoluteOf(selection, row);
        text.tone = row.entry.headroom_bytes < 0 ? Tone::Bad : Tone::Good;
        if (answer.question.objective == Objective::time)
            text.aside = stepOf(selection, row);
        return text;
    }
    const double gain = selection.figures().gain(row.entry);
    const QString words = gainText(gain, answer.question.objective);
    const bool numbered = words.contains(QLatin1Char('%'));
    if (numbered) {
        const QString figure = words.section(QLatin1Char(' '), 0, 1);
        text.figure = {figure, {{figure.toStdString(), selection.pathOf(row, ColumnId::gain).toStdString()}}};
    }
    const QString rest = numbered ? words.section(QLatin1Char(' '), 2) : words;
    const bool runDiffers = selection.figures().runDiffers(row.entry);
    text.words = !best ? tr("%1, %2").arg(rest, placeOf(row))
        : !numbered    ? tr("%1 as the plan").arg(rest)
        : runDiffers   ? tr("%1 run").arg(rest)
                       : tr("%1 than the plan").arg(rest);
    text.words[0] = numbered ? text.words[0] : text.words[0].toUpper();
    text.tone = gain > 0 ? Tone::Good : Tone::Neutral;
    if (runDiffers)
        text.aside = stepGainOf(selection, row);
    if (const QString merit = meritOf(answer, row); !merit.isEmpty())
        text.aside = joined(text.aside, QStringLiteral(" · "), {merit});
    if (best && text.tone != Tone::Good && row.entry.tied && !text.aside.text.isEmpty())
        text.aside = joined(text.aside, QStringLiteral(" · "), tieOf(selection, row));
    return text;
}

FoundText nothingFitsText(const LayoutSelection &selection) {
    const SearchAnswer &answer = *selection.answer();
    FoundText text;
    text.words = answer.stopped ? tr("No configuration fits so far") : tr("No configuration fits");
    text.tone = Tone::Bad;
    const LayoutRow *const best = answer.bestRow();
    if (best != nullptr && best->entry.headroom_bytes >= 0) {
        const QString left = figureText(best->entry.headroom_bytes, Quantity::bytes);
        text.words = tr("No configuration leaves the required headroom");
        text.changes = {tr("The fastest that fits leaves %1.").arg(left),
                        {{left.toStdString(), selection.pathOf(*best, ColumnId::headroom).toStdString()}}};
    } else if (answer.best && best != nullptr) {
        const QString step = figureText(answer.best->step.seconds, Quantity::seconds);
        const QString lacks = figureText(-answer.best->verdict.headroom_bytes, Quantity::bytes);
        text.changes = {tr("The fastest would take %1 per step and needs %2 more memory.").arg(step, lacks),
                        {{step.toStdString(), selection.pathOf(*best, ColumnId::step).toStdString()},
                         {lacks.toStdString(), selection.pathOf(*best, ColumnId::headroom).toStdString()}}};
    }
    const QString least = figureText(answer.least_excess_bytes, Quantity::bytes);
    if (answer.least_excess_bytes > 0)
        text.why = {tr("Within 25 % of it, at least %1 more is needed.").arg(least),
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
        said << tr("%1 (%2 per step)").arg(option, step);
        line.figures.push_back(
            {step.toStdString(), selection.pathOf({.entry = wider.best}, ColumnId::step).toStdString()});
    }
    line.text = tr("Fits with %1 searched as well").arg(said.join(tr(" or ")));
    return line;
}

} // namespace meshwright
