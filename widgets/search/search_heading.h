// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "search/search_runner.h"
#include "theme/roles.h"

class QBoxLayout;
class QGridLayout;
class QHBoxLayout;
class QPushButton;

namespace meshwright {

class FigureSentence;
class FunnelBar;
class ConfigurationSelection;
class Pill;
class Segmented;
class TextLabel;
struct FoundText;

/// Heading of the search results: the result in a sentence or the gain of the selected configuration, the search
/// funnel, and the choice of the objective.
class SearchHeading : public Card {
    Q_OBJECT

public:
    explicit SearchHeading(ConfigurationSelection *selection, QWidget *parent = nullptr);

    void showState(const SearchState &state);
    /// Marks the answer as that of an earlier plan. @param invalid  whether the current plan cannot be evaluated
    void setStale(bool stale, bool invalid);
    Objective objective() const;
    QString headline() const;
    QString changes() const;
    QPushButton *applyButton() const { return m_apply; }
    QPushButton *cancelButton() const { return m_cancel; }

Q_SIGNALS:
    void objectiveChosen(meshwright::Objective objective);
    void applyWanted(int row);
    void widerWanted(meshwright::SearchOption option);
    void cancelWanted();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    static QString endText(SearchEnd end);
    QWidget *newFound();
    QWidget *newObjective();
    void placeParts();
    void showAnswer();
    void showWider();
    void say(const FoundText &found);
    FigureSentence *newLine(TypeRole type, ColourRole colour, TextWeight weight, QWidget *parent);

    ConfigurationSelection *m_selection;
    QGridLayout *m_parts;
    QWidget *m_found = nullptr;
    QWidget *m_chosenObjective = nullptr;
    TextLabel *m_lead = nullptr;
    FigureSentence *m_figure = nullptr;
    TextLabel *m_words = nullptr;
    Pill *m_note = nullptr;
    FigureSentence *m_caution = nullptr; ///< reason why the plan's software cannot run the configuration
    FigureSentence *m_changes = nullptr;
    FigureSentence *m_why = nullptr;
    FigureSentence *m_plan = nullptr; ///< why the current plan is not ranked
    QPushButton *m_apply = nullptr;
    QPushButton *m_back = nullptr;
    QWidget *m_wider = nullptr;
    QGridLayout *m_widerRows = nullptr;
    FunnelBar *m_funnel;
    Segmented *m_objective = nullptr;
    FigureSentence *m_progress = nullptr;
    QPushButton *m_cancel = nullptr;
    SearchState m_state;
};

} // namespace meshwright
