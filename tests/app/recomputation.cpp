// SPDX-License-Identifier: GPL-3.0-or-later
#include "recomputation.h"

#include "core/recomputed.h"
#include "explain/explain.h"
#include "explain/figure_trees.h"
#include "figures/figure_ref.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

namespace meshwright {

namespace {

bool isSame(double again, const Derivation &node) {
    double largest = std::abs(node.value); // the rounding error of a difference is relative to its largest term
    for (const Derivation &input : node.inputs)
        largest = std::max(largest, std::abs(input.value) * 1e-6);
    return std::abs(again - node.value) <= 1e-9 * std::max(largest, 1e-9);
}

} // namespace

Recomputation::Recomputation(WindowFixture &fixture)
    : m_fixture(fixture)
    , m_views(fixture) { }

void Recomputation::expect(const FigureRef &asked) {
    m_asked = m_fixture.window().book().resolved(asked);
    m_figure = m_asked;
    m_found = m_fixture.explained(m_asked);
    if (!m_found) {
        note(m_asked.name(), QStringLiteral("has no derivation"));
        return;
    }
    m_listed = nullptr; // reset, because a new tree may have the address of the previous one
    while (const auto *const growth = m_figure.of<scope::Growth>())
        m_figure = FigureRef(*growth->figure);
    m_isOfView = m_figure.of<scope::Count>() != nullptr;
    const FigureBook::Found kept = m_found; // a copy, because looking up other figures replaces m_found
    if (!refersWithin(m_asked)) {
        expectFigure(*kept.figure, *kept.figure);
        return;
    }
    if (!m_asked.of<scope::Variation>() && m_seen.insert(kept.tree.get()).second) {
        m_kept.push_back(kept.tree);
        expectTree(*kept.tree);
    }
    // All trees of a variation refer to the same plans. The tree of a variation does not contain the varied figure
    // itself, so that figure is checked separately.
    if (m_trees.insert(figureTreeOf(m_asked)).second)
        expectFigure(*kept.figure, *kept.tree);
}

void Recomputation::note(const QString &node, const QString &what) {
    m_wrong << QStringLiteral("%1 of %2: %3").arg(node, m_figure.name().left(90), what);
}

void Recomputation::goTo(const std::shared_ptr<const Result> &result) {
    m_owner = nullptr;
    if (result == nullptr)
        return;
    Owner &owner = m_owners[result.get()];
    if (owner.simulations == nullptr) {
        owner.result = result;
        // The ends of an interval depend on runs similar to the plan before it is varied.
        const auto known =
            m_asked.of<scope::Variation>() && m_found.before != nullptr && m_found.variedPlans.after == nullptr
            ? KnownRuns::standard(m_found.before->plan.own_assumptions())
            : nullptr;
        owner.simulations = std::make_unique<Simulations>(*result, known);
    }
    m_owner = &owner;
}

void Recomputation::expectTree(const Derivation &tree) {
    for (const Derivation &figure : tree.inputs)
        expectFigure(figure, tree);
}

void Recomputation::expectFigure(const Derivation &figure, const Derivation &tree) {
    const auto ownerOf = [this](const QStringList &names) {
        return resultOfNode({m_figure, names}, {m_found.before, m_found.result}, m_found.variedPlans);
    };
    const QString name = QString::fromStdString(figure.name);
    const bool isGain = name.startsWith(QLatin1String("gain_")) || m_asked.of<scope::Growth>() != nullptr;
    goTo(ownerOf({name}));
    if (!isGain) {
        expectNode(figure, tree);
        return;
    }
    ++m_nodes;
    for (const Derivation &side : figure.inputs) {
        goTo(ownerOf({name, QString::fromStdString(side.name)}));
        expectNode(side, tree);
    }
    if (!isSame(testing::recomputed(figure), figure))
        note(name, QStringLiteral("differs from the value given by its plans"));
}

void Recomputation::expectNode(const Derivation &node, const Derivation &tree) {
    ++m_nodes;
    if (!isKnown(node)) {
        const QString name = QString::fromStdString(node.name + " = " + node.formula).left(120);
        const std::optional<double> again = valueAgain(node, tree);
        if (!again)
            note(name, QStringLiteral("cannot be recalculated"));
        else if (!isSame(*again, node))
            note(name, QStringLiteral("is %2, recalculated as %1").arg(*again, 0, 'g', 12).arg(node.value, 0, 'g', 12));
    }
    for (const Derivation &input : node.inputs)
        expectNode(input, tree);
}

/// Whether a node with the same formula, inputs and value was already recomputed. The trees of two changes have most
/// nodes in common.
bool Recomputation::isKnown(const Derivation &node) {
    if (m_isOfView || node.inputs.empty())
        return false;
    std::string said = node.formula + '|' + node.calculator + '|' + node.result;
    const auto say = [&said](const std::string &name, double value) {
        said += '|' + name + '=';
        said.append(reinterpret_cast<const char *>(&value), sizeof value);
    };
    say(node.name, node.value);
    for (const Derivation &input : node.inputs)
        say(input.name, input.value);
    if (node.origin == Origin::simulation && m_owner != nullptr) // simulated values also depend on the plan
        said += std::to_string(reinterpret_cast<std::uintptr_t>(m_owner->result.get()));
    return !m_known.insert(std::hash<std::string>()(said)).second;
}

std::optional<double> Recomputation::valueAgain(const Derivation &node, const Derivation &tree) {
    if (node.inputs.empty() && !node.figure.empty())
        return referred(node, tree);
    if (node.origin == Origin::simulation)
        return simulatedAgain(node, tree);
    return node.inputs.empty() ? node.value : testing::recomputed(node);
}

std::optional<double> Recomputation::simulatedAgain(const Derivation &node, const Derivation &tree) {
    if (m_isOfView) {
        ++m_ofViews;
        return m_views.runAgain(m_figure.name(), tree, node);
    }
    if (m_owner == nullptr || node.inputs.empty())
        return node.value;
    ++(m_owner->result == m_fixture.session().view().result ? m_ofPlans : m_ofOtherPlans);
    return m_owner->simulations->value_of(node);
}

/// Works like find_figure(), but indexes the figures of a tree once: a large tree refers to them thousands of times.
const Derivation *Recomputation::figureOf(const Derivation &tree, const std::string &name) {
    if (m_listed != &tree) {
        m_listed = &tree;
        m_figures.clear();
        for (const Derivation &figure : tree.inputs)
            m_figures.try_emplace(figure.name, &figure);
    }
    const auto found = m_figures.find(name);
    return found != m_figures.end() ? found->second : find_figure(tree, name);
}

/// Returns the value of a figure that is explained in another tree.
std::optional<double> Recomputation::referred(const Derivation &node, const Derivation &tree) {
    if (refersWithin(m_asked)) {
        const Derivation *const figure = figureOf(tree, node.figure);
        return figure != nullptr ? std::optional(figure->value) : std::nullopt;
    }
    const FigureRef figure = referredFrom(m_asked, node.figure);
    const FigureBook::Found found = m_fixture.explained(figure);
    if (found && figure.of<scope::ViewPlan>())
        ++m_ofViews;
    return found ? std::optional(found.figure->value) : std::nullopt;
}

} // namespace meshwright
