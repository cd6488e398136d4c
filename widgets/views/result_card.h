// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "views/plan_view.h"

namespace meshwright {

class Pill;

/// A card that shows a part of the result. If the result belongs to an earlier plan, the title line says so and the
/// content is dimmed.
class ResultCard : public Card {
    Q_OBJECT

public:
    explicit ResultCard(const QString &title, QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    bool isStale() const { return m_stale; }

protected:
    /// Called only if there is a result.
    virtual void showResult(const Result &result) = 0;
    void setBody(QWidget *body);
    /// Adds a legend next to the title. It is shown while there is a result.
    void addLegend(QWidget *legend);

private:
    void setStale(Freshness freshness);

    Pill *m_note;
    QWidget *m_body = nullptr;
    QWidget *m_legend = nullptr;
    std::shared_ptr<const Result> m_shown;
    bool m_stale = false;
};

} // namespace meshwright
