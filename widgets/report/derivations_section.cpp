// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "explain/derivation_text.h"
#include "explain/explain.h"
#include "narrative/paragraph.h"
#include "plan/plan_json.h"
#include "report/report_sections.h"
#include "sensitivity/sensitivity.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace meshwright {
namespace {

constexpr qsizetype maxFormulaLength = 240; ///< maximum length of a formula with numbers; longer sums are cut off
constexpr std::size_t maxInputs = 5;

QString shortened(const QString &text) {
    return text.size() <= maxFormulaLength ? text : text.left(maxFormulaLength) + QChar(0x2026);
}

/// The inputs of a formula with their values. Inputs without a formula are followed by their origin in
/// parentheses. Inputs that are figures are links.
SentenceText inputsOf(const Derivation &node) {
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

DerivationPart partOf(const FigureRef &figure, const Derivation &node, const Result &result) {
    DerivationPart part{.targets = {figure},
                        .title = titleOf(node),
                        .value = valueTextOf(node),
                        .paragraph = QString::fromStdString(paragraph_about(node, result)),
                        .formula = {},
                        .numbers = {},
                        .inputs = inputsOf(node),
                        .source = capitalised(QString::fromStdString(node.source)).text};
    if (part.source == QLatin1String("Definition")) // "Definition" says no more than the formula
        part.source.clear();
    if (hasFormula(node)) {
        part.formula = QStringLiteral("= ") + shortened(formulaLineOf(node));
        part.numbers = QStringLiteral("= ") + shortened(numbersLineOf(node));
    } else if (!node.field.empty()) {
        part.source = QString(part.source + QLatin1Char(' ') + QString::fromStdString(node.field)).trimmed();
    }
    return part;
}

/// The gain of a fix: the figure before and after the fix, each from a full evaluation.
std::optional<Derivation> gainOf(const QString &path, const QString &patch, const ReportData &data) {
    const Derivation *const figure = find_figure(data.derivations, path.toStdString());
    const auto change = nlohmann::ordered_json::parse(patch.toStdString(), nullptr, false);
    if (figure == nullptr || !change.is_object())
        return std::nullopt;
    nlohmann::ordered_json document = to_json(data.plan());
    document.merge_patch(change);
    const PlanReading changed = read_plan(document, Library::standard());
    if (!changed.valid())
        return std::nullopt;
    const std::optional<double> after = figure_value(evaluate(changed.plan, Depth::numbers), figure->name);
    if (!after)
        return std::nullopt;
    return derived({"gain", "change of " + figure->title + " with this fix", figure->quantity}, *after - figure->value,
                   "after - before", "full evaluation of both plans",
                   {published({"after", figure->title + " with the fix", figure->quantity}, *after, "full evaluation"),
                    reference_to(figure->name, {"before", figure->title, figure->quantity}, figure->value)});
}

std::optional<Derivation> derivationOf(const FigureRef &figure, const ReportData &data) {
    if (const auto *const change = figure.of<scope::Change>())
        return gainOf(figure.name(), change->patch, data);
    if (figure.of<scope::Result>() == nullptr)
        return std::nullopt;
    const Derivation *const node = find_figure(data.derivations, figure.name().toStdString());
    return node != nullptr ? std::optional(*node) : std::nullopt;
}

} // namespace

ReportSection derivationsSection(const ReportDataPointer &data, const std::vector<ReportPart> &shown) {
    ReportSection section{ReportChapter::derivations,
                          titleOf(ReportChapter::derivations),
                          QStringLiteral("formula, numbers, inputs, source"),
                          {}};
    std::set<FigureRef> known;
    for (const ReportPart &part : shown)
        for (const SentenceText &statement : statementsOf(part))
            for (const SentenceText::Figure &said : statement.figures) {
                const FigureRef figure = figureOf(said.target);
                const FigureRef key = figure.named(QString::fromStdString(identifier(figure.name().toStdString())));
                if (figure.isEmpty() || !known.insert(key).second)
                    continue;
                if (const std::optional<Derivation> node = derivationOf(figure, *data))
                    section.parts.emplace_back(partOf(figure, *node, data->result()));
            }
    return section;
}

} // namespace meshwright
