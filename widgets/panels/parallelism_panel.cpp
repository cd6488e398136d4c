// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/parallelism_panel.h"

#include "controls/disclosure.h"
#include "controls/searchable_combo.h"
#include "controls/segmented.h"
#include "controls/small_marks.h"
#include "controls/stepped_slider.h"
#include "controls/tip_text.h"
#include "controls/toggle_switch.h"
#include "figures/field_mark.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "gantt/schedule_names.h"
#include "panels/degree_row.h"
#include "panels/stage_layout_field.h"
#include "plan/valid_values.h"
#include "search/configuration_text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

/// Name of the figure with a degree's best value: "best_tensor".
QString bestName(ConfigurationField field) {
    return QStringLiteral("best_")
        + QString::fromStdString(configuration_field_names()[static_cast<std::size_t>(field)]);
}

QVector<qint64> listOf(const std::vector<std::int64_t> &values) {
    return QVector<qint64>(values.begin(), values.end());
}

/// If the product of the other degrees does not divide the site's accelerators, no value is valid. The slider then
/// offers all divisors, so that it stays usable.
QVector<qint64> stopsOr(const std::vector<std::int64_t> &stops, const Plan &plan) {
    return stops.empty() && plan.site_accelerators() > 0 ? listOf(divisors(plan.site_accelerators())) : listOf(stops);
}

/// The data-parallel degree divides the site's number of accelerators, because the replicas use all of them.
QVector<qint64> dataStops(const Plan &plan) {
    return plan.site_accelerators() > 0 ? listOf(divisors(plan.site_accelerators())) : QVector<qint64>{1};
}

bool derivesData(const PlanView &view) {
    const nlohmann::ordered_json &document = *view.document;
    const auto parallelism = document.find("parallelism");
    return parallelism == document.end() || !parallelism->is_object() || !parallelism->contains("data")
        || parallelism->at("data").is_null();
}

} // namespace

ParallelismPanel::ParallelismPanel(QWidget *parent)
    : PlanPanel(parent)
    , m_tensor(addDegree(tr("Tensor"), ConfigurationField::tensor))
    , m_context(addDegree(tr("Context"), ConfigurationField::context))
    , m_pipeline(addDegree(tr("Pipeline"), ConfigurationField::pipeline))
    , m_chunks(addDegree(tr("Chunks"), ConfigurationField::chunks))
    , m_expert(addDegree(tr("Expert"), ConfigurationField::expert))
    , m_data(addDegree(tr("Data"), ConfigurationField::data)) {
    m_tensor->setToolTip(
        tipText(tr("Tensor parallel size: each weight matrix is sharded across this many accelerators. It "
                   "must divide the attention heads and hidden sizes. Default 1; if weights or activations do not fit, "
                   "raise it, at most to the accelerators per node.")));
    m_context->setToolTip(
        tipText(tr("Context parallel size: each sequence is split across this many accelerators. Default "
                   "1; raise it for long sequences whose activations do not fit.")));
    m_pipeline->setToolTip(
        tipText(tr("Pipeline parallel size: number of stages into which the layers are split. Default 1; "
                   "raise it when the model does not fit a node. More stages mean a larger bubble.")));
    m_chunks->setToolTip(
        tipText(tr("Virtual stages per pipeline rank (interleaving); with Seq1F1B, slices per sequence. "
                   "Default 1. More chunks shrink the bubble, but send more point-to-point messages.")));
    m_expert->setToolTip(
        tipText(tr("Expert parallel size of an MoE model: experts are distributed across this many ranks. "
                   "Expert × expert TP must divide tensor × context × data. Default 1; raise it when "
                   "expert weights do not fit, at the cost of all-to-all traffic.")));
    m_data->setToolTip(tipText(
        tr("Data parallel size: model replicas per site, each of which processes its own part of the batch. Default: "
           "accelerators per site ÷ (tensor × context × pipeline).")));
    addSharding();
    addFurther();
}

void ParallelismPanel::showLandscapes(const Landscapes &landscapes) {
    for (const Degree &degree : std::as_const(m_degrees))
        degree.row->showLandscape(landscapes[static_cast<std::size_t>(degree.field)]);
}

std::optional<Derivation> ParallelismPanel::derivationOf(const QString &figure) const {
    for (const Degree &degree : m_degrees)
        if (figure == bestName(degree.field))
            return degree.row->bestOf(figure);
    return std::nullopt;
}

DegreeRow *ParallelismPanel::addDegree(const QString &label, ConfigurationField field) {
    const QString key = QString::fromStdString(configuration_field_names()[static_cast<std::size_t>(field)]);
    auto *row = new DegreeRow(label, this);
    const QString pointer = QStringLiteral("/parallelism/") + key;
    row->setObjectName(key + QStringLiteral("Row"));
    row->setBestFigure(FigureRef::ofView(bestName(field), FigureView::sliders));
    registerField(row->box(), label, pointer);
    markAsField(row, pointer);
    row->slider()->setObjectName(key + QStringLiteral("Slider"));
    rows()->addWidget(row);
    connect(row, &DegreeRow::chosen, this, [this, pointer, label](qint64 value, EditPace pace) {
        set(pointer, label, QString::number(value), static_cast<std::int64_t>(value), pace);
    });
    connect(row, &DegreeRow::dragFinished, this, &ParallelismPanel::dragFinished);
    connect(row, &DegreeRow::fixedChosen, this, [this, field](bool held) { ask(editHolding(view(), field, held)); });
    m_degrees.append({row, field});
    return row;
}

void ParallelismPanel::addDerive(QVBoxLayout *into) {
    m_derive = new QCheckBox(tr("Derive data parallel size"), this);
    m_derive->setToolTip(
        tipText(tr("Data parallel size = accelerators per site ÷ (tensor × context × pipeline). Default: on. "
                   "Turn it off to set the size yourself.")));
    registerField(m_derive, tr("Calculate the data-parallel degree from the other degrees"), {});
    m_derive->setObjectName(QStringLiteral("deriveData"));
    into->addWidget(m_derive);
    connect(m_derive, &QAbstractButton::clicked, this, [this](bool derive) {
        const QString pointer = QStringLiteral("/parallelism/data");
        if (derive)
            ask({.field = pointer,
                 .subject = tr("Derive data parallel size"),
                 .from = {},
                 .to = {},
                 .patch = patchRemoving(view(), pointer),
                 .pace = EditPace::Settled});
        else
            set(pointer, tr("Data"), QString::number(view().plan.parallelism.data), view().plan.parallelism.data);
    });
}

void ParallelismPanel::addSharding() {
    m_schedule = new SearchableCombo(this);
    const QString schedule = QStringLiteral("/parallelism/schedule");
    m_scheduleLock =
        addHeldRow(tr("Schedule"), m_schedule, schedule, ConfigurationField::schedule,
                   tr("Order of forward and backward passes in the pipeline. Default: 1F1B, or interleaved 1F1B if "
                      "there are chunks. No effect with one stage; zero-bubble schedules trade memory for a smaller "
                      "bubble."));
    connect(m_schedule, &SearchableCombo::chosen, this, [this, schedule](const QString &name) {
        set(schedule, tr("Schedule"), m_schedule->text(), name.toStdString());
    });
    m_zero = new Segmented(this);
    const QStringList sharded{tr("Nothing is sharded: every data-parallel rank holds all states"),
                              tr("Shards optimizer states across data-parallel ranks"),
                              tr("Shards optimizer states and gradients across data-parallel ranks"),
                              tr("Shards optimizer states, gradients and weights across data-parallel ranks (FSDP)")};
    for (int stage = 0; stage <= 3; ++stage)
        m_zero->addSegment(QString::number(stage), tipText(sharded.at(stage)));
    const QString pointer = QStringLiteral("/parallelism/zero_stage");
    m_zeroLock =
        addHeldRow(tr("ZeRO stage"), m_zero, pointer, ConfigurationField::zero_stage,
                   tr("ZeRO stage (arXiv 1910.02054): at 1, data-parallel ranks shard optimizer states; at 2, also "
                      "gradients; at 3, also weights. Default: the software's. Higher stages need less memory; "
                      "stage 3 communicates more."));
    connect(m_zero, &Segmented::chosen, this,
            [this, pointer](int stage) { set(pointer, tr("ZeRO stage"), QString::number(stage), stage); });
    m_sequenceParallel = addToggle(tr("Sequence parallel"), QStringLiteral("/parallelism/sequence_parallel"));
    describe(m_sequenceParallel,
             tr("Shards the activations of norms and dropout along the sequence dimension, across the tensor-parallel "
                "group. Default: on if tensor is above 1. Saves memory at the same "
                "communication volume."));
}

/// Adds a row with a padlock. While it is locked, the search keeps the value fixed.
LockButton *ParallelismPanel::addHeldRow(const QString &label, QWidget *control, const QString &pointer,
                                         ConfigurationField field, const QString &tip) {
    auto *both = new QWidget(this);
    auto *line = new QHBoxLayout(both);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(control, 1);
    auto *lock = new LockButton(both);
    lock->setAccessibleName(tr("Fix %1 in the search").arg(label));
    line->addWidget(lock);
    QWidget *row = addRow(label, both, {});
    row->setToolTip(tipText(tip));
    markAsField(row, pointer);
    registerField(control, label, pointer);
    connect(lock, &QAbstractButton::clicked, this, [this, field](bool held) { ask(editHolding(view(), field, held)); });
    return lock;
}

/// Lists the schedules of the plan's software first, then those known only from papers.
void ParallelismPanel::showSchedules(const PlanView &view) {
    const Stack &stack = view.plan.stack;
    const std::optional<std::vector<std::string>> &has = stack.can_run.schedules;
    QString listed = QString::fromStdString(stack.name);
    for (std::size_t i = 0; has && i < has->size(); ++i)
        listed += QLatin1Char('\n') + QString::fromStdString((*has)[i]);
    if (listed == m_schedulesOf && !m_schedule->items().isEmpty())
        return;
    m_schedulesOf = listed;
    const QString software = QString::fromStdString(stack.name);
    QVector<ComboItem> own;
    QVector<ComboItem> others;
    for (const Schedule schedule : all_schedules()) {
        const std::string &name = definition_of(schedule).name;
        const bool known = has.has_value();
        const bool there = known && std::find(has->begin(), has->end(), name) != has->end();
        (there || !known ? own : others)
            .append({QString::fromStdString(name), scheduleText(schedule), scheduleSentence(schedule),
                     !known      ? QString()
                         : there ? tr("In %1").arg(software)
                                 : tr("From papers, not available in %1").arg(software)});
    }
    m_schedule->setItems(own + others);
}

void ParallelismPanel::addFurther() {
    auto *further = new Disclosure(tr("Advanced parallelism"), this);
    rows()->addWidget(further);
    QVBoxLayout *into = further->contentLayout();
    m_expertTensor = new IntegerBox(this);
    m_expertTensor->setRange(1, 1'000'000);
    const QString expertTensor = QStringLiteral("/parallelism/expert_tensor");
    m_expertTensorRow = addRow(tr("Expert TP"), m_expertTensor, expertTensor, into);
    describe(m_expertTensor,
             tr("Expert tensor parallel size of an MoE model: each expert's matrices are sharded across this "
                "many ranks. Default 1; raise it only when one expert does not fit."));
    connect(m_expertTensor, &IntegerBox::edited, this, [this, expertTensor](qint64 value) {
        set(expertTensor, tr("Expert TP"), QString::number(value), static_cast<std::int64_t>(value));
    });
    m_group = addInteger(tr("Interleave group"), QStringLiteral("/parallelism/group"), 1, 1'000'000, into);
    m_group->setUnit(tr("microbatches"));
    describe(m_group,
             tr("Number of microbatches that interleaved 1F1B runs through one chunk before it moves to the next "
                "chunk. Default: the number of stages; larger if the last group would otherwise have fewer "
                "microbatches than stages."));
    m_shardGroup = addInteger(tr("Sharding group"), QStringLiteral("/parallelism/shard_group"), 1, 1'000'000, into);
    m_shardGroup->setUnit(tr("ranks"));
    describe(m_shardGroup,
             tr("Ranks across which ZeRO shards (HSDP); every group holds a full replica. Must divide "
                "data × context. Default: all data-parallel ranks. Lower it to keep gathers within a fast "
                "tier."));
    addLayout(into);
    addDerive(into);
}

void ParallelismPanel::addLayout(QVBoxLayout *into) {
    m_layout = new StageLayoutField(this);
    const QString pointer = QStringLiteral("/parallelism/layout");
    addRow(tr("Layers per stage"), m_layout, pointer, into);
    connect(m_layout, &StageLayoutField::chosen, this, [this, pointer](const QString &layout) {
        if (layout.isEmpty())
            ask({.field = pointer,
                 .subject = tr("Equal layers per stage"),
                 .from = {},
                 .to = {},
                 .patch = patchRemoving(view(), pointer),
                 .pace = EditPace::Settled});
        else
            set(pointer, tr("Layers per stage"), layout, layout.toStdString());
    });
}

void ParallelismPanel::showFields(const PlanView &view) {
    const Parallelism &parallelism = view.plan.parallelism;
    const Constraints constraints = constraints_of(view.plan);
    for (const Degree &degree : std::as_const(m_degrees))
        degree.row->showFixed(constraints.fixed[static_cast<std::size_t>(degree.field)]);
    m_tensor->showDegree(stopsOr(tensor_stops(view.plan), view.plan), parallelism.tensor);
    m_context->showDegree(stopsOr(context_stops(view.plan), view.plan), parallelism.context);
    m_pipeline->showDegree(stopsOr(pipeline_stops(view.plan), view.plan), parallelism.pipeline);
    m_chunks->showDegree(listOf(chunk_stops(view.plan)), parallelism.chunks);
    m_data->showDegree(dataStops(view.plan), parallelism.data);
    const bool experts = routed_experts(view.plan.model) > 0;
    // For a dense model, the row is shown only if the plan sets a degree greater than 1.
    m_expert->setVisible(experts || parallelism.expert > 1);
    if (m_expert->isVisibleTo(this))
        m_expert->showDegree(listOf(expert_stops(view.plan)), parallelism.expert);
    m_derive->setChecked(derivesData(view));
    m_data->setLabel(m_derive->isChecked() ? tr("Data (derived)") : tr("Data"));
    showSchedules(view);
    m_schedule->setCurrentId(QString::fromStdString(name_of(parallelism.schedule)));
    m_scheduleLock->setChecked(constraints.fixed[static_cast<std::size_t>(ConfigurationField::schedule)]);
    m_zeroLock->setChecked(constraints.fixed[static_cast<std::size_t>(ConfigurationField::zero_stage)]);
    m_zero->setCurrentIndex(static_cast<int>(parallelism.zero_stage));
    m_sequenceParallel->setChecked(parallelism.sequence_parallel);
    showFurther(view);
    showProduct(view);
}

void ParallelismPanel::showFurther(const PlanView &view) {
    const Parallelism &parallelism = view.plan.parallelism;
    m_expertTensorRow->setVisible(routed_experts(view.plan.model) > 0 || parallelism.expert_tensor > 1);
    m_expertTensor->setValue(parallelism.expert_tensor);
    m_group->setValue(interleaving_group(view.plan));
    m_shardGroup->setValue(parallelism.shard_group.value_or(parallelism.data));
    m_layout->showPlan(view.plan, view.valid);
}

void ParallelismPanel::showProduct(const PlanView &view) {
    const Parallelism &parallelism = view.plan.parallelism;
    QStringList factors{QString::number(parallelism.tensor)};
    if (parallelism.context > 1)
        factors.append(QString::number(parallelism.context));
    factors.append(QString::number(parallelism.pipeline));
    factors.append(QString::number(parallelism.data));
    const double product = static_cast<double>(parallelism.tensor) * static_cast<double>(parallelism.context)
        * static_cast<double>(parallelism.pipeline) * static_cast<double>(parallelism.data);
    const auto site = static_cast<double>(view.plan.site_accelerators());
    const QString left = factors.join(QStringLiteral("\u200a×\u200a")); // hair spaces, because the heading is narrow
    if (product == site)
        summarise(tr("%1 = %2 ✓").arg(left, countText(site)), Tone::Good);
    else
        summarise(tr("%1 ≠ %2").arg(left, countText(site)), Tone::Bad);
}

} // namespace meshwright
