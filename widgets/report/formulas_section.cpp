// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "evaluate/explain.h"
#include "evaluate/sensitivity.h"
#include "explain/derivation_text.h"
#include "explain/figure_list.h"
#include "figures/figure_ref.h"
#include "plan/plan_json.h"
#include "report/report_sections.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

constexpr qreal indent = 12;
constexpr qreal valueRoom = 110;
constexpr qsizetype longest = 420; ///< maximum length of a formula with numbers; longer sums are cut off
constexpr std::size_t maxInputs = 12;

QString shortened(const QString &text) {
    return text.size() <= longest ? text : text.left(longest) + QChar(0x2026);
}

/// The inputs of a formula with their values, and the origin of those that have no formula. Figures are links.
SentenceText inputLineOf(const Derivation &node) {
    std::vector<SentenceText> inputs;
    for (std::size_t i = 0; i < std::min(maxInputs, node.inputs.size()); ++i) {
        const Derivation &input = node.inputs[i];
        const QString value = titleOf(input) + QLatin1Char(' ') + valueTextOf(input);
        const bool isLeaf = input.inputs.empty() && input.figure.empty();
        const QString from = input.origin == Origin::plan && !input.field.empty()
            ? originTextOf(input) + QLatin1Char(' ') + QString::fromStdString(input.field)
            : originTextOf(input);
        inputs.push_back(said(value, QString::fromStdString(input.figure))
                         + (isLeaf ? QStringLiteral(" (%1)").arg(from) : QString()));
    }
    if (node.inputs.size() > maxInputs)
        inputs.emplace_back(QStringLiteral("and %1 more").arg(node.inputs.size() - maxInputs));
    return joined(inputs, QStringLiteral("; "));
}

/// Value, formula, formula with numbers, inputs and source.
/// @param figure  links to this figure lead to the block
ReportBlock figureBlock(const FigureRef &figure, const QString &longTitle, const Derivation &node) {
    const qreal width = paper::ContentWidth - indent;
    const auto set = [width](const QString &text) {
        return text.isEmpty() ? QStringList() : paperLines(text, width, TypeRole::Caption);
    };
    const QString title = paperElided(longTitle, paper::ContentWidth - valueRoom, TypeRole::Caption);
    const QString value = valueTextOf(node);
    const bool isLeaf = node.formula.empty();
    const QStringList formula = isLeaf ? QStringList() : set(QStringLiteral("= ") + shortened(formulaLineOf(node)));
    const QStringList numbers = isLeaf ? QStringList() : set(QStringLiteral("= ") + shortened(numbersLineOf(node)));
    const SentenceText read = inputLineOf(node);
    const std::vector<SentenceText> inputs =
        read.empty() ? std::vector<SentenceText>() : saidLines(read, width, TypeRole::Caption);
    const QStringList source = set(
        isLeaf ? QStringLiteral("%1 %2").arg(QString::fromStdString(node.source), QString::fromStdString(node.field))
               : QString::fromStdString(node.source));
    const qreal line = Theme::lineHeight(TypeRole::Caption);
    return {.height = line * qreal(1 + formula.size() + numbers.size() + qsizetype(inputs.size()) + source.size()) + 6,
            .paint =
                [=](Paper &paper, qreal x, qreal y) {
                    paper.target(y, figure);
                    paper.text(x, y, title, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold);
                    paper.text(x + paper::ContentWidth, y, value, TypeRole::Caption, ColourRole::Text,
                               TextWeight::SemiBold, Qt::AlignRight);
                    y += line;
                    y += paper.lines(x + indent, y, formula, TypeRole::Caption);
                    y += paper.lines(x + indent, y, numbers, TypeRole::Caption, ColourRole::Text2);
                    y += paper.say(x + indent, y, inputs, TypeRole::Caption, ColourRole::Text2);
                    paper.lines(x + indent, y, source, TypeRole::Caption, ColourRole::Text3);
                },
            .staysWithNext = false};
}

/// All stages have the same formulas, so only those of the stage with peak memory are shown, besides the total of each.
bool isOfOtherStage(const QString &name, int peakStage) {
    constexpr QLatin1String stages("memory_stages_");
    return name.startsWith(stages) && name.mid(stages.size()).section(QLatin1Char('_'), 0, 0).toInt() != peakStage
        && !name.endsWith(QLatin1String("_total_bytes"));
}

/// Figures that the window shows but the report does not.
bool isOfTheWindow(const QString &name) {
    constexpr std::array prefixes{"curves_", "outer_closed_form_", "outer_upkeep_", "outer_quality_",
                                  "outer_stage_a_site_"};
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const char *prefix) { return name.startsWith(QLatin1String(prefix)); });
}

/// The gain of a fix: its figure before and after, each from a full evaluation.
std::optional<Derivation> gainOf(const Fix &fix, const Result &result, const Derivation &tree) {
    const Derivation *const figure = find_figure(tree, fix.figure);
    const auto patch = nlohmann::ordered_json::parse(fix.patch, nullptr, false);
    if (figure == nullptr || !patch.is_object())
        return std::nullopt;
    nlohmann::ordered_json document = to_json(result.plan);
    document.merge_patch(patch);
    const PlanReading changed = read_plan(document, Library::standard());
    if (!changed.valid())
        return std::nullopt;
    const std::optional<double> after = figure_value(evaluate(changed.plan, Depth::numbers), figure->name);
    if (!after)
        return std::nullopt;
    const Labelled with{"after", figure->title + " with " + fix.title, figure->quantity};
    return derived({"gain", "change of " + figure->title + " with " + fix.title, figure->quantity},
                   *after - figure->value, "after - before", "full evaluation of both plans",
                   {published(with, *after, "full evaluation"),
                    reference_to(figure->name, {"before", figure->title, figure->quantity}, figure->value)});
}

/// Adds the derivations of figures in the problems and of the gains of their fixes.
void addProblems(ReportSection &section, const Result &result, const Derivation &tree) {
    QStringList known;
    for (const Diagnostic &diagnostic : result.diagnostics) {
        for (const Sentence *sentence : {&diagnostic.message, &diagnostic.expected})
            for (const Sentence::Figure &figure : sentence->figures) {
                const auto *const name = std::get_if<std::string>(&figure.target);
                if (name == nullptr || !name->starts_with("advice."))
                    continue;
                const QString path = QString::fromStdString(*name);
                const Derivation *node = known.contains(path) ? nullptr : find_figure(tree, *name);
                known << path;
                if (node != nullptr)
                    section.blocks.push_back(figureBlock(path, titleOf(*node), *node));
            }
        for (const Fix &fix : diagnostic.fixes)
            if (const std::optional<Derivation> gain = gainOf(fix, result, tree))
                section.blocks.push_back(figureBlock(
                    FigureRef::gainOf(QString::fromStdString(fix.figure), QString::fromStdString(fix.patch)),
                    titleOf(*gain), *gain));
    }
}

} // namespace

ReportSection formulasSection(const Result &result, const PlanPipeline *executed,
                              const std::vector<ReportDerivation> &more) {
    ReportSection section{
        QStringLiteral("How the figures are calculated"),
        result.memory.stages.size() > 1
            ? QStringLiteral("memory by kind: stage %1, which has the peak").arg(result.memory.peak_stage)
            : QString(),
        {},
        SectionStart::OwnPage};
    const Derivation tree = executed != nullptr ? explain(result, *executed) : explain(result);
    for (const ComboItem &figure : figuresOf(tree)) {
        const Derivation *node = find_figure(tree, figure.id.toStdString());
        if (node != nullptr && !isOfTheWindow(figure.id) && !isOfOtherStage(figure.id, result.memory.peak_stage))
            section.blocks.push_back(figureBlock(figure.id, figure.text, *node));
    }
    for (const Derivation &node : tree.inputs)
        if (node.name.starts_with("pass_")
            || (node.name.starts_with("schedule_") && !node.name.starts_with("schedule_ranks_")))
            section.blocks.push_back(figureBlock(QString::fromStdString(node.name), titleOf(node), node));
    for (const ReportDerivation &derivation : more)
        section.blocks.push_back(figureBlock(derivation.figure, titleOf(derivation.derivation), derivation.derivation));
    addProblems(section, result, tree);
    return section;
}

} // namespace meshwright
