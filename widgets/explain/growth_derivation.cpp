// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/growth_derivation.h"

#include "explain/effect.h"
#include "explain/simulation_values.h"

#include <cmath>
#include <span>
#include <string_view>
#include <utility>

namespace meshwright {

namespace {

/// Which nodes of a figure grow: a single node, or every occurrence of a quantity.
struct Growing {
    const Derivation *node;
    const scope::Growth &growth;

    /// @param names  node names from the figure down to the node
    bool contains(const Derivation &each, const QStringList &names) const {
        return growth.everywhere ? !isComputed(each) && isSameInput(each, *node) : names == growth.nodes;
    }
    /// Whether the walk stops at this node: without a formula, its response to larger inputs is unknown.
    bool endsAt(const Derivation &each) const { return growth.everywhere && !isComputed(each); }
};

const Derivation *nodeAt(const Derivation &figure, const QStringList &names) {
    const Derivation *node = names.value(0) == QLatin1String(figure.name.c_str()) ? &figure : nullptr;
    for (qsizetype i = 1; i < names.size() && node != nullptr; ++i)
        node = node->find(names.at(i).toStdString());
    return node;
}

Derivation larger(const Derivation &node) {
    const bool whole = isWhole(node);
    return derived({node.name, node.title, node.quantity}, grownValue(node),
                   whole ? "ceil(present + present / 10)" : "present + present / 10",
                   whole ? "10% more, rounded up to an integer" : "10% more", {named("present", node)});
}

/// @param node  copy of `present`
/// @param names  node names from the figure down to the node
/// @returns whether the node or any of its inputs has grown; unset if the formula of a node has no finite value
std::optional<bool> grow(Derivation &node, const Derivation &present, const Growing &growing, const QStringList &names,
                         SimulationValues *simulations) {
    if (growing.contains(present, names)) {
        node = larger(present);
        return true;
    }
    if (growing.endsAt(present))
        return false;
    bool any = false;
    const std::span<Derivation> inputs = node.inputs.own();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::optional<bool> grown =
            grow(inputs[i], present.inputs[i], growing,
                 names + QStringList(QString::fromStdString(present.inputs[i].name)), simulations);
        if (!grown)
            return std::nullopt;
        any = any || *grown;
    }
    if (!any)
        return false;
    const auto over = [&node] {
        return valueOver(node, [&node](std::string_view name) {
            const Derivation *const input = node.find(name);
            return input == nullptr ? std::nullopt : std::optional(input->value);
        });
    };
    const std::optional<double> value = node.origin != Origin::simulation ? over()
        : simulations != nullptr                                          ? simulations->valueOf(names, node)
                                                                          : std::nullopt;
    if (!value)
        return std::nullopt;
    node.value = *value;
    return true;
}

} // namespace

std::optional<Derivation> growthDerivation(const Derivation &figure, const scope::Growth &growth,
                                           SimulationValues *simulations) {
    const Derivation *const node = nodeAt(figure, growth.nodes);
    if (node == nullptr || node == &figure)
        return std::nullopt;
    Derivation after = figure;
    const std::optional<bool> any =
        grow(after, figure, {node, growth}, {QString::fromStdString(figure.name)}, simulations);
    if (!any || !*any)
        return std::nullopt;
    // A figure of 0 has no relative change.
    const bool isShare = figure.value != 0;
    const double change = after.value - figure.value;
    return derived({"effect", "change of " + figure.title + " if this grows by 10%: " + node->title,
                    isShare ? Quantity::share : figure.quantity},
                   isShare ? change / std::abs(figure.value) : change,
                   isShare ? "(after - before) / abs(before)" : "after - before",
                   "the same derivation with one quantity 10% larger",
                   {named("after", std::move(after)), named("before", figure)});
}

} // namespace meshwright
