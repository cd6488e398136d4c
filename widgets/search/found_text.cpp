// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/found_text.h"

#include "evaluate/evaluate.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "search/configuration_selection.h"
#include "search/configuration_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("FoundText", text);
}

FigureRef ownFigure(const char *name) {
    return FigureRef::ofView(QLatin1String(name), FigureView::search);
}

SentenceText whyOf(const ConfigurationSelection &selection, const LayoutRow &row) {
    const SearchAnswer &answer = *selection.answer();
    const SentenceText free = said(figureText(std::abs(row.entry.headroom_bytes), Quantity::bytes),
                                   selection.pathOf(row, ColumnId::headroom));
    if (row.entry.headroom_bytes < 0)
        return filled(tr("Does not fit: %1 over capacity"), free);
    if (!answer.present->verdict.fits) {
        const QString over = figureText(-answer.present->verdict.headroom_bytes, Quantity::bytes);
        return filled(tr("Headroom %1; the plan is %2 over capacity"), free, said(over, "verdict.headroom_bytes"));
    }
    const Result to = &row == answer.bestRow() && answer.best ? *answer.best : evaluate(row.entry.plan, Depth::numbers);
    return whyText(*answer.present, to, selection.patchOf(row));
}

QString placeOf(const LayoutRow &row) {
    return row.elsewhere ? tr("pinned earlier")
        : row.rank > 0   ? tr("rank %1").arg(row.rank)
        : row.onFront    ? tr("on the Pareto front")
        : row.ofSchedule ? tr("best for its schedule")
                         : tr("not ranked");
}

/// Why the plan's software cannot run a configuration. Empty if it can, or if that is unknown.
QString cautionOf(const LayoutRow &row) {
    return row.entry.runnable ? QString() : QString::fromStdString(row.entry.reason);
}

/// Reason why the plan is not ranked; empty if it is ranked.
SentenceText presentNote(const ConfigurationSelection &selection) {
    const SearchAnswer &answer = *selection.answer();
    const LayoutRow *present = answer.presentRow();
    const Standing standing = answer.presentStanding();
    if (standing == Standing::headroom && answer.fits) {
        const QString left = figureText(present->entry.headroom_bytes, Quantity::bytes);
        const QString needed = figureText(answer.headroom_bytes, Quantity::bytes);
        return filled(tr("The plan has %1 of headroom; the search requires %2"), said(left, "verdict.headroom_bytes"),
                      said(needed, ownFigure("needed")));
    }
    if (standing == Standing::software && answer.fits)
        return tr("The plan cannot be run: %1").arg(QString::fromStdString(present->entry.reason));
    return standing == Standing::constraints ? tr("The plan violates the constraints") : QString();
}

/// States that a row ties with the best. Empty for the best itself and for rows that do not tie.
SentenceText tieOf(const ConfigurationSelection &selection, const LayoutRow &row) {
    const LayoutRow *first = selection.answer()->bestRow();
    if (first == nullptr || row.rank == 1 || !row.entry.tied)
        return {};
    const SentenceText within = said(shareText(selection.answer()->found.tied_within), ownFigure("tied_within"));
    if (!row.present)
        return filled(tr("Tied with the best: the model cannot resolve differences below %1"), within);
    const QString share = shareText(std::abs(selection.figures().gain(first->entry)));
    return filled(tr("The best configuration is better by %1, but the model cannot resolve differences below %2."),
                  said(share, selection.pathOf(*first, ColumnId::gain)), within);
}

/// Why the recommended row is preferable to the best row if they tie. Empty for all other rows.
SentenceText meritOf(const ConfigurationSelection &selection, const LayoutRow &row) {
    const SearchAnswer &answer = *selection.answer();
    const LayoutRow *first = answer.bestRow();
    const LayoutRow *recommended = answer.recommendedRow();
    if (first == nullptr || recommended == nullptr || row.rank <= 1 || recommended->rank != row.rank)
        return {};
    QStringList merits;
    if (row.entry.techniques.size() < first->entry.techniques.size())
        merits << tr("simpler");
    if (row.entry.headroom_bytes > first->entry.headroom_bytes)
        merits << tr("more headroom");
    const Objective objective = answer.question.objective;
    const double lowest = figureOf(first->entry, objective);
    if (figureOf(row.entry, objective) <= lowest)
        return tr("Recommended over rank 1, which is equally good: %1").arg(merits.join(tr(", ")));
    const QString best = figureText(lowest, quantityOf(objective));
    const QString within = shareText(answer.found.tied_within);
    return filled(tr("Recommended over rank 1 (%1): %2; the model cannot resolve differences below %3"),
                  said(best, selection.pathOf(*first, figurePathOf(objective))), merits.join(tr(", ")),
                  said(within, ownFigure("tied_within")));
}

FoundText presentText(const ConfigurationSelection &selection, const LayoutRow &row, bool best) {
    FoundText text;
    if (!best) {
        text.words = tr("The current plan");
        text.changes = placeText(*selection.answer(), row);
        text.plan = presentNote(selection);
        return text;
    }
    // If the plan has warnings, it is not called the best.
    text.words = selection.isPresentWarned() ? tr("No better configuration found")
        : row.rank == 1                      ? tr("The plan is already the best")
                                             : tr("The plan is as good as the best");
    text.changes = row.rank == 1 ? tr("No configuration within the constraints is better.") : tieOf(selection, row);
    return text;
}

/// Names the constraints that the row meets and the plan violates. Empty for a plan that is a candidate, or that fits
/// and is slower than the row.
QString leadOf(const SearchAnswer &answer, const LayoutRow &row) {
    const bool first = row.rank == 1;
    const Standing standing = answer.presentStanding();
    const Objective objective = answer.question.objective;
    const LayoutRow *present = answer.presentRow();
    if (standing != Standing::too_large && present != nullptr
        && figureOf(row.entry, objective) < figureOf(present->entry, objective))
        return {};
    switch (standing) {
    case Standing::too_large:
        return first ? tr("Best configuration that fits:") : tr("Recommended configuration that fits:");
    case Standing::headroom:
        return first ? tr("Best with the required headroom:") : tr("Recommended with the required headroom:");
    case Standing::software:
        return first ? tr("Best for this software:") : tr("Recommended for this software:");
    case Standing::constraints:
        return first ? tr("Best within the constraints:") : tr("Recommended within the constraints:");
    case Standing::ranked:
    case Standing::beyond:
        break;
    }
    return {};
}

SentenceText absoluteOf(const ConfigurationSelection &selection, const LayoutRow &row) {
    const Objective objective = selection.answer()->question.objective;
    const SentenceText text = said(figureText(figureOf(row.entry, objective), quantityOf(objective)),
                                   selection.pathOf(row, figurePathOf(objective)));
    return objective == Objective::accelerators ? filled(tr("%1 GPUs"), text) : text;
}

SentenceText stepOf(const ConfigurationSelection &selection, const LayoutRow &row) {
    const QString step = figureText(row.entry.step_seconds, Quantity::seconds);
    return filled(tr("Step %1"), said(step, selection.pathOf(row, ColumnId::step)));
}

SentenceText stepGainOf(const ConfigurationSelection &selection, const LayoutRow &row) {
    const GainWords words = gainWords(selection.figures().stepGain(row.entry), Objective::time);
    const SentenceText share =
        said(words.share, selection.gainPathOf(row, layoutColumns()[static_cast<std::size_t>(ColumnId::step)].figure));
    return filled(tr("Step %1"),
                  words.share.isEmpty() ? SentenceText(words.rest) : share + QStringLiteral(" ") + words.rest);
}

} // namespace

FoundText foundText(const ConfigurationSelection &selection, const LayoutRow &row, bool best) {
    const SearchAnswer &answer = *selection.answer();
    FoundText text;
    if (row.present)
        return presentText(selection, row, best);
    text.applies = true;
    const QVector<ConfigurationDifference> differences = layoutDifferences(answer.question.plan, row.entry.plan);
    text.changes = differencesText(differences);
    for (const ConfigurationDifference &difference : differences)
        text.each << differencesText({difference});
    text.why = whyOf(selection, row);
    text.caution = cautionOf(row);
    text.merit = meritOf(selection, row);
    if (best)
        text.plan = presentNote(selection);
    else if (text.merit.empty())
        text.merit = tieOf(selection, row);
    const QString lead = best ? leadOf(answer, row) : QString();
    if (!lead.isEmpty() || !answer.present->verdict.fits) {
        // A plan that does not fit or violates the constraints cannot serve as a baseline.
        text.lead = lead.isEmpty() ? placeOf(row) + QLatin1Char(':') : lead;
        text.lead[0] = text.lead[0].toUpper();
        text.figure = absoluteOf(selection, row);
        text.tone = row.entry.headroom_bytes < 0 ? Tone::Bad : row.entry.runnable ? Tone::Good : Tone::Warn;
        if (answer.question.objective == Objective::time)
            text.aside = stepOf(selection, row);
        return text;
    }
    const double gain = selection.figures().gain(row.entry);
    const auto [share, rest] = gainWords(gain, answer.question.objective);
    const bool numbered = !share.isEmpty();
    if (numbered)
        text.figure = said(share, selection.pathOf(row, ColumnId::gain));
    const bool runDiffers = selection.figures().runDiffers(row.entry);
    text.words = !best ? tr("%1, %2").arg(rest, placeOf(row))
        : !numbered    ? tr("%1 as the plan").arg(rest)
        : runDiffers   ? tr("%1 run").arg(rest)
                       : tr("%1 than the plan").arg(rest);
    text.words[0] = numbered ? text.words[0] : text.words[0].toUpper();
    text.tone = !row.entry.runnable ? Tone::Warn : gain > 0 ? Tone::Good : Tone::Neutral;
    if (runDiffers)
        text.aside = stepGainOf(selection, row);
    return text;
}

FoundText nothingFitsText(const ConfigurationSelection &selection) {
    const SearchAnswer &answer = *selection.answer();
    FoundText text;
    text.words = answer.stopped ? tr("No configuration fits so far") : tr("No configuration fits");
    text.tone = Tone::Bad;
    const LayoutRow *const best = answer.bestRow();
    if (best != nullptr && best->entry.headroom_bytes >= 0) {
        const QString left = figureText(best->entry.headroom_bytes, Quantity::bytes);
        text.words = tr("No configuration leaves the required headroom");
        text.changes = filled(tr("The fastest configuration that fits has a headroom of %1."),
                              said(left, selection.pathOf(*best, ColumnId::headroom)));
    } else if (answer.best && best != nullptr) {
        const QString step = figureText(answer.best->step.seconds, Quantity::seconds);
        const QString lacks = figureText(-answer.best->verdict.headroom_bytes, Quantity::bytes);
        text.changes =
            filled(tr("The fastest configuration would take %1 per step, but needs %2 more memory than available."),
                   said(step, selection.pathOf(*best, ColumnId::step)),
                   said(lacks, selection.pathOf(*best, ColumnId::headroom)));
    }
    const QString lacking = figureText(answer.least_excess_bytes, Quantity::bytes);
    if (answer.least_excess_bytes > 0)
        text.why = filled(tr("Even configurations up to %1 slower need at least %2 more memory than available."),
                          said(QStringLiteral("25%"), ownFigure("slower_admitted")),
                          said(lacking, ownFigure("least_excess_bytes")));
    return text;
}

SentenceText widerText(const ConfigurationSelection &selection) {
    std::vector<SentenceText> options;
    for (const WiderSearch &wider : selection.answer()->wider) {
        QString option = searchOptionText(wider.option);
        option[0] = option[0].toLower();
        const QString step = figureText(wider.best.step_seconds, Quantity::seconds);
        options.push_back(filled(tr("%1 (%2 per step)"), option,
                                 said(step, selection.pathOf({.entry = wider.best}, ColumnId::step))));
    }
    return filled(tr("Fits if the search includes %1"), joined(options, tr(" or ")));
}

} // namespace meshwright
