// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/batch_panel.h"

#include "controls/disclosure.h"
#include "controls/toggle_switch.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "panels/degree_row.h"
#include "plan/valid_values.h"
#include "search/layout_text.h"

#include <QComboBox>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <cmath>

namespace meshwright {

namespace {

/// The figure that the best microbatch is.
constexpr QLatin1String bestMicro("best_micro_sequences");

/// "BF16" and so on; "none" stays a word.
QStringList formatTexts(const std::vector<std::string> &names) {
    QStringList texts;
    for (const std::string &name : names)
        texts.append(name == "none" ? BatchPanel::tr("None") : QString::fromStdString(name).toUpper());
    return texts;
}

/// Formats that store something.
std::vector<std::string> storedFormats() {
    std::vector<std::string> names = data_type_names();
    std::erase(names, "none");
    return names;
}

QStringList optimizerTexts() {
    return {QStringLiteral("AdamW"), QStringLiteral("Adam, 8 bit"), QStringLiteral("Muon"), QStringLiteral("Adafactor"),
            QStringLiteral("SGD")};
}

} // namespace

BatchPanel::BatchPanel(QWidget *parent)
    : PlanPanel(parent) {
    addBatch();
    addPrecision();
    addOptimizer();
}

void BatchPanel::addBatch() {
    m_sequences = newInteger(tr("Sequences a step"), QStringLiteral("/batch/global_sequences"), 1, 1'000'000'000);
    m_length = newInteger(tr("Sequence length"), QStringLiteral("/batch/sequence_length"), 1, 1'000'000'000);
    m_sequences->setToolTip(tr("Sequences of one optimizer step of one site"));
    m_length->setToolTip(tr("Tokens of one sequence"));
    addPair(tr("Sequences × length"), m_sequences, m_length);
    m_micro = new DegreeRow(tr("Microbatch"), this);
    m_micro->setObjectName(QStringLiteral("microRow"));
    m_micro->setToolTip(tr("Sequences of one microbatch on one data-parallel rank"));
    const QString pointer = QStringLiteral("/batch/micro_sequences");
    registerField(m_micro->box(), tr("Sequences a microbatch"), pointer);
    m_micro->setBestFigure(FigureRef::ofView(QString(bestMicro), FigureView::sliders));
    rows()->addWidget(m_micro);
    connect(m_micro, &DegreeRow::heldChosen, this,
            [this](bool held) { ask(editHolding(view(), LayoutField::micro_sequences, held)); });
    connect(m_micro, &DegreeRow::chosen, this, [this, pointer](qint64 value, EditPace pace) {
        set(pointer, tr("Microbatch"), QString::number(value), static_cast<std::int64_t>(value), pace);
    });
    connect(m_micro, &DegreeRow::dragFinished, this, &BatchPanel::dragFinished);
    m_microbatches = new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
    m_microbatches->setElided(true);
    rows()->addWidget(m_microbatches);
}

void BatchPanel::showLandscape(const Landscape &microbatches) {
    m_micro->showLandscape(microbatches);
}

std::optional<Derivation> BatchPanel::derivationOf(const QString &figure) const {
    return figure == bestMicro ? m_micro->bestOf(figure) : std::nullopt;
}

void BatchPanel::addPrecision() {
    const std::vector<std::string> stored = storedFormats();
    const auto choice = [&](const QString &label, const char *key, const std::vector<std::string> &words) {
        return newChoice(label, QStringLiteral("/precision/") + QLatin1String(key), words, formatTexts(words));
    };
    m_compute = choice(tr("Compute"), "compute", stored);
    m_weights = choice(tr("Weights"), "weights", stored);
    addPair(tr("Compute · weights"), m_compute, m_weights);
    m_gradients = choice(tr("Gradients"), "gradients", stored);
    m_moments = choice(tr("Moments"), "moments", stored);
    addPair(tr("Grads · moments"), m_gradients, m_moments);
    m_master = choice(tr("Master copy"), "master", data_type_names());
    addRow(tr("Master copy"), m_master, QStringLiteral("/precision/master"));
}

void BatchPanel::addOptimizer() {
    auto *further = new Disclosure(tr("Optimizer and offload"), this);
    rows()->addWidget(further);
    QVBoxLayout *into = further->contentLayout();
    m_optimizer =
        addChoice(tr("Optimizer"), QStringLiteral("/optimizer/name"), optimizer_names(), optimizerTexts(), into);
    m_momentum = new QuantityBox(Quantity::number, this);
    m_momentum->setRange(0, 1);
    m_momentum->setSingleStep(0.01);
    const QString momentum = QStringLiteral("/optimizer/momentum");
    m_momentumRow = addRow(tr("Momentum"), m_momentum, momentum, into);
    connect(m_momentum, &UnitSpinBox::edited, this,
            [this, momentum](double value) { set(momentum, tr("Momentum"), QString::number(value), value); });
    m_offloadOptimizer =
        addQuantity(tr("Optimizer to host"), QStringLiteral("/offload/optimizer"), Quantity::share, 0, 1, into);
    m_offloadActivations =
        addQuantity(tr("Activations to host"), QStringLiteral("/offload/activations"), Quantity::share, 0, 1, into);
    m_offloadOuter = addToggle(tr("Outer state to host"), QStringLiteral("/offload/outer"), into);
}

void BatchPanel::showFields(const PlanView &view) {
    showBatch(view);
    const Precision &precision = view.plan.precision;
    select(m_compute, name_of(precision.compute));
    select(m_weights, name_of(precision.weights));
    select(m_gradients, name_of(precision.gradients));
    select(m_master, name_of(precision.master));
    select(m_moments, name_of(precision.moments));
    select(m_optimizer, optimizer_names()[static_cast<std::size_t>(view.plan.optimizer.kind)]);
    m_momentumRow->setVisible(view.plan.optimizer.kind == OptimizerKind::sgd);
    m_momentum->showQuantity(view.plan.optimizer.momentum);
    m_offloadOptimizer->showQuantity(view.plan.offload.optimizer);
    m_offloadActivations->showQuantity(view.plan.offload.activations);
    m_offloadOuter->setChecked(view.plan.offload.outer);
}

void BatchPanel::showBatch(const PlanView &view) {
    const Batch &batch = view.plan.batch;
    m_sequences->setValue(batch.global_sequences);
    m_length->setValue(batch.sequence_length);
    const std::vector<std::int64_t> stops = micro_sequence_stops(view.plan);
    m_micro->showDegree(QVector<qint64>(stops.begin(), stops.end()), batch.micro_sequences);
    m_micro->showHeld(constraints_of(view.plan).fixed[static_cast<std::size_t>(LayoutField::micro_sequences)]);
    const double share = static_cast<double>(view.plan.parallelism.data) * static_cast<double>(batch.micro_sequences);
    const double microbatches = static_cast<double>(batch.global_sequences) / share;
    const bool whole = microbatches == std::floor(microbatches);
    m_microbatches->setSentence(whole ? filled(microbatches == 1 ? tr("%1 microbatch on each data rank")
                                                                 : tr("%1 microbatches on each data rank"),
                                               said(countText(microbatches), "microbatches"))
                                      : filled(tr("%1 ÷ (%2 × %3) is not a whole number of microbatches"),
                                               batch.global_sequences, view.plan.parallelism.data,
                                               batch.micro_sequences));
    m_microbatches->setColour(whole ? ColourRole::Text2 : ColourRole::Warn);
    const double tokens = static_cast<double>(batch.global_sequences) * static_cast<double>(batch.sequence_length);
    summarise(tr("%1 tokens").arg(tokens < 1e6 ? countText(tokens) : plainText(tokens)));
}

} // namespace meshwright
