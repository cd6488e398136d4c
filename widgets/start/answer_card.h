// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "figures/figure_ref.h"
#include "quantities/text.h"
#include "start/answer_text.h"
#include "start/first_plan_runner.h"

#include <array>
#include <optional>

class QPushButton;

namespace meshwright {

class FigureLabel;
class FigureSentence;
class MemoryBars;
class Pill;
class TextLabel;

/// The best plan for the answers given: its key figures, why it is the best, and a button that opens it. If nothing
/// fits, the card suggests other answers with which a plan fits.
class AnswerCard : public Card {
    Q_OBJECT

public:
    explicit AnswerCard(const Library &library, QWidget *parent = nullptr);

    /// Shows that a search is running.
    void setSearching(bool searching);
    void showAnswer(const FirstPlanPointer &answer);
    const FirstPlanPointer &answer() const { return m_answer; }
    bool isStale() const { return m_searching; }
    QPushButton *openButton() const { return m_open; }
    QPushButton *remedyButton() const { return m_remedy; }
    QString why() const;

    /// The plan that FigureRef::ofPlan() calls `name`. Returns nothing if it belongs to an earlier answer.
    std::optional<Plan> planOf(const QString &name) const;

Q_SIGNALS:
    void openWanted();
    /// Emitted when the user asks to search with these answers instead.
    void requestWanted(const meshwright::PlanRequest &request);

private:
    struct KeyFact {
        TextLabel *name;
        FigureLabel *value;
    };
    KeyFact addFact(const QString &name);
    void showPlan();
    void showNothing();
    void showFact(KeyFact &fact, double value, Quantity quantity, const QString &figure);
    AnswerNames names() const;

    const Library &m_library;
    FirstPlanPointer m_answer;
    int m_number = 0; ///< number of the answer, which distinguishes its figures from those of earlier answers
    bool m_searching = false;
    QWidget *m_body;
    Pill *m_verdict;
    TextLabel *m_hint;
    TextLabel *m_configuration;
    QWidget *m_facts;
    KeyFact m_step{};
    KeyFact m_mfu{};
    KeyFact m_run{};
    KeyFact m_cost{};
    MemoryBars *m_bars;
    FigureSentence *m_best;
    FigureSentence *m_next;
    QPushButton *m_open;
    QPushButton *m_remedy;
    std::optional<PlanRequest> m_remedyRequest;
};

} // namespace meshwright
