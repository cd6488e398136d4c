// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "models/latest_worker.h"
#include "search/training_advisor.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <QWidget>

#include <memory>
#include <optional>

class QScrollArea;
class QVBoxLayout;

namespace meshwright {

class TextLabel;

/// Advice on the plan from rules of thumb for distributed training, one card per decision: the rule that applies, the
/// configurations that it suggests, and the gain of each. The first card compares the rules with the search. The last
/// card shows the effect of moving each slider by one stop. The page follows the plan while it is visible.
class AdvicePage : public QWidget {
    Q_OBJECT

public:
    AdvicePage(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    bool isBusy() const { return m_worker.isBusy(); }
    std::optional<Derivation> derivationOf(const QString &figure) const;
    /// Null before the first advice.
    const TrainingAdvice *advice() const { return m_advice.get(); }

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    using AdvicePointer = std::shared_ptr<const TrainingAdvice>;
    void ask();
    void receive(const AdvicePointer &advice);
    void showFreshness();
    void rebuild();
    QWidget *newComparison();
    QWidget *newStep(const AdvisorStep &step, int number);
    QWidget *newSliders();
    QWidget *newSuggestion(const AdvisorOption &way);
    QWidget *newAttempt(const Attempt &attempt, const QString &name);
    void applyEntry(const SearchEntry &entry);

    const Library &m_library;
    QScrollArea *m_scroll;
    TextLabel *m_state;
    QWidget *m_content = nullptr;
    bool m_wide = false;
    PlanView m_view;
    std::optional<Plan> m_asked;
    AdvicePointer m_advice;
    LatestWorker<Plan, AdvicePointer> m_worker;
};

} // namespace meshwright
