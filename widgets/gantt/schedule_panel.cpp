// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/schedule_panel.h"

#include "canvases/axis.h"
#include "controls/pill.h"
#include "controls/text_label.h"
#include "figures/change_tone.h"
#include "figures/figure_text.h"
#include "gantt/figure_line.h"
#include "gantt/operation_card.h"
#include "gantt/schedule_figures.h"
#include "gantt/schedule_names.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

/// Two schedules count as equally fast if their makespans differ by less than this fraction.
constexpr double SameShare = 5e-4;

} // namespace

SchedulePanel::SchedulePanel(TimelineAxis *axis, Role role, QWidget *parent)
    : QWidget(parent)
    , m_role(role)
    , m_figures(new FigureLine(this))
    , m_badge(new Pill({}, Tone::Neutral, this))
    , m_take(new QPushButton(tr("Use"), this))
    , m_close(new QToolButton(this))
    , m_problem(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_canvas(new TimelineCanvas(
          axis, role == Role::OfThePlan ? TimelineCanvas::Ruler::Shown : TimelineCanvas::Ruler::Hidden, this)) {
    auto *heading = new QHBoxLayout;
    heading->setSpacing(8);
    heading->addWidget(m_figures, 1);
    heading->addWidget(m_badge);
    heading->addWidget(m_take);
    heading->addWidget(m_close);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(heading);
    column->addWidget(m_problem);
    column->addWidget(m_canvas, 1);
    m_canvas->setCrowdedRows(CrowdedRows::ScrollParts);
    m_problem->setWordWrap(true);
    m_problem->setContentsMargins(0, 0, 0, 8);
    m_take->setObjectName(QStringLiteral("takeSchedule"));
    m_take->setToolTip(tr("Use this schedule in the plan"));
    m_take->setFixedHeight(22);
    m_close->setIcon(icons::icon(QStringLiteral("close")));
    m_close->setToolTip(tr("Remove from comparison"));
    m_close->setAccessibleName(m_close->toolTip());
    m_close->setFixedSize(22, 22);
    setButtonRole(m_close, ButtonRole::Flat);
    m_take->setVisible(role == Role::Compared);
    m_close->setVisible(role == Role::Compared);
    m_badge->hide();
    connect(m_take, &QPushButton::clicked, this, &SchedulePanel::taken);
    connect(m_close, &QToolButton::clicked, this, &SchedulePanel::putAway);
    m_canvas->setDescribe([this, axis](SpanIndex span) {
        if (m_schedule.run == nullptr || m_schedule.run->pipeline == nullptr)
            return HoverContent{};
        return describeSpan(*m_schedule.run->pipeline, m_schedule.timeline, span, axis->visible(), Theme::of(this));
    });
}

void SchedulePanel::showSchedule(const DrawnSchedule &schedule, const QString &letter, const ScheduleRun *first) {
    const bool redrawn = schedule.timeline.model != m_schedule.timeline.model;
    m_schedule = schedule;
    const bool runs = schedule.run->pipeline != nullptr;
    m_canvas->setVisible(runs);
    m_problem->setVisible(!runs);
    m_problem->setText(schedule.run->problem);
    m_take->setEnabled(runs);
    const QString name = scheduleText(schedule.run->plan.parallelism.schedule);
    m_canvas->setAccessibleName(tr("Timeline of %1").arg(name));
    m_take->setAccessibleName(tr("Use %1").arg(name));
    if (runs && redrawn)
        m_canvas->setModel(schedule.timeline.model);
    showFigures(letter);
    showBadge(first);
    updateGeometry();
}

void SchedulePanel::showFigures(const QString &letter) {
    const ScheduleRun &run = *m_schedule.run;
    QString title = scheduleText(run.plan.parallelism.schedule);
    if (run.plan.parallelism.chunks > 1)
        title += tr(", v = %1").arg(run.plan.parallelism.chunks);
    m_figures->setTitle(letter.isEmpty() ? title : letter + QStringLiteral(" · ") + title);
    if (run.pipeline == nullptr) {
        m_figures->setEntries({});
        m_figures->setExplanation({});
        return;
    }
    m_figures->setEntries(scheduleEntries(run));
    m_figures->setExplanation(bubbleConventions(run));
}

void SchedulePanel::showBadge(const ScheduleRun *first) {
    const ScheduleRun &run = *m_schedule.run;
    if (run.pipeline == nullptr) {
        m_badge->setText(tr("cannot run this plan"));
        m_badge->setTone(Tone::Neutral);
        m_badge->show();
        return;
    }
    QStringList words;
    Tone tone = Tone::Neutral;
    if (m_role == Role::Compared && first != nullptr && first->pipeline != nullptr) {
        const double before = first->pipeline->timeline.makespan;
        const double change = before > 0 ? run.pipeline->timeline.makespan / before - 1 : 0;
        if (std::abs(change) < SameShare) {
            words.append(tr("as fast as A"));
        } else {
            words.append(
                (change < 0 ? tr("%1 faster than A") : tr("%1 slower than A")).arg(shareText(std::abs(change))));
            tone = changeTone(preference_of("pipeline.makespan_seconds", Quantity::seconds), change);
        }
    }
    if (!run.fits()) {
        words.append(tr("does not fit"));
        tone = Tone::Bad;
    }
    m_badge->setText(words.join(QStringLiteral(" · ")));
    m_badge->setTone(tone);
    m_badge->setVisible(!words.isEmpty());
}

void SchedulePanel::chooseMicrobatch(int number) {
    m_canvas->setChosenNumber(number);
    const bool runs = m_schedule.run != nullptr && m_schedule.run->pipeline != nullptr;
    m_canvas->setLinks(number >= 0 && runs ? m_schedule.timeline.chainOf(*m_schedule.run->pipeline, number)
                                           : std::vector<TimelineLink>{});
}

} // namespace meshwright
