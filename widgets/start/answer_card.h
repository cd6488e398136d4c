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

/// The best plan of the answers given: what it reaches, why it is this one, and the button that opens it. Where nothing
/// fits, what would.
class AnswerCard : public Card {
    Q_OBJECT

public:
    explicit AnswerCard(const Library &library, QWidget *parent = nullptr);

    /// A new answer is on its way: the old one is tinted until it comes.
    void setSearching(bool searching);
    void showAnswer(const FirstPlanPointer &answer);
    const FirstPlanPointer &answer() const { return m_answer; }
    bool isStale() const { return m_searching; }
    QPushButton *openButton() const { return m_open; }
    QPushButton *remedyButton() const { return m_remedy; }
    QString why() const;

    /// A plan that FigureRef::ofPlan() names by `name`; nothing for another answer's.
    std::optional<Plan> planOf(const QString &name) const;

Q_SIGNALS:
    void openWanted();
    /// The answers that would do instead.
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
    int m_number = 0; ///< of the answer, so that no figure of an old one is taken for this one's
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
