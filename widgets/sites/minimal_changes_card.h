// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "figures/figure_ref.h"
#include "formulas/derivation.h"
#include "models/latest_worker.h"
#include "search/outer_search.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <memory>
#include <vector>

class QGridLayout;
class QPushButton;

namespace meshwright {

class Library;
class FigureLabel;
class FigureSentence;
class TextLabel;
class UnitSpinBox;

/// The plan as written beside the plan made to work: the least changes of its outer loop, and of what does not fit,
/// with which it ends in so many days. They are looked for on another thread and applied as one step.
class MinimalChangesCard : public Card {
    Q_OBJECT

public:
    explicit MinimalChangesCard(const Library &library, QWidget *parent = nullptr);

    /// A plan that differs from the one looked at drops what was found.
    void showPlan(const PlanView &view);
    bool isSearching() const { return m_search.isBusy(); }
    /// Looks for what ends in time, unless that is known or under way, or the plan itself ends in time.
    void look();
    void apply();
    /// See repairDerivation(); nothing before anything was found.
    std::optional<Derivation> derivationOf(const QString &figure) const;

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    /// What was found, in one line. @param applies  whether there is something to apply
    void summarised(const meshwright::SentenceText &words, bool applies);

private:
    struct Question {
        Plan plan;
        double days = 0;
    };
    struct Answer {
        Result before;
        std::optional<OuterRepair> repair;
    };
    using AnswerPointer = std::shared_ptr<const Answer>;

    void find();
    void receive(const AnswerPointer &answer);
    void showTable(const Result &before, const Result &after);
    void setRow(int row, const QString &name, const QString &before, const QString &after, const FigureRef &figure);
    void forget();
    void summarise();
    bool canSearch() const;

    Plan m_plan;
    std::shared_ptr<const Result> m_result; ///< of the plan; null where it is not there yet
    bool m_valid = false;
    AnswerPointer m_answer;
    UnitSpinBox *m_days;
    QPushButton *m_find;
    QPushButton *m_apply;
    FigureSentence *m_words;
    QWidget *m_table;
    QGridLayout *m_grid;
    struct Row {
        TextLabel *name = nullptr;
        FigureLabel *before = nullptr;
        FigureLabel *after = nullptr;
    };
    std::vector<Row> m_rows;
    LatestWorker<Question, AnswerPointer> m_search;
};

} // namespace meshwright
