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

/// Works every node of the derivations of a window's figures out again from its inputs.
class Recomputation {
public:
    explicit Recomputation(WindowFixture &fixture);

    /// Notes what is not so.
    void expect(const FigureRef &asked);

    const QStringList &wrong() const { return m_wrong; }
    int nodes() const { return m_nodes; }
    int simulationsOfViews() const { return m_ofViews; }
    int simulationsOfPlans() const { return m_ofPlans; }
    int simulationsOfOtherPlans() const { return m_ofOtherPlans; } ///< changed ones, schedules, variations

private:
    void note(const QString &node, const QString &what);
    void expectTree(const Derivation &tree);
    /// A figure of the tree, or what is its own.
    void expectFigure(const Derivation &figure, const Derivation &tree);
    void expectNode(const Derivation &node, const Derivation &tree);
    bool isKnown(const Derivation &node);
    std::optional<double> valueAgain(const Derivation &node, const Derivation &tree);
    std::optional<double> simulatedAgain(const Derivation &node, const Derivation &tree);
    const Derivation *figureOf(const Derivation &tree, const std::string &name);
    std::optional<double> referred(const Derivation &node, const Derivation &tree);
    /// Takes the plan that the nodes from here on are of.
    void goTo(const std::shared_ptr<const Result> &result);

    /// A result, and its simulations.
    struct Owner {
        std::shared_ptr<const Result> result;
        std::unique_ptr<Simulations> simulations;
    };

    WindowFixture &m_fixture;
    ViewProcedures m_views;
    FigureRef m_asked;
    FigureRef m_figure; ///< that is asked for, or that grows in it
    FigureBook::Found m_found;
    bool m_isOfView = false; ///< or of what a view's figure comes to where a part of it grows
    std::set<FigureRef> m_trees;
    std::unordered_set<const Derivation *> m_seen; ///< trees that several figures are of
    std::vector<std::shared_ptr<const Derivation>> m_kept; ///< so that none comes to lie where another did
    QStringList m_wrong;
    int m_nodes = 0;
    int m_ofViews = 0;
    int m_ofPlans = 0;
    int m_ofOtherPlans = 0;
    std::map<const Result *, Owner> m_owners;
    Owner *m_owner = nullptr; ///< null where two plans are varied at once
    std::unordered_set<std::size_t> m_known;
    const Derivation *m_listed = nullptr;
    std::unordered_map<std::string, const Derivation *> m_figures; ///< of the tree that is listed
};

} // namespace meshwright
