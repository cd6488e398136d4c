// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/plan_values.h"

#include "explain/derivation_words.h"
#include "explain/formula_syntax.h"
#include "formulas/special_units.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

using Form = FormulaPart::Kind;
/// Which input of a node stands for which symbol.
using Names = std::map<QString, QString>;

/// A formula of fewer operations is too common to be known by its form alone.
constexpr int tellingOperations = 3;
constexpr double sameValue = 1e-9;

/// Walks both in step and notes which name stands for which.
bool sameForm(const FormulaPart &formula, const FormulaPart &node, Names &names) {
    if (formula.kind != node.kind || formula.parts.size() != node.parts.size())
        return false;
    if (formula.kind == Form::Name) {
        const auto [entry, added] = names.emplace(formula.text, node.text);
        return added
            ? std::count_if(names.begin(), names.end(), [&](const auto &each) { return each.second == node.text; }) == 1
            : entry->second == node.text;
    }
    if (formula.kind == Form::Number ? formula.text.toDouble() != node.text.toDouble() : formula.text != node.text)
        return false;
    for (std::size_t i = 0; i < formula.parts.size(); ++i)
        if (!sameForm(formula.parts[i], node.parts[i], names))
            return false;
    return true;
}

int operationsOf(const FormulaPart &part) {
    int count = part.kind == Form::Number || part.kind == Form::Name ? 0 : 1;
    for (const FormulaPart &each : part.parts)
        count += operationsOf(each);
    return count;
}

bool isPlain(Quantity quantity) {
    return quantity == Quantity::number || quantity == Quantity::count || quantity == Quantity::share;
}

bool sameKind(Quantity a, Quantity b) {
    return a == b || (isPlain(a) && isPlain(b));
}

struct PlanWords {
    Q_DECLARE_TR_FUNCTIONS(PlanWords)
};

struct Result {
    const FormulaResult *result;
    FormulaPart form;
    bool telling;
};

class Search {
public:
    Search(const Formula &formula, int most)
        : m_formula(formula)
        , m_most(most) {
        for (const FormulaResult &result : formula.results)
            if (std::optional<FormulaPart> form = readFormula(QString::fromStdString(std::string(result.text))))
                m_results.push_back({&result, *form, operationsOf(*form) >= tellingOperations});
    }

    void walk(const Derivation &node, const Derivation *figure) {
        if (m_found.size() >= m_most)
            return;
        if (!node.formula.empty() && figure != nullptr)
            look(node, *figure);
        for (const Derivation &input : node.inputs)
            walk(input, figure != nullptr ? figure : &input);
    }
    QVector<PlanValues> take() { return std::move(m_found); }

private:
    void look(const Derivation &node, const Derivation &figure) {
        std::optional<FormulaPart> form;
        for (const Result &each : m_results) {
            if (each.result->arguments.size() < node.inputs.size() || !sameKind(each.result->quantity, node.quantity))
                continue;
            if (!form)
                form = readFormula(QString::fromStdString(node.formula));
            Names names;
            if (!form || !sameForm(each.form, *form, names))
                continue;
            if (const std::optional<ArgumentTexts> texts = argumentsOf(node, each, names)) {
                note(node, figure, *texts);
                return;
            }
        }
    }

    std::optional<ArgumentTexts> argumentsOf(const Derivation &node, const Result &result, const Names &names) const {
        ArgumentTexts texts;
        std::vector<double> row;
        bool sameNames = true;
        for (const std::string_view name : result.result->arguments) {
            const Symbol *symbol = m_formula.find_symbol(name);
            const auto found = names.find(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
            const Derivation *input = found != names.end() ? node.find(found->second.toStdString()) : nullptr;
            if (symbol == nullptr || input == nullptr || symbol->is_list
                || !sameKind(symbol->quantity, input->quantity))
                return std::nullopt;
            const double value = input->value / si_of(symbol->quantity, symbol->unit);
            if (value < symbol->low || value > symbol->high)
                return std::nullopt;
            sameNames = sameNames && input->name == name;
            row.push_back(value);
            texts[std::string(name)] = value_text(value, *symbol);
        }
        const double given = result.result->function(row);
        const double wanted = node.value / si_of(result.result->quantity, result.result->unit);
        const bool agrees = std::abs(given - wanted) <= sameValue * std::max(std::abs(given), std::abs(wanted));
        return agrees && (sameNames || result.telling) ? std::optional(texts) : std::nullopt;
    }

    void note(const Derivation &node, const Derivation &figure, const ArgumentTexts &texts) {
        const bool known =
            std::any_of(m_found.cbegin(), m_found.cend(), [&](const PlanValues &each) { return each.texts == texts; });
        if (!known && m_found.size() < m_most)
            m_found.append({titleOf(node), titleOf(figure), valueTextOf(node), texts});
    }

    const Formula &m_formula;
    int m_most;
    std::vector<Result> m_results;
    QVector<PlanValues> m_found;
};

/// Quantities of a plan by their names, as far as a name stands for one value.
class NamedQuantities {
public:
    explicit NamedQuantities(const Derivation &tree) { walk(tree); }

    /// The value for a symbol, in its unit; nothing where the plan has none, several, or one of another kind or range.
    std::optional<double> valueFor(const Symbol &symbol) const {
        const auto found = m_leaves.find(symbol.name);
        if (found == m_leaves.end() || found->second == nullptr || symbol.is_list || !symbol.choices.empty()
            || !sameKind(symbol.quantity, found->second->quantity))
            return std::nullopt;
        const double value = found->second->value / si_of(symbol.quantity, symbol.unit);
        const bool fits = value >= symbol.low && value <= symbol.high && (!symbol.whole || value == std::floor(value));
        return fits ? std::optional(value) : std::nullopt;
    }

private:
    void walk(const Derivation &node) {
        if (node.inputs.empty()) {
            const auto [entry, added] = m_leaves.emplace(node.name, &node);
            if (!added && entry->second != nullptr && entry->second->value != node.value)
                entry->second = nullptr;
        }
        for (const Derivation &input : node.inputs)
            walk(input);
    }

    std::map<std::string, const Derivation *, std::less<>> m_leaves; ///< null where a name has several values
};

std::optional<PlanValues> namedValues(const Derivation &tree, const Formula &formula) {
    const NamedQuantities quantities(tree);
    PlanValues values{.title = PlanWords::tr("What the plan calls the same"),
                      .figure = PlanWords::tr("the plan"),
                      .value = {},
                      .texts = {}};
    QStringList names;
    for (const Symbol &symbol : formula.symbols) {
        if (const std::optional<double> value = quantities.valueFor(symbol)) {
            values.texts[std::string(symbol.name)] = value_text(*value, symbol);
            names << QString::fromStdString(std::string(symbol.name)).replace(QLatin1Char('_'), QLatin1Char(' '));
        }
    }
    values.value = names.join(QStringLiteral(", "));
    return names.isEmpty() ? std::nullopt : std::optional(values);
}

} // namespace

QVector<PlanValues> valuesFromPlan(const Derivation &tree, const Formula &formula, int most) {
    Search search(formula, most);
    search.walk(tree, nullptr);
    QVector<PlanValues> found = search.take();
    if (const std::optional<PlanValues> named = namedValues(tree, formula))
        found.append(*named);
    return found;
}

} // namespace meshwright
