// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_view.h"
#include "search/search_runner.h"
#include "theme/roles.h"

#include <QWidget>

class QPushButton;

namespace meshwright {

class FigureSentence;
class IconLabel;
class LayoutSelection;
class TextLabel;

/// What the search has found, in one line beside the plan: how much better, by which changes, and a button that makes
/// them. Says that it looks where the last answer is of another plan; is not there where a plan cannot be searched.
class FoundStrip : public QWidget {
    Q_OBJECT

public:
    explicit FoundStrip(LayoutSelection *selection, QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    void showState(const SearchState &state);
    QString text() const;
    QPushButton *applyButton() const { return m_apply; }
    QPushButton *whyButton() const { return m_why; }

Q_SIGNALS:
    void applyWanted(int row);
    /// Everything that was found is to be seen.
    void whyWanted();
    void figureWanted(const QString &path);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    FigureSentence *newSentence(TypeRole type, ColourRole colour, TextWeight weight);
    void showFound();
    void showNothingYet();
    void showRuns(bool applies);

    LayoutSelection *m_selection;
    IconLabel *m_icon;
    FigureSentence *m_figure;
    TextLabel *m_words;
    FigureSentence *m_changes;
    FigureSentence *m_runs;
    QPushButton *m_apply;
    QPushButton *m_why;
    Plan m_plan;
    bool m_valid = false;
    bool m_running = false;
    Tone m_tone = Tone::Neutral;
};

} // namespace meshwright
