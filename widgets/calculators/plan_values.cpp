// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/plan_values.h"

#include "explain/derivation_text.h"
#include "formulas/special_units.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

bool isPlain(Quantity quantity) {
    return quantity == Quantity::number || quantity == Quantity::count || quantity == Quantity::share;
}

bool sameKind(Quantity a, Quantity b) {
    return a == b || (isPlain(a) && isPlain(b));
}

struct PlanWords {
    Q_DECLARE_TR_FUNCTIONS(PlanWords)
};

class Search {
public:
    Search(const Formula &formula, int limit)
        : m_formula(formula)
        , m_limit(limit) { }

    void walk(const Derivation &node, const Derivation *figure) {
        if (m_found.size() >= m_limit)
            return;
        if (node.calculator == m_formula.id && figure != nullptr)
            if (const std::optional<ArgumentTexts> texts = argumentsOf(node))
                note(node, *figure, *texts);
        for (const Derivation &input : node.inputs)
            walk(input, figure != nullptr ? figure : &input);
    }
    QVector<PlanValues> take() { return std::move(m_found); }

private:
    /// The inputs of a node that uses the formula have the names and units of the formula's symbols.
    std::optional<ArgumentTexts> argumentsOf(const Derivation &node) const {
        ArgumentTexts texts;
        for (const Derivation &input : node.inputs) {
            const Symbol *symbol = m_formula.find_symbol(input.name);
            if (symbol == nullptr || symbol->is_list || input.value < symbol->low || input.value > symbol->high)
                return std::nullopt;
            texts[input.name] = value_text(input.value, *symbol);
        }
        return texts;
    }

    void note(const Derivation &node, const Derivation &figure, const ArgumentTexts &texts) {
        const bool known =
            std::any_of(m_found.cbegin(), m_found.cend(), [&](const PlanValues &each) { return each.texts == texts; });
        if (!known && m_found.size() < m_limit)
            m_found.append({titleOf(node), titleOf(figure), valueTextOf(node), texts, node.value, node.result});
    }

    const Formula &m_formula;
    int m_limit;
    QVector<PlanValues> m_found;
};

/// Leaf quantities of a plan by name, if the name has a single value.
class NamedQuantities {
public:
    explicit NamedQuantities(const Derivation &tree) { walk(tree); }

    /// The value for a symbol, in its unit; nothing if the plan has none or several, or if the value is another
    /// quantity or out of range.
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

    std::map<std::string, const Derivation *, std::less<>> m_leaves; ///< null if a name has several values
};

std::optional<PlanValues> namedValues(const Derivation &tree, const Formula &formula) {
    const NamedQuantities quantities(tree);
    PlanValues values{.title = PlanWords::tr("Matching values from the plan"),
                      .figure = PlanWords::tr("the plan"),
                      .value = {},
                      .texts = {},
                      .number = 0,
                      .result = {}};
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

QVector<PlanValues> valuesFromPlan(const Derivation &tree, const Formula &formula, int limit) {
    Search search(formula, limit);
    search.walk(tree, nullptr);
    QVector<PlanValues> found = search.take();
    if (const std::optional<PlanValues> named = namedValues(tree, formula))
        found.append(*named);
    return found;
}

} // namespace meshwright
