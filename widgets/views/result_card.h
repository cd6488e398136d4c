// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "views/plan_view.h"

namespace meshwright {

class Pill;

/// A card that shows a part of the result and says when that is not the present plan's: a note in the title line, and
/// the content dimmed.
class ResultCard : public Card {
    Q_OBJECT

public:
    explicit ResultCard(const QString &title, QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    bool isStale() const { return m_stale; }

protected:
    /// Only called with a result.
    virtual void showResult(const Result &result) = 0;
    /// What is dimmed while stale.
    void setBody(QWidget *body);
    /// Beside the title, while there is a result.
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
