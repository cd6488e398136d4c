// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/parallelism_panel.h"

#include "controls/disclosure.h"
#include "controls/searchable_combo.h"
#include "controls/segmented.h"
#include "controls/small_marks.h"
#include "controls/stepped_slider.h"
#include "controls/toggle_switch.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "gantt/schedule_names.h"
#include "panels/degree_row.h"
#include "panels/stage_layout_field.h"
#include "plan/valid_values.h"
#include "search/layout_text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

/// Of the figure that a degree's best value is.
QString bestName(LayoutField field) {
    return QStringLiteral("best_") + QString::fromStdString(layout_field_names()[static_cast<std::size_t>(field)]);
}

QVector<qint64> listOf(const std::vector<std::int64_t> &values) {
    return QVector<qint64>(values.begin(), values.end());
}

/// Where the other degrees do not divide the site, no value would: then all of its divisors, so that the slider stays.
QVector<qint64> stopsOr(const std::vector<std::int64_t> &stops, const Plan &plan) {
    return stops.empty() && plan.site_accelerators() > 0 ? listOf(divisors(plan.site_accelerators())) : listOf(stops);
}

/// Data parallelism takes what the other degrees leave: the divisors of the site's accelerators.
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
    , m_tensor(addDegree(tr("Tensor"), LayoutField::tensor))
    , m_context(addDegree(tr("Context"), LayoutField::context))
    , m_pipeline(addDegree(tr("Pipeline"), LayoutField::pipeline))
    , m_chunks(addDegree(tr("Chunks"), LayoutField::chunks))
    , m_expert(addDegree(tr("Expert"), LayoutField::expert))
    , m_data(addDegree(tr("Data"), LayoutField::data)) {
    m_chunks->setToolTip(tr("Virtual stages on each pipeline rank"));
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

DegreeRow *ParallelismPanel::addDegree(const QString &label, LayoutField field) {
    const QString key = QString::fromStdString(layout_field_names()[static_cast<std::size_t>(field)]);
    auto *row = new DegreeRow(label, this);
    const QString pointer = QStringLiteral("/parallelism/") + key;
    row->setObjectName(key + QStringLiteral("Row"));
    row->setBestFigure(FigureRef::ofView(bestName(field), FigureView::sliders));
    registerField(row->box(), label, pointer);
    row->slider()->setObjectName(key + QStringLiteral("Slider"));
    rows()->addWidget(row);
    connect(row, &DegreeRow::chosen, this, [this, pointer, label](qint64 value, EditPace pace) {
        set(pointer, label, QString::number(value), static_cast<std::int64_t>(value), pace);
    });
    connect(row, &DegreeRow::dragFinished, this, &ParallelismPanel::dragFinished);
    connect(row, &DegreeRow::heldChosen, this, [this, field](bool held) { ask(editHolding(view(), field, held)); });
    m_degrees.append({row, field});
    return row;
}

void ParallelismPanel::addDerive(QVBoxLayout *into) {
    m_derive = new QCheckBox(tr("Data follows from the others"), this);
    m_derive->setToolTip(tr("Data parallel = accelerators of a site ÷ (tensor × context × pipeline)"));
    registerField(m_derive, tr("Data parallel follows from the other degrees"), {});
    m_derive->setObjectName(QStringLiteral("deriveData"));
    into->addWidget(m_derive);
    connect(m_derive, &QAbstractButton::clicked, this, [this](bool derive) {
        const QString pointer = QStringLiteral("/parallelism/data");
        if (derive)
            ask({.field = pointer,
                 .subject = tr("Data follows"),
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
    m_scheduleLock = addHeldRow(tr("Schedule"), m_schedule, schedule, LayoutField::schedule);
    connect(m_schedule, &SearchableCombo::chosen, this, [this, schedule](const QString &name) {
        set(schedule, tr("Schedule"), m_schedule->text(), name.toStdString());
    });
    m_zero = new Segmented(this);
    for (int stage = 0; stage <= 3; ++stage)
        m_zero->addSegment(QString::number(stage), tr("ZeRO stage %1").arg(stage));
    const QString pointer = QStringLiteral("/parallelism/zero_stage");
    m_zeroLock = addHeldRow(tr("ZeRO stage"), m_zero, pointer, LayoutField::zero_stage);
    connect(m_zero, &Segmented::chosen, this,
            [this, pointer](int stage) { set(pointer, tr("ZeRO stage"), QString::number(stage), stage); });
    m_sequenceParallel = addToggle(tr("Sequence parallel"), QStringLiteral("/parallelism/sequence_parallel"));
}

/// A row whose value the search can be told to keep.
LockButton *ParallelismPanel::addHeldRow(const QString &label, QWidget *control, const QString &pointer,
                                         LayoutField field) {
    auto *both = new QWidget(this);
    auto *line = new QHBoxLayout(both);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(control, 1);
    auto *lock = new LockButton(both);
    lock->setAccessibleName(tr("Hold %1 in the search").arg(label));
    line->addWidget(lock);
    addRow(label, both, {});
    registerField(control, label, pointer);
    connect(lock, &QAbstractButton::clicked, this, [this, field](bool held) { ask(editHolding(view(), field, held)); });
    return lock;
}

/// Those that the plan's software has come first; the others are known from papers.
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
                                 : tr("From papers, not in %1").arg(software)});
    }
    m_schedule->setItems(own + others);
}

void ParallelismPanel::addFurther() {
    auto *further = new Disclosure(tr("Groups and following"), this);
    rows()->addWidget(further);
    QVBoxLayout *into = further->contentLayout();
    m_expertTensor = new IntegerBox(this);
    m_expertTensor->setRange(1, 1'000'000);
    const QString expertTensor = QStringLiteral("/parallelism/expert_tensor");
    m_expertTensorRow = addRow(tr("Expert tensor"), m_expertTensor, expertTensor, into);
    connect(m_expertTensor, &IntegerBox::edited, this, [this, expertTensor](qint64 value) {
        set(expertTensor, tr("Expert tensor"), QString::number(value), static_cast<std::int64_t>(value));
    });
    m_group = addInteger(tr("Interleave group"), QStringLiteral("/parallelism/group"), 1, 1'000'000, into);
    m_group->setUnit(tr("microbatches"));
    m_shardGroup = addInteger(tr("Sharding group"), QStringLiteral("/parallelism/shard_group"), 1, 1'000'000, into);
    m_shardGroup->setUnit(tr("ranks"));
    addLayout(into);
    addDerive(into);
}

void ParallelismPanel::addLayout(QVBoxLayout *into) {
    m_layout = new StageLayoutField(this);
    const QString pointer = QStringLiteral("/parallelism/layout");
    addRow(tr("Layout"), m_layout, pointer, into);
    connect(m_layout, &StageLayoutField::chosen, this, [this, pointer](const QString &layout) {
        if (layout.isEmpty())
            ask({.field = pointer,
                 .subject = tr("Even layout"),
                 .from = {},
                 .to = {},
                 .patch = patchRemoving(view(), pointer),
                 .pace = EditPace::Settled});
        else
            set(pointer, tr("Layout"), layout, layout.toStdString());
    });
}

void ParallelismPanel::showFields(const PlanView &view) {
    const Parallelism &parallelism = view.plan.parallelism;
    const Constraints constraints = constraints_of(view.plan);
    for (const Degree &degree : std::as_const(m_degrees))
        degree.row->showHeld(constraints.fixed[static_cast<std::size_t>(degree.field)]);
    m_tensor->showDegree(stopsOr(tensor_stops(view.plan), view.plan), parallelism.tensor);
    m_context->showDegree(stopsOr(context_stops(view.plan), view.plan), parallelism.context);
    m_pipeline->showDegree(stopsOr(pipeline_stops(view.plan), view.plan), parallelism.pipeline);
    m_chunks->showDegree(listOf(chunk_stops(view.plan)), parallelism.chunks);
    m_data->showDegree(dataStops(view.plan), parallelism.data);
    const bool experts = routed_experts(view.plan.model) > 0;
    // A degree that a dense model cannot have is shown only while the plan asks for it all the same.
    m_expert->setVisible(experts || parallelism.expert > 1);
    if (m_expert->isVisibleTo(this))
        m_expert->showDegree(listOf(expert_stops(view.plan)), parallelism.expert);
    m_derive->setChecked(derivesData(view));
    m_data->setLabel(m_derive->isChecked() ? tr("Data, auto") : tr("Data"));
    showSchedules(view);
    m_schedule->setCurrentId(QString::fromStdString(name_of(parallelism.schedule)));
    m_scheduleLock->setChecked(constraints.fixed[static_cast<std::size_t>(LayoutField::schedule)]);
    m_zeroLock->setChecked(constraints.fixed[static_cast<std::size_t>(LayoutField::zero_stage)]);
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
    const QString left = factors.join(QStringLiteral("\u200a×\u200a")); // hair spaces: the heading is narrow
    if (product == site)
        summarise(tr("%1 = %2 ✓").arg(left, countText(site)), Tone::Good);
    else
        summarise(tr("%1 = %2, not %3").arg(left, countText(product), countText(site)), Tone::Bad);
}

} // namespace meshwright
