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

/// The plan walked through the decisions of distributed training: which rule applies, what it names and what the search
/// found instead, what each suggestion would bring, and what one more step of each slider would. Follows the plan while
/// it is in sight.
class AdvicePage : public QWidget {
    Q_OBJECT

public:
    AdvicePage(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    bool isBusy() const { return m_worker.isBusy(); }
    /// How what the comparison says comes about: "advice.gain", "advice.compute".
    std::optional<Derivation> derivationOf(const QString &figure) const;
    /// Null before the first answer.
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
    QWidget *newWay(const AdvisorWay &way);
    QWidget *newAttempt(const Attempt &attempt, const QString &name);
    void applyEntry(const SearchEntry &entry);

    const Library &m_library;
    QScrollArea *m_scroll;
    TextLabel *m_state;
    QWidget *m_content = nullptr;
    bool m_wide = false; ///< laid out in two columns
    PlanView m_view;
    std::optional<Plan> m_asked;
    AdvicePointer m_advice;
    LatestWorker<Plan, AdvicePointer> m_worker;
};

} // namespace meshwright
