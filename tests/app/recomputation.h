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

/// Recomputes every node in the derivations of a window's figures from its inputs.
class Recomputation {
public:
    explicit Recomputation(WindowFixture &fixture);

    /// Records every node whose value differs.
    void expect(const FigureRef &asked);

    const QStringList &wrong() const { return m_wrong; }
    int nodes() const { return m_nodes; }
    int simulationsOfViews() const { return m_ofViews; }
    int simulationsOfPlans() const { return m_ofPlans; }
    int simulationsOfOtherPlans() const { return m_ofOtherPlans; } ///< of changed plans, other schedules and variations

private:
    void note(const QString &node, const QString &what);
    void expectTree(const Derivation &tree);
    /// Checks a figure of the tree, or a view's own figure.
    void expectFigure(const Derivation &figure, const Derivation &tree);
    void expectNode(const Derivation &node, const Derivation &tree);
    bool isKnown(const Derivation &node);
    std::optional<double> valueAgain(const Derivation &node, const Derivation &tree);
    std::optional<double> simulatedAgain(const Derivation &node, const Derivation &tree);
    const Derivation *figureOf(const Derivation &tree, const std::string &name);
    std::optional<double> referred(const Derivation &node, const Derivation &tree);
    /// Switches to the plan that the following nodes belong to.
    void goTo(const std::shared_ptr<const Result> &result);

    /// A result with its simulations.
    struct Owner {
        std::shared_ptr<const Result> result;
        std::unique_ptr<Simulations> simulations;
    };

    WindowFixture &m_fixture;
    ViewProcedures m_views;
    FigureRef m_asked;
    FigureRef m_figure; ///< the requested figure, or the figure that grows in it
    FigureBook::Found m_found;
    bool m_isOfView = false; ///< also if only a part of a view's figure grows
    std::set<FigureRef> m_trees;
    std::unordered_set<const Derivation *> m_seen; ///< trees that several figures share
    std::vector<std::shared_ptr<const Derivation>> m_kept; ///< kept alive so that no address is reused
    QStringList m_wrong;
    int m_nodes = 0;
    int m_ofViews = 0;
    int m_ofPlans = 0;
    int m_ofOtherPlans = 0;
    std::map<const Result *, Owner> m_owners;
    Owner *m_owner = nullptr; ///< null if two plans are varied at once
    std::unordered_set<std::size_t> m_known;
    const Derivation *m_listed = nullptr;
    std::unordered_map<std::string, const Derivation *> m_figures; ///< figures of the indexed tree
};

} // namespace meshwright
