// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "evaluate/result.h"
#include "gantt/pipeline_timeline.h"
#include "gantt/schedule_run.h"
#include "lessons/lesson.h"
#include "models/latest_worker.h"
#include "plots/plot.h"
#include "sites/sites_timeline.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QPushButton;

namespace meshwright {

class InputError;
class Legend;
class Library;
class MemoryBars;
class StepBar;
class TextLabel;
class TimelineAxis;
class TimelineCanvas;
class TimelineLegend;
class XyChart;

/// The figure next to a step: the lesson's plan on the planner's canvases, a formula's curve, an animation, or a plot.
/// The reader may change the plan fields that the lesson names. Evaluates on another thread.
class LessonFigureCard : public Card {
    Q_OBJECT

public:
    /// @param library  must outlive this card
    explicit LessonFigureCard(const Library &library, QWidget *parent = nullptr);
    ~LessonFigureCard() override;

    void showFigure(const Lesson &lesson, const LessonFigure &figure);
    /// The lesson's plan with the settings of the figure and of the reader; null without a plan.
    const nlohmann::ordered_json &document() const { return m_document; }
    /// Marks one of parts_of_figure() until another figure is shown. If empty, nothing is marked.
    void mark(const std::string &part);
    bool isSettled() const { return m_worker == nullptr || !m_worker->isBusy(); }
    QString problem() const;

Q_SIGNALS:
    /// Emitted when the user asks to open the lesson's plan in the window.
    void planWanted(const nlohmann::ordered_json &document, const QString &name);

private:
    struct Question {
        std::string kind;
        nlohmann::ordered_json document;
    };
    struct Answer {
        QString problem;
        std::shared_ptr<const Result> result;
        std::shared_ptr<const ScheduleRun> run;
        PipelineTimeline pipeline;
        SitesRunPointer sites;
        SitesTimeline site_rows;
        std::shared_ptr<const Plot> plot;
    };

    Answer answer(const Question &question, const std::stop_token &stop) const;
    void receive(const Answer &answer);
    void refuse(const InputError &error);
    void addTurns(const Lesson &lesson);
    void ask();
    void showCurve();
    void showPicture();
    void showPart(QWidget *part);
    void showMark();
    void showOverflow();

    const Library &m_library;
    LessonFigure m_figure;
    nlohmann::ordered_json m_plan;
    nlohmann::ordered_json m_document;
    QString m_name;
    std::string m_mark;
    Answer m_answer;
    QWidget *m_turnRow;
    QHBoxLayout *m_turns;
    std::vector<QComboBox *> m_choices;
    TextLabel *m_problem;
    TextLabel *m_overflow; ///< states that the plan does not fit
    TextLabel *m_caption;
    QWidget *m_timelines;
    TimelineAxis *m_axis;
    TimelineCanvas *m_canvas;
    TimelineLegend *m_legend;
    MemoryBars *m_memory;
    StepBar *m_steps;
    Legend *m_kinds; ///< legend of the bar segments that are too short for their names
    XyChart *m_curve;
    QWidget *m_picture = nullptr;
    QPushButton *m_open;
    std::unique_ptr<LatestWorker<Question, Answer>> m_worker; ///< last member, so that its thread ends first
};

} // namespace meshwright
