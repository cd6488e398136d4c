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

/// Compares the plan as written with the plan after the minimal changes that meet a deadline. The changes affect the
/// DiLoCo settings and, if the plan does not fit, its memory use. Searches on another thread; the changes are applied
/// as one undo step.
class MinimalChangesCard : public Card {
    Q_OBJECT

public:
    explicit MinimalChangesCard(const Library &library, QWidget *parent = nullptr);

    /// Discards the changes found if the plan differs.
    void showPlan(const PlanView &view);
    bool isSearching() const { return m_search.isBusy(); }
    /// Starts a search, unless its result is known, a search is running, or the plan already meets the deadline.
    void look();
    void apply();
    /// See repairDerivation(); empty until changes are found.
    std::optional<Derivation> derivationOf(const QString &figure) const;

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    /// Summary in one line. @param applies  whether there are changes to apply
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
    std::shared_ptr<const Result> m_result; ///< result of the plan; null until it is available
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
