// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/pipeline_card.h"

#include "controls/small_marks.h"
#include "gantt/schedule_panel.h"
#include "gantt/timeline_legend.h"
#include "timeline/timeline_axis.h"

#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {
constexpr int minRows = 96;
} // namespace

PipelineCard::PipelineCard(QWidget *parent)
    : ResultCard(tr("Pipeline"), parent)
    , m_runner(new ScheduleRunner(this))
    , m_axis(new TimelineAxis(this)) {
    setObjectName(QStringLiteral("pipelineCard"));
    auto *open = new LinkButton(tr("open view"), this);
    open->setAccessibleName(tr("Open the Pipeline view"));
    open->setTrailingIcon(QStringLiteral("chevr"));
    addTrailing(open);
    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_panel = new SchedulePanel(m_axis, SchedulePanel::Role::OfThePlan, body);
    m_panel->canvas()->setFixedHeight(minRows);
    m_legend = new TimelineLegend(body);
    column->addWidget(m_panel);
    column->addWidget(m_legend);
    setBody(body);
    connect(open, &QAbstractButton::clicked, this, &PipelineCard::viewWanted);
    connect(m_panel->canvas(), &TimelineCanvas::chosen, this, [this](SpanIndex span) {
        const TimelineModelPointer &model = m_panel->canvas()->model();
        m_panel->chooseMicrobatch(
            span.isValid() ? model->tracks[static_cast<std::size_t>(span.track)].look(span.span).number : -1);
    });
    connect(m_runner, &ScheduleRunner::answered, this, &PipelineCard::receive);
}

void PipelineCard::showResult(const Result &result) {
    setSubtitle(tr("one step, simulated"));
    m_plan = result.plan;
    m_asked = false;
    if (isVisible())
        ask();
}

void PipelineCard::showEvent(QShowEvent *event) {
    ResultCard::showEvent(event);
    ask();
}

void PipelineCard::ask() {
    if (m_asked)
        return;
    m_asked = true;
    m_runner->ask({.plan = m_plan, .compared = {}, .unfolded = {}});
}

void PipelineCard::receive(const std::vector<DrawnSchedule> &schedules) {
    const DrawnSchedule &own = schedules.front();
    if (own.timeline.model != nullptr) {
        m_axis->setWhole({0, std::max(own.timeline.model->whole.end, 1e-9)});
        m_axis->showAll(TimelineAxis::Pace::AtOnce);
        m_legend->setModels({own.timeline.model});
    }
    m_panel->showSchedule(own, {}, nullptr);
    fitRows();
    Q_EMIT drawn(schedules);
}

void PipelineCard::setMaxHeight(int height) {
    m_maxHeight = height;
    fitRows();
}

void PipelineCard::setHeld(bool held) {
    m_held = held;
    fitRows();
}

void PipelineCard::fitRows() {
    if (m_held || m_panel->canvas()->model() == nullptr)
        return;
    const int wanted = std::clamp(m_panel->canvas()->sizeHint().height(), minRows, std::max(minRows, m_maxHeight));
    m_panel->canvas()->setFixedHeight(wanted);
}

} // namespace meshwright
