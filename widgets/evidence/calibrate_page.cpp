// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/calibrate_page.h"

#include "calibration/machine_preset.h"
#include "catalog/library.h"
#include "charts/xy_chart.h"
#include "controls/card.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "evidence/column_widths.h"
#include "evidence/evidence_charts.h"
#include "evidence/fitted_constants_model.h"
#include "evidence/machine_derivation.h"
#include "evidence/machine_runs_model.h"
#include "evidence/range_delegate.h"
#include "evidence/run_entry.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "models/figures_table.h"
#include "theme/control_states.h"
#include "theme/icon.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QRegularExpression>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int rowHeight = 26;
constexpr int sideWidth = 400;
constexpr int rangeWidth = 110;

QTableView *newTable(QAbstractItemModel *model, const QString &name, QWidget *parent) {
    auto *table = new FiguresTable(parent);
    table->setObjectName(name);
    table->setModel(model);
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    return table;
}

const Accelerator &acceleratorOf(const MachineRuns &runs) {
    return runs.runs.front().plan.cluster.accelerator;
}

/// The name without the memory size ("NVIDIA H100 SXM"), because each number with a unit in a card's heading must open
/// a derivation, and the size has none here.
QString partName(const Accelerator &accelerator) {
    static const QRegularExpression size(QStringLiteral(" \\d+ GB$"));
    return QString::fromStdString(accelerator.name).remove(size);
}

QString errorsText(const FitErrors &errors) {
    return QStringLiteral("%1 → %2").arg(shareText(errors.before.mean_absolute), shareText(errors.after.mean_absolute));
}

} // namespace

CalibratePage::CalibratePage(QWidget *parent)
    : QWidget(parent)
    , m_calibrator(new MachineCalibrator(this))
    , m_runsModel(new MachineRunsModel(this))
    , m_constantsModel(new FittedConstantsModel(this))
    , m_entry(new RunEntry(this))
    , m_runs(newTable(m_runsModel, QStringLiteral("machineRuns"), this))
    , m_constants(newTable(m_constantsModel, QStringLiteral("fittedConstants"), this))
    , m_remove(new QPushButton(tr("Remove"), this))
    , m_clear(new QPushButton(tr("Clear"), this))
    , m_metric(new Segmented(this))
    , m_chart(new XyChart(this))
    , m_headline(new FigureSentence(TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, this))
    , m_words(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_use(new QPushButton(tr("Use in this plan"), this))
    , m_kind(new Segmented(this))
    , m_save(new QPushButton(tr("Save as preset"), this))
    , m_obstacle(new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this)) {
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    auto *left = new QVBoxLayout;
    left->setSpacing(12);
    left->addWidget(newRuns(), 3);
    left->addWidget(newConstants(), 2);
    row->addLayout(left, 1);
    row->addWidget(newSide());
    connect(m_calibrator, &MachineCalibrator::answered, this, &CalibratePage::receive);
    connect(m_entry, &RunEntry::added, this, [this](const MachineRun &run) {
        m_answer.runs.runs.push_back(run);
        ask();
    });
    showOutcome();
}

Card *CalibratePage::newRuns() {
    m_runsCard = new Card(tr("Measured runs"), {}, this);
    auto *open = new QPushButton(tr("Open CSV"), this);
    open->setObjectName(QStringLiteral("openMachineRuns"));
    open->setIcon(icons::icon(QStringLiteral("open")));
    open->setToolTip(tr("Measured runs of one machine, with the columns of the template or common names such as gpus, "
                        "tp, step_time_ms. You can also drop the file here"));
    connect(open, &QPushButton::clicked, this, &CalibratePage::fileWanted);
    m_remove->setObjectName(QStringLiteral("removeRun"));
    connect(m_remove, &QPushButton::clicked, this, &CalibratePage::removeRows);
    m_clear->setObjectName(QStringLiteral("clearRuns"));
    connect(m_clear, &QPushButton::clicked, this, &CalibratePage::clear);
    for (QPushButton *button : {m_remove, m_clear}) {
        setButtonRole(button, ButtonRole::Flat);
        m_runsCard->addTrailing(button);
    }
    m_runsCard->addTrailing(open);
    auto *form = new QPushButton(tr("Save template"), this);
    form->setObjectName(QStringLiteral("saveRunTemplate"));
    form->setIcon(icons::icon(QStringLiteral("save")));
    form->setToolTip(tr("CSV with all columns, an explanation of each, and an example run"));
    connect(form, &QPushButton::clicked, this, &CalibratePage::templateWanted);
    m_runsCard->addTrailing(form);
    m_runs->setAccessibleName(tr("Measured runs of this machine"));
    auto *remove = new QShortcut(QKeySequence::Delete, m_runs, nullptr, nullptr, Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &CalibratePage::removeRows);
    connect(m_runs->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_remove->setEnabled(m_runs->selectionModel()->hasSelection()); });
    m_runsCard->contentLayout()->addWidget(m_entry);
    m_runsCard->contentLayout()->addWidget(m_runs, 1);
    return m_runsCard;
}

Card *CalibratePage::newConstants() {
    auto *card = new Card(tr("Constants"), tr("relevant to these runs"), this);
    m_constants->setAccessibleName(tr("Fitted constants"));
    m_constants->setItemDelegateForColumn(FittedConstantsModel::Place, new RangeDelegate(m_constants));
    m_constants->horizontalHeader()->setSectionResizeMode(FittedConstantsModel::Place, QHeaderView::Fixed);
    m_constants->horizontalHeader()->resizeSection(FittedConstantsModel::Place, rangeWidth);
    card->contentLayout()->addWidget(m_constants, 1);
    return card;
}

QWidget *CalibratePage::newSide() {
    auto *side = new QWidget(this);
    side->setFixedWidth(sideWidth);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    auto *card = new Card(tr("Predicted vs. measured"), {}, side);
    m_metric->setObjectName(QStringLiteral("fitMetric"));
    m_metric->setAccessibleName(tr("Compared figure"));
    m_metric->addSegment(tr("Step time"));
    m_metric->addSegment(tr("Memory"));
    connect(m_metric, &Segmented::currentChanged, this, &CalibratePage::showChart);
    card->addTrailing(m_metric);
    m_chart->setObjectName(QStringLiteral("fitChart"));
    m_chart->setStretching({240, 160});
    showsNoFigures(m_chart, NotFigures::axis);
    card->contentLayout()->addWidget(m_chart, 1);
    column->addWidget(card, 1);
    column->addWidget(newOutcome());
    return side;
}

Card *CalibratePage::newOutcome() {
    auto *card = new Card(tr("This machine"), {}, this);
    QVBoxLayout *content = card->contentLayout();
    m_headline->setObjectName(QStringLiteral("fitHeadline"));
    showsNoFigures(m_headline, NotFigures::statistic);
    m_words->setObjectName(QStringLiteral("fitWords"));
    for (TextLabel *label : {m_words, m_obstacle}) {
        label->setWordWrap(true);
        showsNoFigures(label, NotFigures::name); // the derivations of figures in the notes open from the table
    }
    m_use->setObjectName(QStringLiteral("useFit"));
    setButtonRole(m_use, ButtonRole::Primary);
    connect(m_use, &QPushButton::clicked, this, &CalibratePage::use);
    m_kind->setObjectName(QStringLiteral("presetKind"));
    m_kind->setAccessibleName(tr("Kind of preset"));
    m_kind->addSegment(tr("Cluster"), tr("Includes all changed constants, and the cluster's links and nodes"));
    m_kind->addSegment(tr("Accelerator"), tr("Includes only the accelerator's constants"));
    m_save->setObjectName(QStringLiteral("saveFit"));
    connect(m_save, &QPushButton::clicked, this, [this] {
        Q_EMIT presetWanted(m_kind->currentIndex() == 0 ? PresetKind::cluster : PresetKind::accelerator);
    });
    content->addWidget(m_headline);
    content->addWidget(m_words);
    content->addWidget(m_obstacle);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_use);
    buttons->addStretch(1);
    buttons->addWidget(m_kind);
    buttons->addWidget(m_save);
    content->addLayout(buttons);
    return card;
}

void CalibratePage::showPlan(const PlanView &view) {
    m_view = view;
    m_entry->showPlan(view);
    showOutcome();
}

void CalibratePage::addFile(const RunFile &file) {
    m_files.append(file);
    ask();
}

void CalibratePage::ask() {
    m_calibrator->ask({.runs = m_answer.runs, .files = m_files});
    // Only measured values are shown until the answer arrives, because the previous fit belongs to other rows.
    m_answer.fit = nullptr;
    m_answer.problem.clear();
    m_answer.note.clear();
    m_runsModel->setRuns(m_answer.runs.runs, nullptr);
    showOutcome();
}

void CalibratePage::receive(const CalibrationAnswer &answer) {
    m_answer = answer;
    m_files.clear();
    m_runsModel->setRuns(answer.runs.runs, answer.fit);
    m_constantsModel->setFit(answer.fit);
    fitColumns(*m_runs);
    fitColumns(*m_constants);
    if (answer.fit != nullptr && answer.fit->step.before.count == 0)
        m_metric->setCurrentIndex(1);
    showOutcome();
}

void CalibratePage::removeRows() {
    QList<int> rows;
    for (const QModelIndex &index : m_runs->selectionModel()->selectedRows())
        rows.append(index.row());
    std::sort(rows.begin(), rows.end(), std::greater<>());
    for (const int row : qAsConst(rows))
        m_answer.runs.runs.erase(m_answer.runs.runs.begin() + row);
    if (!rows.isEmpty())
        ask();
}

void CalibratePage::clear() {
    m_answer = {};
    m_files.clear();
    ask();
}

std::optional<Derivation> CalibratePage::derivationOf(const QString &figure) const {
    return machineDerivation(figure, m_answer.runs.runs, m_answer.fit.get());
}

std::optional<Plan> CalibratePage::planOf(const QString &name) const {
    return machinePlan(name, m_answer.runs.runs, m_answer.fit.get());
}

QString CalibratePage::obstacle() const {
    if (m_answer.fit == nullptr)
        return {};
    const Accelerator &part = acceleratorOf(m_answer.runs);
    const Accelerator &own = m_view.plan.cluster.accelerator;
    if (m_answer.fit->moved().empty())
        return tr("No constant changed: the defaults fit this machine.");
    if (part.name != own.name)
        return tr("These runs are on %1, but the plan's accelerator is %2.")
            .arg(QString::fromStdString(part.name), QString::fromStdString(own.name));
    if (m_view.plan.assumptions == m_answer.fit->moved() && m_view.plan.own_assumptions().empty())
        return tr("The plan uses this fit.");
    return {};
}

QString CalibratePage::words() const {
    if (!m_answer.problem.isEmpty())
        return m_answer.problem;
    if (m_answer.fit == nullptr)
        return tr("Add a few measured runs, ideally of different configurations and sizes. Constants move only as far "
                  "as the data supports.");
    QStringList lines;
    if (!m_answer.note.isEmpty())
        lines << m_answer.note;
    for (const std::string &note : notes(*m_answer.fit)) {
        QString line = QString::fromStdString(note);
        line[0] = line.at(0).toUpper();
        lines.append(line + QLatin1Char('.'));
    }
    if (const std::vector<SkippedRun> &skipped = m_answer.fit->skipped; !skipped.empty())
        lines.append(
            tr("%1 rows skipped; %2: %3.")
                .arg(skipped.size())
                .arg(QString::fromStdString(skipped.front().name), QString::fromStdString(skipped.front().reason)));
    return lines.join(QLatin1Char('\n'));
}

void CalibratePage::showOutcome() {
    const MachineFit *const fit = m_answer.fit.get();
    const std::size_t count = m_answer.runs.runs.size();
    if (count == 0)
        m_runsCard->setSubtitle(tr("on one machine"));
    else
        m_runsCard->setSubtitle(tr("%1 on %2").arg(QString::number(count), partName(acceleratorOf(m_answer.runs))));
    m_remove->setEnabled(m_runs->selectionModel()->hasSelection());
    m_remove->setVisible(count > 0);
    m_clear->setVisible(count > 0);
    QStringList errors;
    if (fit != nullptr && fit->step.before.count > 0)
        errors << tr("step time %1").arg(errorsText(fit->step));
    if (fit != nullptr && fit->memory.before.count > 0)
        errors << tr("memory %1").arg(errorsText(fit->memory));
    m_headline->setSentence(!m_answer.problem.isEmpty()  ? tr("These runs cannot be used")
                                : fit != nullptr         ? tr("Mean error: %1").arg(errors.join(QStringLiteral(", ")))
                                : m_calibrator->isBusy() ? tr("Fitting…")
                                                         : tr("No runs yet"));
    m_headline->setColour(m_answer.problem.isEmpty() ? ColourRole::Text : ColourRole::Warn);
    m_words->setText(words());
    const QString why = obstacle();
    m_obstacle->setText(why);
    m_obstacle->setVisible(!why.isEmpty());
    m_use->setEnabled(fit != nullptr && why.isEmpty() && m_view.valid);
    m_save->setEnabled(fit != nullptr && !fit->moved().empty());
    m_kind->setEnabled(m_save->isEnabled());
    showChart();
}

void CalibratePage::showChart() {
    m_chart->setView(
        fitChart(m_answer.fit.get(), m_metric->currentIndex() == 0 ? EvidenceMetric::Step : EvidenceMetric::Memory));
}

void CalibratePage::use() {
    nlohmann::ordered_json cluster = spelledOut(m_view, "cluster");
    cluster["constants"] = m_answer.fit->moved();
    nlohmann::ordered_json patch = nlohmann::ordered_json::parse(patchReplacing(m_view, "cluster", cluster));
    // Removes the plan's own overrides, because they would hide the fitted values.
    for (const auto &[name, value] : m_view.plan.own_assumptions())
        if (m_answer.fit->moved().contains(name))
            patch["assumptions"][name] = nullptr;
    Q_EMIT edited({.field = QStringLiteral("/cluster/constants"),
                   .subject = tr("Constants of this machine"),
                   .from = {},
                   .to = tr("fitted to %1 runs").arg(m_answer.runs.runs.size()),
                   .patch = patch.dump(),
                   .pace = EditPace::Settled});
}

nlohmann::ordered_json CalibratePage::preset(const PresetName &name) const {
    const Cluster &own = m_view.plan.cluster;
    const Cluster &cluster =
        own.accelerator.name == acceleratorOf(m_answer.runs).name ? own : m_answer.runs.runs.front().plan.cluster;
    return m_kind->currentIndex() == 0 ? fitted_cluster(cluster, *m_answer.fit, name)
                                       : fitted_accelerator(cluster.accelerator, *m_answer.fit, name);
}

} // namespace meshwright
