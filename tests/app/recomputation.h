// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "sensitivity/simulations.h"
#include "view_simulations.h"
#include "window_fixture.h"

#include <QStringList>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace meshwright {

/// Recalculates every node in the derivations of a window's figures from its inputs.
class Recomputation {
public:
    explicit Recomputation(WindowFixture &fixture);

    /// Records the nodes of this figure whose value differs from the recalculated one.
    void expect(const FigureRef &asked);

    const QStringList &wrong() const { return m_wrong; }
    int nodes() const { return m_nodes; }
    int simulationsOfViews() const { return m_ofViews; }
    int simulationsOfPlans() const { return m_ofPlans; }
    /// Number of simulations of changed plans, other schedules and variations.
    int simulationsOfOtherPlans() const { return m_ofOtherPlans; }

private:
    void note(const QString &node, const QString &what);
    void expectTree(const Derivation &tree);
    /// Checks a figure that belongs to the tree or that has a tree of its own.
    void expectFigure(const Derivation &figure, const Derivation &tree);
    void expectNode(const Derivation &node, const Derivation &tree);
    bool isKnown(const Derivation &node);
    std::optional<double> valueAgain(const Derivation &node, const Derivation &tree);
    std::optional<double> simulatedAgain(const Derivation &node, const Derivation &tree);
    const Derivation *figureOf(const Derivation &tree, const std::string &name);
    std::optional<double> referred(const Derivation &node, const Derivation &tree);
    /// Selects the result that the following nodes are recalculated from.
    void goTo(const std::shared_ptr<const Result> &result);

    /// A result with its simulations.
    struct Owner {
        std::shared_ptr<const Result> result;
        std::unique_ptr<Simulations> simulations;
    };

    WindowFixture &m_fixture;
    ViewProcedures m_views;
    FigureRef m_asked;
    FigureRef m_figure; ///< the requested figure, or the figure whose growth is requested
    FigureBook::Found m_found;
    bool m_isOfView = false; ///< whether m_figure is a figure of a view
    std::set<FigureRef> m_trees;
    std::unordered_set<const Derivation *> m_seen; ///< trees with several figures that were already checked
    std::vector<std::shared_ptr<const Derivation>> m_kept; ///< keeps trees alive, so that no two have the same address
    QStringList m_wrong;
    int m_nodes = 0;
    int m_ofViews = 0;
    int m_ofPlans = 0;
    int m_ofOtherPlans = 0;
    std::map<const Result *, Owner> m_owners;
    Owner *m_owner = nullptr; ///< null if two plans are varied at once
    std::unordered_set<std::size_t> m_known;
    const Derivation *m_listed = nullptr;
    std::unordered_map<std::string, const Derivation *> m_figures; ///< figures of the indexed tree, by name
};

} // namespace meshwright
