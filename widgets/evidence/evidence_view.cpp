// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_view.h"

#include "catalog/library.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "controls/toggle_switch.h"
#include "evidence/accuracy_strip.h"
#include "evidence/assumption.h"
#include "evidence/assumptions_model.h"
#include "evidence/assumptions_page.h"
#include "evidence/calibrate_page.h"
#include "evidence/evidence_derivation.h"
#include "evidence/prediction_derivation.h"
#include "evidence/run_document.h"
#include "evidence/runs_page.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "theme/icon.h"
#include "theme/theme.h"
#include "views/plan_errors.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace meshwright {

namespace {
constexpr int filterWidth = 220;
constexpr int metricGap = 32;

std::string nameOf(const MeasuredRun &run) {
    return runName(run).toStdString() + " (" + run.id + ")";
}

std::shared_ptr<const EvidenceTable> tableOf(const EvidenceSetPointer &set) {
    return set != nullptr ? set->table : EvidenceTable::standard();
}

} // namespace

EvidenceView::EvidenceView(QWidget *parent)
    : View({.name = QStringLiteral("evidenceView"),
            .title = tr("Evidence"),
            .icon = QStringLiteral("evidence"),
            .docks = Docks::Hidden,
            .figures = FigureView::evidence},
           parent)
    , m_runner(new EvidenceRunner(this))
    , m_pages(new Segmented(this))
    , m_metric(new Segmented(this))
    , m_filter(new QLineEdit(this))
    , m_near(new ToggleSwitch(tr("Runs like mine"), this))
    , m_add(new QPushButton(tr("Add CSV"), this))
    , m_files(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_errors(new PlanErrors(this))
    , m_accuracy(new AccuracyStrip(this))
    , m_stack(new QStackedWidget(this))
    , m_runs(new RunsPage(m_stack))
    , m_assumptions(new AssumptionsPage(m_stack))
    , m_calibrate(new CalibratePage(m_stack)) {
    setFocusPolicy(Qt::StrongFocus);
    m_stack->addWidget(m_runs);
    m_stack->addWidget(m_assumptions);
    m_stack->addWidget(m_calibrate);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(16, 12, 16, 16);
    whole->setSpacing(12);
    whole->addWidget(newToolbar());
    whole->addWidget(m_errors);
    whole->addWidget(m_accuracy);
    whole->addWidget(m_stack, 1);
    connect(m_runner, &EvidenceRunner::answered, this, &EvidenceView::receive);
    connect(m_runs, &RunsPage::rowChosen, this, &EvidenceView::openRow);
    connect(m_runs, &RunsPage::sliceChanged, this, &EvidenceView::showAccuracy);
    connect(m_runs, &RunsPage::sourceChosen, m_filter, &QLineEdit::setText);
    connect(m_assumptions, &AssumptionsPage::edited, this, &EvidenceView::edited);
    connect(m_calibrate, &CalibratePage::edited, this, &EvidenceView::edited);
    connect(m_calibrate, &CalibratePage::fileWanted, this, &EvidenceView::fileWanted);
    connect(m_calibrate, &CalibratePage::templateWanted, this, &EvidenceView::templateWanted);
    connect(m_calibrate, &CalibratePage::presetWanted, this, &EvidenceView::presetWanted);
    connect(m_assumptions, &AssumptionsPage::refused, this,
            [this](const QString &why) { Q_EMIT noticed(Tone::Warn, why); });
}

QWidget *EvidenceView::newToolbar() {
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_pages->setObjectName(QStringLiteral("evidencePages"));
    m_pages->setAccessibleName(tr("Page"));
    m_pages->addSegment(tr("Runs"), tr("Predictions for measured runs"));
    m_pages->addSegment(tr("Assumptions"), tr("Constants of the model"));
    m_pages->addSegment(tr("My machine"), tr("Fit the constants to measured runs of one machine"));
    row->addWidget(m_pages);
    m_rowControls = new QWidget(bar);
    QSizePolicy kept = m_rowControls->sizePolicy();
    kept.setRetainSizeWhenHidden(true); // keeps the page selector in place
    m_rowControls->setSizePolicy(kept);
    auto *controls = new QHBoxLayout(m_rowControls);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(8);
    m_metric->setObjectName(QStringLiteral("evidenceMetric"));
    m_metric->setAccessibleName(tr("Compared figure"));
    m_metric->addSegment(tr("Step time"));
    m_metric->addSegment(tr("Peak memory"));
    // Leave a gap after the page selector, so that the metric selector is not mistaken for more pages.
    controls->addSpacing(metricGap);
    controls->addWidget(new TextLabel(tr("Compare"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, bar));
    controls->addWidget(m_metric);
    controls->addStretch(1);
    m_near->setObjectName(QStringLiteral("runsLikeMine"));
    m_near->setToolTip(tr("Show only the runs nearest to this plan; they determine its 80% interval"));
    controls->addWidget(m_near);
    controls->addWidget(new TextLabel(m_near->text(), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, bar));
    m_filter->setObjectName(QStringLiteral("evidenceFilter"));
    m_filter->setPlaceholderText(tr("Model, machine, software, source"));
    m_filter->setAccessibleName(tr("Filter rows"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(filterWidth);
    m_filter->addAction(icons::icon(QStringLiteral("filter"), ColourRole::Text3), QLineEdit::LeadingPosition);
    controls->addWidget(m_filter);
    m_files->setElided(true);
    showsNoFigures(m_files, NotFigures::name);
    controls->addWidget(m_files);
    m_add->setObjectName(QStringLiteral("addEvidence"));
    m_add->setIcon(icons::icon(QStringLiteral("plus")));
    m_add->setToolTip(
        tr("Add your own measured runs, with the template's columns or common names such as gpus, tp, step_time_ms"));
    controls->addWidget(m_add);
    row->addWidget(m_rowControls, 1);
    connect(m_pages, &Segmented::currentChanged, this, [this](int page) {
        m_stack->setCurrentIndex(page);
        m_rowControls->setVisible(page == 0);
        m_accuracy->setVisible(page != 2);
        showAccuracy();
    });
    connect(m_metric, &Segmented::currentChanged, this,
            [this](int metric) { m_runs->setMetric(metric == 0 ? EvidenceMetric::Step : EvidenceMetric::Memory); });
    connect(m_filter, &QLineEdit::textChanged, this, &EvidenceView::showFilter);
    connect(m_near, &QAbstractButton::toggled, this, &EvidenceView::showFilter);
    connect(m_add, &QPushButton::clicked, this, &EvidenceView::fileWanted);
    return bar;
}

void EvidenceView::showAccuracy() {
    if (m_set == nullptr || m_unchanged == nullptr)
        return;
    if (m_stack->currentWidget() == m_runs) {
        m_slice = m_runs->slice();
    } else {
        std::vector<std::size_t> all(m_set->table->runs.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        m_slice = sliceOf(*m_set, std::move(all));
    }
    m_unchangedSlice = m_unchanged == m_set ? m_slice : sliceOf(*m_unchanged, m_slice.rows);
    m_accuracy->showSets(m_slice, *m_set, m_unchangedSlice, *m_unchanged);
}

void EvidenceView::showFilter() {
    m_runs->setFilter({.words = m_filter->text(), .nearOnly = m_near->isChecked()});
}

void EvidenceView::showPlan(const PlanView &view) {
    m_view = view;
    m_errors->showPlan(view, PlanErrors::Below::LastValid);
    m_runs->showPlan(view);
    m_assumptions->showPlan(view);
    m_calibrate->showPlan(view);
    m_near->setEnabled(view.result != nullptr);
    if (isVisible() && (!m_isAsked || view.result != m_asked))
        ask();
}

void EvidenceView::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    if (!m_isAsked || m_view.result != m_asked)
        ask();
}

void EvidenceView::ask() {
    m_isAsked = true;
    m_asked = m_view.result;
    EvidenceQuestion question{.overrides = {}, .files = m_ownFiles, .result = m_view.result};
    if (m_view.result)
        question.overrides = m_view.result->plan.own_assumptions();
    m_runner->ask(question);
}

void EvidenceView::receive(const EvidenceAnswer &answer) {
    m_set = answer.set;
    m_unchanged = answer.unchanged;
    m_ownFiles = answer.files;
    QStringList names;
    for (const RunFile &file : answer.files)
        names.append(file.name());
    m_files->setText(names.join(QStringLiteral(", ")));
    m_files->setVisible(!names.isEmpty());
    m_runs->setSet(answer.set);
    m_assumptions->showAnswer(answer);
    if (!answer.problem.isEmpty())
        Q_EMIT noticed(Tone::Warn, answer.problem);
    else if (!answer.note.isEmpty())
        Q_EMIT rowsReplaced(answer.note);
}

std::optional<Derivation> EvidenceView::derivationOf(const QString &figure) const {
    if (std::optional<Derivation> made = m_calibrate->derivationOf(figure))
        return made;
    if (std::optional<Derivation> made = m_assumptions->model()->derivationOf(figure))
        return made;
    return nearestRunDerivation(figure, m_runs->nearest()->runs(), *tableOf(m_set));
}

std::optional<Plan> EvidenceView::planOf(const QString &name) const {
    if (std::optional<Plan> plan = m_calibrate->planOf(name))
        return plan;
    const std::shared_ptr<const EvidenceTable> table = tableOf(m_set);
    const auto row = name.section(QLatin1Char('.'), -1).toULong();
    if (row >= table->plans.size() || !table->plans[row].skipped.empty())
        return std::nullopt;
    const auto overrides = m_set != nullptr ? m_set->overrides
        : m_view.result != nullptr          ? m_view.result->plan.own_assumptions()
                                            : std::map<std::string, double>();
    return planWith(table->plans[row].plan, overrides, nameOf(table->runs[row]));
}

ProblemsCard *EvidenceView::problems() const {
    return m_errors->problems();
}

bool EvidenceView::isBusy() const {
    return m_runner->isBusy() || m_calibrate->isBusy();
}

void EvidenceView::addMachineRows(const QString &name, const std::string &rows) {
    m_pages->setCurrentIndex(m_stack->indexOf(m_calibrate));
    m_calibrate->addFile({.path = name, .mapping = {}, .reading = ++m_readings, .rows = rows});
}

void EvidenceView::addFile(const QString &path, const std::optional<ColumnMapping> &mapping) {
    const RunFile file{.path = path, .mapping = mapping, .reading = ++m_readings};
    if (m_stack->currentWidget() == m_calibrate) {
        m_calibrate->addFile(file);
        return;
    }
    const auto same =
        std::find_if(m_ownFiles.begin(), m_ownFiles.end(), [&](const RunFile &each) { return each.path == path; });
    if (same == m_ownFiles.end())
        m_ownFiles.append(file);
    else
        *same = file;
    m_pages->setCurrentIndex(0);
    ask();
}

void EvidenceView::openRow(std::size_t row) {
    // Before the first answer, the listed runs come from the program's own table.
    const std::shared_ptr<const EvidenceTable> table = tableOf(m_set);
    if (row >= table->plans.size() || !table->plans[row].skipped.empty())
        return;
    nlohmann::ordered_json document = run_document(table->plans[row], Library::standard());
    document["name"] = nameOf(table->runs[row]);
    Q_EMIT planWanted(document);
}

void EvidenceView::setFieldQuestion(const std::function<bool(const QString &)> &hasField) {
    m_assumptions->setFieldQuestion(hasField);
}

bool EvidenceView::hasConstant(const QString &pointer) {
    return Assumption::rowOf(pointer) >= 0;
}

bool EvidenceView::showConstant(const QString &pointer) {
    if (!m_assumptions->showConstant(pointer))
        return false;
    m_pages->setCurrentIndex(1);
    return true;
}

} // namespace meshwright
