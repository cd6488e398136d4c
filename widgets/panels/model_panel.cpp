// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/model_panel.h"

#include "catalog/library.h"
#include "catalog/model_scaling.h"
#include "catalog/weights.h"
#include "controls/disclosure.h"
#include "controls/scrolling_wheel.h"
#include "controls/searchable_combo.h"
#include "controls/text_label.h"
#include "controls/tip_text.h"
#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "models/model_field_delegate.h"
#include "models/model_fields_model.h"
#include "views/preset_items.h"

#include <QHeaderView>
#include <QSignalBlocker>
#include <QSlider>
#include <QTreeView>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

// The slider covers 10M to 10T parameters with 100 positions per decade.
constexpr double smallest = 1e7;
constexpr int positions = 600;
constexpr int positionsPerDecade = 100;
constexpr int treeHeight = 320;

int positionOf(double parameters) {
    const double decades = std::log10(std::max(parameters, smallest) / smallest);
    return std::clamp(static_cast<int>(std::lround(decades * positionsPerDecade)), 0, positions);
}

double parametersAt(int position) {
    return smallest * std::pow(10.0, static_cast<double>(position) / positionsPerDecade);
}

/// A model's shape in one line, from its last block: "80 layers · hidden 8,192 · 64 heads · 8 KV".
QString shapeOf(const Model &model) {
    QStringList parts{ModelPanel::tr("%1 layers").arg(model.layer_count()),
                      ModelPanel::tr("hidden %1").arg(countText(static_cast<double>(model.hidden)))};
    if (model.blocks.empty())
        return parts.join(QStringLiteral(" · "));
    const Block &block = model.blocks.back();
    if (const auto *attention = std::get_if<Attention>(&block.mixer))
        parts << ModelPanel::tr("%1 heads").arg(attention->heads) << ModelPanel::tr("%1 KV").arg(attention->kv_heads);
    else if (const auto *latent = std::get_if<LatentAttention>(&block.mixer))
        parts << ModelPanel::tr("%1 heads").arg(latent->heads) << ModelPanel::tr("MLA %1").arg(latent->key_value_rank);
    if (const auto *experts = std::get_if<Experts>(&block.transform))
        parts << ModelPanel::tr("%1 of %2 experts").arg(experts->experts_per_token).arg(experts->experts);
    return parts.join(QStringLiteral(" · "));
}

} // namespace

struct ModelPanel::Scaling {
    Model model; ///< model at the start of the drag
    ordered_json document; ///< the plan's "model" at the start of the drag: a preset id or an object
    int position = 0;
};

ModelPanel::~ModelPanel() = default;

ModelPanel::ModelPanel(const Library &library, QWidget *parent)
    : PlanPanel(parent)
    , m_library(library)
    , m_preset(new SearchableCombo(this)) {
    m_preset->setUnknownText(tr("Custom"));
    m_preset->setItems(presetItems(m_library, PresetKind::model));
    addRow(tr("Preset"), m_preset, QStringLiteral("/model"));
    m_preset->setObjectName(QStringLiteral("modelPreset"));
    describe(m_preset,
             tr("Architecture to train: a published model, or a custom one. Sets layers, hidden size, attention, "
                "experts and vocabulary at once."));
    connect(m_preset, &SearchableCombo::chosen, this, &ModelPanel::usePreset);
    addSize();
    addFields();
}

void ModelPanel::usePreset(const QString &id) {
    m_preset->setCurrentId(id);
    ask({.field = QStringLiteral("/model"),
         .subject = tr("Model"),
         .from = {},
         .to = m_preset->text(),
         .patch = patchReplacing(view(), "model", id.toStdString()),
         .pace = EditPace::Settled});
}

void ModelPanel::addSize() {
    m_size = new QuantityBox(Quantity::parameters, this);
    m_size->setObjectName(QStringLiteral("modelSize"));
    m_size->setRange(1e6, 1e14);
    // Three digits are enough: scaling adds whole layers and heads, so it cannot reach a typed size exactly. The tool
    // tip has the exact count.
    m_size->setFormatter([](double value) { return figureParts(value, Quantity::parameters).figure; });
    addRow(tr("Parameters"), m_size, {});
    connect(m_size, &UnitSpinBox::edited, this, [this](double value) { scaleTo(value, EditPace::Settled); });
    m_slider = new QSlider(Qt::Horizontal, this);
    m_slider->setObjectName(QStringLiteral("modelSizeSlider"));
    m_slider->setAccessibleName(tr("Model size in parameters"));
    m_slider->setToolTip(tipText(tr("Scales the number of layers and the hidden size together, in the model's own "
                                    "proportions: 10M to 10T parameters. Use it for a model without a preset.")));
    m_slider->setRange(0, positions);
    m_slider->setPageStep(positionsPerDecade / 4);
    leaveWheelToScrolling(m_slider);
    rows()->addWidget(m_slider);
    connect(m_slider, &QSlider::sliderPressed, this, &ModelPanel::beginScaling);
    connect(m_slider, &QSlider::sliderReleased, this, &ModelPanel::endScaling);
    connect(m_slider, &QSlider::valueChanged, this, &ModelPanel::scale);
    m_shape = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
    m_shape->setElided(true);
    showsNoFigures(m_shape, NotFigures::setting);
    rows()->addWidget(m_shape);
}

void ModelPanel::addFields() {
    m_all = new Disclosure(tr("All fields"), this);
    m_all->button()->setObjectName(QStringLiteral("modelFieldsDisclosure"));
    rows()->addWidget(m_all);
    connect(m_all, &Disclosure::opened, this, &ModelPanel::showTree);
}

void ModelPanel::showTree() {
    if (m_tree != nullptr) {
        m_fields->setModel(view().plan.model);
        return;
    }
    m_fields = new ModelFieldsModel(this);
    m_tree = new QTreeView(this);
    m_tree->setObjectName(QStringLiteral("modelFields"));
    m_tree->setAccessibleName(tr("All fields of the model"));
    m_tree->setModel(m_fields);
    m_tree->setItemDelegate(new ModelFieldDelegate(m_tree));
    m_tree->setEditTriggers(QAbstractItemView::CurrentChanged | QAbstractItemView::SelectedClicked
                            | QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
                            | QAbstractItemView::AnyKeyPressed);
    m_tree->setIndentation(12);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setFixedHeight(treeHeight);
    m_tree->setUniformRowHeights(true);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_fields->setModel(view().plan.model);
    m_tree->header()->setStretchLastSection(true);
    m_tree->header()->resizeSection(ModelFieldsModel::NameColumn, 152);
    m_tree->expandAll();
    connect(m_fields, &QAbstractItemModel::modelReset, m_tree, &QTreeView::expandAll);
    connect(m_fields, &ModelFieldsModel::edited, this, [this](const ModelField &field, const QVariant &value) {
        ask({.field = QStringLiteral("/model") + field.pointer,
             .subject = field.label,
             .from = field.value.toString(),
             .to = value.toString(),
             .patch = patchReplacing(view(), "model", withModelField(view().plan.model, field, value)),
             .pace = EditPace::Settled});
    });
    m_all->contentLayout()->addWidget(m_tree);
}

void ModelPanel::beginScaling() {
    const ordered_json &document = *view().document;
    m_scaling = std::make_unique<Scaling>(Scaling{.model = view().plan.model,
                                                  .document = document.value("model", ordered_json()),
                                                  .position = m_slider->value()});
}

void ModelPanel::endScaling() {
    m_scaling.reset();
    Q_EMIT dragFinished();
    showPlan(view()); // moves the slider to the size that was reached
}

void ModelPanel::scale(int position) {
    if (m_scaling != nullptr && position == m_scaling->position) {
        // The slider is back where the drag started, so restore the model as it was written, such as a preset's id.
        ask({.field = QStringLiteral("/model/size"),
             .subject = tr("Model size"),
             .from = {},
             .to = figureText(parameters_of(m_scaling->model).total, Quantity::parameters),
             .patch = patchReplacing(view(), "model", m_scaling->document),
             .pace = EditPace::Live});
        return;
    }
    scaleTo(parametersAt(position), m_scaling != nullptr ? EditPace::Live : EditPace::Step);
}

void ModelPanel::scaleTo(double parameters, EditPace pace) {
    const Model &from = m_scaling != nullptr ? m_scaling->model : view().plan.model;
    const Model scaled = scaled_to(from, parameters);
    setModel(scaled, tr("Model size"), figureText(parameters_of(scaled).total, Quantity::parameters), pace);
}

void ModelPanel::setModel(const Model &model, const QString &subject, const QString &to, EditPace pace) {
    ask({.field = QStringLiteral("/model/size"),
         .subject = subject,
         .from = {},
         .to = to,
         .patch = patchReplacing(view(), "model", to_json(model)),
         .pace = pace});
}

void ModelPanel::showFields(const PlanView &view) {
    const Model &model = view.plan.model;
    const QString name = QString::fromStdString(model.name.empty() ? model.id : model.name);
    m_preset->setUnknownText(name.isEmpty() ? tr("Custom") : tr("%1, custom").arg(name));
    m_preset->setCurrentId(QString::fromStdString(view.plan.model_id));
    const Parameters parameters = parameters_of(model);
    m_size->showQuantity(parameters.total);
    describe(m_size,
             tr("%1 parameters in all. Entering a different size scales layers and hidden size together; the result is "
                "the nearest size with whole layers and heads.")
                 .arg(QString::fromStdString(grouped(parameters.total))));
    if (m_scaling == nullptr) {
        const QSignalBlocker blocker(m_slider);
        m_slider->setValue(positionOf(parameters.total));
    }
    showShape(model);
    if (m_tree != nullptr && m_all->isOpen())
        m_fields->setModel(model);
    const QString total = figureText(parameters.total, Quantity::parameters);
    summarise(parameters.active < parameters.total
                  ? tr("%1, %2 active").arg(total, figureText(parameters.active, Quantity::parameters))
                  : tr("%1 dense").arg(total));
}

void ModelPanel::showShape(const Model &model) {
    m_shape->setText(shapeOf(model));
}

} // namespace meshwright
