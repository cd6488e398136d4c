// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/search_runner.h"
#include "theme/roles.h"
#include "views/plan_view.h"

#include <QWidget>

class QPushButton;

namespace meshwright {

class FigureSentence;
class IconLabel;
class ConfigurationSelection;
class TextLabel;
struct FoundText;

/// One line next to the plan with what the search found: the gain, the necessary changes, and a button to apply them.
/// The strip is always visible and never changes its height, so that nothing below it moves. Until the search has an
/// answer for the current plan, the last one stays, tinted.
class FoundStrip : public QWidget {
    Q_OBJECT

public:
    explicit FoundStrip(ConfigurationSelection *selection, QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    QString text() const;
    bool isStale() const { return m_stale; }
    QPushButton *applyButton() const { return m_apply; }
    QPushButton *whyButton() const { return m_why; }

Q_SIGNALS:
    void applyWanted(int row);
    /// The user asks why, which all results of the search answer.
    void whyWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    FigureSentence *newSentence(TypeRole type, ColourRole colour, TextWeight weight);
    void placeParts();
    void keepHeight();
    void showFound();
    void say(const FoundText &found);
    void sayOnly(const QString &words);
    void showRuns(const FoundText &found);
    void setStale(bool stale);

    ConfigurationSelection *m_selection;
    IconLabel *m_icon;
    TextLabel *m_lead;
    FigureSentence *m_figure;
    TextLabel *m_words;
    FigureSentence *m_changes;
    FigureSentence *m_runs;
    QPushButton *m_apply;
    QPushButton *m_why;
    Plan m_plan;
    bool m_valid = false;
    bool m_stale = false;
    bool m_said = false; ///< whether the text is an answer of the search
    Tone m_tone = Tone::Neutral;
};

} // namespace meshwright
