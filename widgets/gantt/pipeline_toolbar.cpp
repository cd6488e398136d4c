// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/pipeline_toolbar.h"

#include "controls/choice_box.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "controls/toggle_switch.h"
#include "figures/figure_sentence.h"
#include "gantt/schedule_names.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QIntValidator>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace meshwright {
namespace {

constexpr int FieldWidth = 176;
constexpr int FindWidth = 156;
constexpr int ButtonSide = 28;
constexpr int WordsFrom = 1180; ///< toolbar width below which the labels of the switches are hidden
constexpr int SummaryFrom = 1360;
constexpr int MaxMicrobatch = 9'999'999;

} // namespace

PipelineToolbar::PipelineToolbar(QWidget *parent)
    : QWidget(parent)
    , m_summary(new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_schedule(new ChoiceBox(this))
    , m_compare(new QPushButton(tr("Compare with"), this))
    , m_comparison(new QMenu(this))
    , m_streams(new Segmented(this))
    , m_critical(new ToggleSwitch(tr("Critical path"), this))
    , m_memory(new ToggleSwitch(tr("Memory"), this))
    , m_play(addTool(QStringLiteral("play"), tr("Play"), QKeySequence(Qt::Key_P)))
    , m_step(addTool(QStringLiteral("step"), tr("Step"), QKeySequence(Qt::Key_Period)))
    , m_stepBack(addTool({}, tr("Step Back"), QKeySequence(Qt::Key_Comma)))
    , m_measure(addTool(QStringLiteral("ruler"), tr("Measure"), QKeySequence(Qt::Key_M)))
    , m_fitChosen(addTool({}, tr("Fit Selection"), QKeySequence(Qt::Key_F)))
    , m_fitAll(addTool(QStringLiteral("fit"), tr("Fit All"), QKeySequence(Qt::Key_0)))
    , m_find(new QLineEdit(this)) {
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_summary, 0, Qt::AlignVCenter);
    m_schedule->setObjectName(QStringLiteral("pipelineSchedule"));
    m_schedule->addItems(scheduleTexts());
    m_schedule->setFixedWidth(FieldWidth);
    m_schedule->setAccessibleName(tr("Pipeline schedule"));
    m_schedule->setToolTip(m_schedule->accessibleName());
    row->addWidget(m_schedule);
    m_compare->setObjectName(QStringLiteral("compareSchedules"));
    m_compare->setMenu(m_comparison);
    m_compare->setIcon(icons::icon(QStringLiteral("plus")));
    row->addWidget(m_compare);
    row->addStretch(1);
    m_streams->addSegment(tr("Compute"));
    m_streams->addSegment(tr("All streams"), tr("Also show P2P, TP, EP and DP communication of every rank"));
    m_streams->setAccessibleName(tr("Streams"));
    row->addWidget(m_streams);
    for (ToggleSwitch *toggle : {m_critical, m_memory}) {
        auto *word = new TextLabel(toggle->text(), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
        row->addWidget(toggle);
        row->addWidget(word);
        m_words.push_back(word);
    }
    m_critical->setToolTip(tr("Critical path: underline the chain of operations that sets the makespan"));
    m_memory->setToolTip(tr("Memory: show each rank's memory under the timeline"));
    m_critical->setObjectName(QStringLiteral("criticalPath"));
    m_memory->setObjectName(QStringLiteral("memoryCurvesShown"));
    m_measure->setCheckable(true);
    for (QAction *action : {m_play, m_step, m_measure, m_fitAll})
        addButton(row, action);
    m_find->setObjectName(QStringLiteral("findMicrobatch"));
    m_find->setPlaceholderText(tr("Find microbatch"));
    m_find->setAccessibleName(tr("Find a microbatch by number"));
    m_find->setClearButtonEnabled(true);
    m_find->setValidator(new QIntValidator(0, MaxMicrobatch, m_find));
    m_find->setFixedWidth(FindWidth);
    m_find->addAction(icons::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    row->addWidget(m_find);
    fillComparison();
    connect(m_schedule, &QComboBox::activated, this,
            [this](int index) { Q_EMIT scheduleChosen(static_cast<Schedule>(index)); });
    connect(m_streams, &Segmented::chosen, this, [this](int index) { Q_EMIT allStreamsChosen(index == 1); });
    connect(m_critical, &QAbstractButton::toggled, this, &PipelineToolbar::criticalPathToggled);
    connect(m_memory, &QAbstractButton::toggled, this, &PipelineToolbar::memoryToggled);
    connect(m_play, &QAction::triggered, this, &PipelineToolbar::playWanted);
    connect(m_step, &QAction::triggered, this, &PipelineToolbar::stepWanted);
    connect(m_stepBack, &QAction::triggered, this, &PipelineToolbar::stepBackWanted);
    connect(m_measure, &QAction::toggled, this, &PipelineToolbar::measuringToggled);
    connect(m_fitChosen, &QAction::triggered, this, &PipelineToolbar::fitChosenWanted);
    connect(m_fitAll, &QAction::triggered, this, &PipelineToolbar::fitAllWanted);
    connect(m_find, &QLineEdit::textEdited, this, [this] { readFind(false); });
    connect(m_find, &QLineEdit::returnPressed, this, [this] { readFind(true); });
    m_memory->setChecked(true);
}

QAction *PipelineToolbar::addTool(const QString &icon, const QString &text, const QKeySequence &keys) {
    auto *action = new QAction(text, this);
    if (!icon.isEmpty())
        action->setIcon(icons::icon(icon));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(tr("%1 (%2)").arg(text, keys.toString(QKeySequence::NativeText)));
    return action;
}

QList<QAction *> PipelineToolbar::tools() const {
    return {m_play, m_step, m_stepBack, m_measure, m_fitChosen, m_fitAll};
}

void PipelineToolbar::addButton(QHBoxLayout *row, QAction *action) {
    auto *button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setFixedSize(ButtonSide, ButtonSide);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action->text());
    setButtonRole(button, ButtonRole::Flat);
    row->addWidget(button);
}

void PipelineToolbar::fillComparison() {
    const QStringList texts = scheduleTexts();
    for (int i = 0; i < texts.size(); ++i) {
        QAction *action = m_comparison->addAction(texts[i]);
        action->setCheckable(true);
        action->setData(i);
        connect(action, &QAction::triggered, this, [this] {
            std::vector<Schedule> chosen;
            for (const QAction *each : m_comparison->actions())
                if (each->isChecked() && each->isEnabled())
                    chosen.push_back(static_cast<Schedule>(each->data().toInt()));
            Q_EMIT comparedChosen(chosen);
        });
    }
}

void PipelineToolbar::showPlan(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    std::vector<SentenceText> degrees{said(tr("TP %1").arg(parallelism.tensor), PlanField("/parallelism/tensor"))};
    if (parallelism.context > 1)
        degrees.push_back(said(tr("CP %1").arg(parallelism.context), PlanField("/parallelism/context")));
    degrees.push_back(said(tr("PP %1").arg(parallelism.pipeline), PlanField("/parallelism/pipeline")));
    degrees.push_back(said(tr("DP %1").arg(parallelism.data), PlanField("/parallelism/data")));
    degrees.push_back(
        said(plan.microbatches() == 1 ? tr("1 microbatch") : tr("%1 microbatches").arg(plan.microbatches()),
             "microbatches"));
    m_summary->setSentence(joined(degrees, QStringLiteral(" · ")));
    m_schedule->setCurrentIndex(static_cast<int>(parallelism.schedule));
    for (QAction *action : m_comparison->actions())
        action->setEnabled(action->data().toInt() != static_cast<int>(parallelism.schedule));
}

void PipelineToolbar::setCompared(const std::vector<Schedule> &schedules) {
    for (QAction *action : m_comparison->actions())
        action->setChecked(std::find(schedules.begin(), schedules.end(), static_cast<Schedule>(action->data().toInt()))
                           != schedules.end());
}

void PipelineToolbar::setPlaying(bool playing) {
    m_play->setText(playing ? tr("Pause") : tr("Play"));
    m_play->setIcon(icons::icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
}

void PipelineToolbar::setMicrobatch(int number) {
    if (!m_find->hasFocus())
        m_find->setText(number >= 0 ? QString::number(number) : QString());
}

void PipelineToolbar::readFind(bool fit) {
    bool isNumber = false;
    const int number = m_find->text().toInt(&isNumber);
    Q_EMIT microbatchWanted(isNumber ? number : -1, fit);
}

void PipelineToolbar::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    for (QWidget *word : m_words)
        word->setVisible(width() >= WordsFrom);
    m_summary->setVisible(width() >= SummaryFrom);
}

} // namespace meshwright
