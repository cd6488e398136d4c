// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"

#include <QStringList>

#include <vector>

namespace meshwright {

/// Navigation history as in a browser: a new visit from the middle of the history discards everything ahead of it.
class VisitHistory {
public:
    struct Visit {
        FigureRef figure;
        QStringList path = {}; ///< node names from the figure down to the selected node
        bool operator==(const Visit &) const = default;
    };

    void visit(const Visit &visit) {
        if (hasCurrent() && current() == visit)
            return;
        if (hasCurrent())
            m_visits.resize(m_at + 1);
        m_visits.push_back(visit);
        m_at = m_visits.size() - 1;
    }
    /// Changes the selected node of the current visit.
    void moveTo(const QStringList &path) {
        if (hasCurrent())
            m_visits[m_at].path = path;
    }
    bool hasCurrent() const { return !m_visits.empty(); }
    const Visit &current() const { return m_visits[m_at]; }
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_visits.size(); }
    void goBack() { --m_at; }
    void goForward() { ++m_at; }

private:
    std::vector<Visit> m_visits;
    std::size_t m_at = 0;
};

} // namespace meshwright
