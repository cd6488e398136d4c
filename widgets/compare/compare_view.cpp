// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_view.h"

#include "compare/causes_card.h"
#include "compare/compare_derivation.h"
#include "compare/compared_bars.h"
#include "compare/fields_model.h"
#include "compare/figures_model.h"
#include "compare/invitation.h"
#include "compare/plan_heads.h"
#include "compare/timelines_card.h"
#include "controls/pill.h"
#include "controls/text_label.h"
#include "controls/toggle_switch.h"
#include "figures/figure_event.h"
#include "input/diagnostic.h"
#include "models/figure_table.h"
#include "theme/theme.h"
#include "views/plan_errors.h"
#include "views/problems_card.h"

#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshwright {

CompareView::CompareView(const Library &library, QWidget *parent)
    : View({.name = QStringLiteral("compareView"),
            .title = tr("Compare"),
            .icon = QStringLiteral("compare"),
            .docks = Docks::Hidden,
            .figures = FigureView::compare},
           parent)
    , m_library(library)
    , m_heads(new PlanHeads(this))
    , m_errors(new PlanErrors(this))
    , m_notes(new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this))
    , m_invitation(new Invitation(this))
    , m_addMenu(new QMenu(tr("&Add Plan"), this))
    , m_tradeOffMenu(new QMenu(tr("&Ready-Made Comparisons"), this))
    , m_scroll(new QScrollArea(this))
    , m_content(new QWidget)
    , m_figures(new ComparedFiguresModel(this))
    , m_fields(new ComparedFieldsModel(this)) {
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(16, 8, 12, 8);
    whole->setSpacing(8);
    whole->addWidget(newToolbar());
    whole->addWidget(m_errors);
    whole->addWidget(m_heads);
    whole->addWidget(m_notes);
    whole->addWidget(m_invitation);
    buildCards();
    whole->addWidget(m_scroll, 1);
    whole->addStretch(0);
    m_notes->setWordWrap(true);
    m_notes->hide();
    showsNoFigures(m_notes, NotFigures::name); // the only digits in the notes are in names such as ZeRO-3 and FP8
    m_late.setSingleShot(true);
    m_late.setInterval(Theme::StaleAfter);
    connectParts();
    m_worker = std::make_unique<LatestWorker<ComparisonQuestion, ComparisonPointer>>(
        this,
        [&library](const ComparisonQuestion &asked, const std::stop_token &stop) {
            return runComparison(asked, library, stop);
        },
        [this](const ComparisonPointer &run) { receive(run); });
    m_drawer = std::make_unique<LatestWorker<ComparisonQuestion, TimelinesAnswer>>(
        this,
        [this](const ComparisonQuestion &asked, const std::stop_token &stop) {
            m_lastTimelines = drawTimelines(asked, m_lastTimelines, stop);
            return m_lastTimelines;
        },
        [this](const TimelinesAnswer &timelines) { receiveTimelines(timelines); });
    m_seeker = std::make_unique<LatestWorker<TradeOffQuestion, TradeOffAnswer>>(
        this,
        [&library](const TradeOffQuestion &asked, const std::stop_token &stop) {
            TradeOffAnswer answer;
            try {
                answer.found = trade_off_plans(asked.which, asked.plan, library, stop);
            } catch (const InputError &error) {
                const Diagnostic &first = error.diagnostics().front();
                answer.problem = QString::fromStdString(first.message.text);
            }
            return answer;
        },
        [this](const TradeOffAnswer &answer) { receiveTradeOff(answer); });
    showHeads();
    showState();
}

ProblemsCard *CompareView::problems() const {
    return m_errors->problems();
}

void CompareView::takeFocus() {
    if (isComparing() && m_run != nullptr)
        m_figuresTable->setFocus();
    else
        m_invitation->button(TradeOff::sharding)->setFocus();
}

bool CompareView::isSettled() const {
    return !m_seeker->isBusy() && (!isComparing() || (m_asked && !m_worker->isBusy() && !m_drawer->isBusy()));
}

void CompareView::showPlan(const PlanView &view) {
    const bool same = m_view.valid == view.valid && m_view.plan == view.plan;
    const bool isAnother = view.result == nullptr && m_view.result != nullptr;
    m_view = view;
    m_errors->showPlan(view, PlanErrors::Below::LastValid);
    m_asked = m_asked && same;
    if (isAnother) {
        m_run = nullptr; // the last comparison belongs to the plan that was open before
        m_worker->cancel();
        m_drawer->cancel();
    }
    showHeads();
    showState();
    if (isVisible())
        refresh();
}

void CompareView::refresh() {
    if (m_view.valid && m_view.result != nullptr && isComparing() && !m_asked)
        ask();
}

ComparisonQuestion CompareView::question() const {
    ComparisonQuestion asked;
    asked.plans.push_back({.name = tr("This plan").toStdString(), .plan = m_view.plan});
    for (const ComparedPlan &other : m_others)
        asked.plans.push_back({.name = other.name.toStdString(), .plan = other.plan});
    return asked;
}

void CompareView::ask() {
    // A hidden view does not compare plans. It starts the comparison when it is shown.
    m_asked = isVisible() && m_view.valid;
    if (!m_asked)
        return;
    const ComparisonQuestion asked = question();
    m_worker->ask(asked);
    m_drawer->ask(asked);
    m_late.start();
}

void CompareView::add(const ComparedPlan &plan) {
    if (m_others.size() >= maxOtherPlans) {
        Q_EMIT noticed(Tone::Warn, tr("This plan is already compared with four others. Remove one to add another."));
        return;
    }
    m_others.append(plan);
    m_asked = false;
    showHeads();
    showState();
    refresh();
}

void CompareView::remove(int plan) {
    if (plan < 1 || plan > m_others.size())
        return;
    m_others.removeAt(plan - 1);
    m_asked = false;
    if (m_others.isEmpty()) {
        m_run = nullptr;
        m_notes->hide();
        m_worker->cancel();
        m_drawer->cancel();
    }
    showHeads();
    showState();
    refresh();
    takeFocus();
}

void CompareView::replace(int plan, const ComparedPlan &by) {
    m_others[plan - 1] = by;
    m_asked = false;
    showHeads();
    showState();
    refresh();
}

void CompareView::openTradeOff(TradeOff which) {
    if (!m_view.valid || m_view.result == nullptr)
        return;
    m_seeking = true;
    m_seeker->ask({.which = which, .plan = m_view.plan});
    showState();
}

void CompareView::receiveTradeOff(const TradeOffAnswer &answer) {
    m_seeking = false;
    QStringList notes;
    for (const std::string &note : answer.found.notes)
        notes << QString::fromStdString(note);
    if (answer.found.plans.empty()) {
        const QString why = answer.problem.isEmpty() ? notes.join(QLatin1Char(' ')) : answer.problem;
        Q_EMIT noticed(Tone::Warn, tr("There is nothing to compare: %1").arg(why));
        showState();
        return;
    }
    m_others.clear();
    for (const NamedPlan &plan : answer.found.plans)
        m_others.append(
            {.name = QString::fromStdString(plan.name), .origin = tr("ready-made comparison"), .plan = plan.plan});
    m_notes->setText(notes.join(QLatin1Char(' ')));
    m_notes->show();
    m_asked = false;
    showHeads();
    showState();
    refresh();
}

void CompareView::receive(const ComparisonPointer &run) {
    m_late.stop();
    if (!isComparing() || (!m_view.valid && m_view.result == nullptr))
        return;
    if (!run->problem.isEmpty()) {
        Q_EMIT noticed(Tone::Bad, tr("These plans cannot be compared: %1").arg(run->problem));
        m_run = nullptr;
    } else {
        m_run = run;
        showRun();
    }
    showHeads();
    showState();
}

void CompareView::receiveTimelines(const TimelinesAnswer &timelines) {
    if (m_run != nullptr && timelines.size() == m_run->comparison.results.size())
        m_timelines->showTimelines(timelines, m_run->comparison);
    else
        m_drawn = timelines; // the headings need figures of the comparison, which finishes later
}

void CompareView::showRun() {
    const PlanComparison &comparison = m_run->comparison;
    m_figures->setComparison(m_run);
    m_fields->setComparison(m_run);
    m_causes->showComparison(m_run);
    m_memory->setView(comparedMemory(comparison));
    m_steps->setView(comparedSteps(comparison));
    const int fields = m_fields->fieldCount();
    m_fieldsCard->setSubtitle(fields == 0       ? tr("none: the plans are the same")
                                  : fields == 1 ? tr("one field")
                                                : tr("%1 fields").arg(fields));
    if (m_drawn.size() == comparison.results.size())
        m_timelines->showTimelines(std::exchange(m_drawn, {}), comparison);
    fitTables();
}

void CompareView::showHeads() {
    QVector<ComparedPlan> plans{{.name = QString::fromStdString(m_view.plan.name), .origin = {}, .plan = m_view.plan}};
    plans += m_others;
    m_heads->showPlans(plans);
    for (int plan = 0; plan < plans.size(); ++plan) {
        const bool known = m_run != nullptr && plan < static_cast<int>(m_run->comparison.results.size())
            && m_run->comparison.results[static_cast<std::size_t>(plan)]->plan == plans[plan].plan;
        const Result *result = known ? m_run->comparison.results[static_cast<std::size_t>(plan)].get()
            : plan == 0              ? m_view.result.get()
                                     : nullptr;
        if (result == nullptr)
            m_heads->head(plan)->setVerdict({}, Tone::Neutral);
        else
            m_heads->head(plan)->setVerdict(result->verdict.fits ? tr("Fits") : tr("Does not fit"),
                                            result->verdict.fits ? Tone::Good : Tone::Bad);
    }
}

void CompareView::showState() {
    const bool shown = isComparing() && m_run != nullptr;
    const bool ready = m_view.valid && m_view.result != nullptr && !m_seeking;
    m_heads->setVisible(isComparing());
    m_scroll->setVisible(shown);
    m_content->setEnabled(m_view.valid);
    m_invitation->setVisible(!isComparing() && m_view.valid);
    m_invitation->setReady(ready);
    m_invitation->setState(m_seeking ? tr("Searching for the plans to compare …") : QString());
    m_ready->setEnabled(ready);
    m_add->setEnabled(m_view.valid && m_others.size() < maxOtherPlans);
    m_only->setVisible(shown);
    m_onlyLabel->setVisible(shown);
    const bool late = isComparing() && !m_late.isActive() && m_worker != nullptr && m_worker->isBusy();
    m_state->setText(m_seeking && isComparing() ? tr("searching") : tr("comparing"));
    m_state->setVisible(late || (m_seeking && isComparing()));
}

std::optional<Derivation> CompareView::derivationOf(const QString &figure) const {
    return m_run == nullptr ? std::nullopt : causeDerivation(figure, m_run->comparison);
}

std::optional<Plan> CompareView::planOf(const QString &name) const {
    for (int plan = 1; plan <= m_others.size(); ++plan)
        if (name == letterOf(plan))
            return m_others[plan - 1].plan;
    return m_run == nullptr ? std::nullopt : causePlan(name, m_run->comparison);
}

void CompareView::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    refresh();
}

void CompareView::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Escape && m_seeking) {
        m_seeker->cancel();
        m_seeking = false;
        showState();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace meshwright
