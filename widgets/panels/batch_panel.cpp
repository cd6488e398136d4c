// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/batch_panel.h"

#include "controls/disclosure.h"
#include "controls/tip_text.h"
#include "controls/toggle_switch.h"
#include "figures/field_mark.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "panels/degree_row.h"
#include "plan/valid_values.h"
#include "search/configuration_text.h"

#include <QComboBox>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <cmath>

namespace meshwright {

namespace {

constexpr QLatin1String bestMicro("best_micro_sequences");

/// Display names of formats: "None", and abbreviations such as "BF16" in capitals.
QStringList formatTexts(const std::vector<std::string> &names) {
    QStringList texts;
    for (const std::string &name : names)
        texts.append(name == "none" ? BatchPanel::tr("None") : QString::fromStdString(name).toUpper());
    return texts;
}

/// All formats except "none", which stores nothing.
std::vector<std::string> storedFormats() {
    std::vector<std::string> names = data_type_names();
    std::erase(names, "none");
    return names;
}

QStringList optimizerTexts() {
    return {QStringLiteral("AdamW"), QStringLiteral("8-bit Adam"), QStringLiteral("Muon"), QStringLiteral("Adafactor"),
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
    m_sequences = newInteger(tr("Global batch size"), QStringLiteral("/batch/global_sequences"), 1, 1'000'000'000);
    m_length = newInteger(tr("Sequence length"), QStringLiteral("/batch/sequence_length"), 1, 1'000'000'000);
    m_sequences->setToolTip(tipText(
        tr("Global batch size: sequences per optimizer step of one site, a multiple of data parallel × microbatch "
           "size. Default: one microbatch per data-parallel rank or, with a pipeline, four microbatches per stage "
           "on each data-parallel rank. Raise it to shrink the pipeline bubble.")));
    m_length->setToolTip(tipText(
        tr("Sequence length in tokens, a multiple of the context parallel size and, with sequence parallelism, of "
           "the tensor parallel size. Default: 4,096, or the model's maximum if that is shorter.")));
    addPair(tr("Batch × length"), m_sequences, m_length);
    m_micro = new DegreeRow(tr("Microbatch size"), this);
    m_micro->setObjectName(QStringLiteral("microRow"));
    m_micro->setToolTip(tipText(
        tr("Microbatch size: sequences that one data-parallel rank processes at once. Default 1. Larger values make "
           "GEMMs more efficient, but need more activation memory and leave fewer microbatches to fill the "
           "pipeline.")));
    const QString pointer = QStringLiteral("/batch/micro_sequences");
    registerField(m_micro->box(), tr("Microbatch size"), pointer);
    markAsField(m_micro, pointer);
    m_micro->setBestFigure(FigureRef::ofView(QString(bestMicro), FigureView::sliders));
    rows()->addWidget(m_micro);
    connect(m_micro, &DegreeRow::fixedChosen, this,
            [this](bool held) { ask(editHolding(view(), ConfigurationField::micro_sequences, held)); });
    connect(m_micro, &DegreeRow::chosen, this, [this, pointer](qint64 value, EditPace pace) {
        set(pointer, tr("Microbatch size"), QString::number(value), static_cast<std::int64_t>(value), pace);
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
    m_compute->setToolTip(
        tipText(tr("Number format of GEMMs. Default: BF16 if the accelerator supports it, else FP16. FP8 "
                   "raises the peak FLOP/s where the accelerator supports it.")));
    m_weights = choice(tr("Weights"), "weights", stored);
    m_weights->setToolTip(tipText(
        tr("Number format of the weights in the forward and backward pass. Default: the compute format, or BF16 if "
           "the compute format is narrower than BF16.")));
    addPair(tr("Compute · weights"), m_compute, m_weights);
    m_gradients = choice(tr("Gradients"), "gradients", stored);
    m_gradients->setToolTip(tipText(tr("Number format in which gradients are accumulated and reduced. Default: the "
                                       "software's. BF16 halves the memory and traffic of FP32.")));
    m_moments = choice(tr("Optimizer states"), "moments", stored);
    m_moments->setToolTip(
        tipText(tr("Number format of the optimizer's states, such as Adam's two moments. Default: the "
                   "software's.")));
    addPair(tr("Grads · states"), m_gradients, m_moments);
    m_master = choice(tr("Master weights"), "master", data_type_names());
    addRow(tr("Master weights"), m_master, QStringLiteral("/precision/master"));
    describe(m_master,
             tr("Number format of the master weights that the optimizer updates. Default: the software's, "
                "usually FP32. None: the optimizer updates the weights themselves."));
}

void BatchPanel::addOptimizer() {
    auto *further = new Disclosure(tr("Optimizer and offload"), this);
    rows()->addWidget(further);
    QVBoxLayout *into = further->contentLayout();
    m_optimizer =
        addChoice(tr("Optimizer"), QStringLiteral("/optimizer/name"), optimizer_names(), optimizerTexts(), into);
    describe(m_optimizer,
             tr("Changes the memory of the optimizer states and the time of the optimizer step. Default: "
                "AdamW, which stores two states per parameter."));
    m_momentum = new QuantityBox(Quantity::number, this);
    m_momentum->setRange(0, 1);
    m_momentum->setSingleStep(0.01);
    const QString momentum = QStringLiteral("/optimizer/momentum");
    m_momentumRow = addRow(tr("Momentum"), m_momentum, momentum, into);
    describe(m_momentum,
             tr("Momentum of SGD, 0 to 1. Default 0.9. Only 0 changes the prediction: it needs no momentum "
                "buffer."));
    connect(m_momentum, &UnitSpinBox::edited, this,
            [this, momentum](double value) { set(momentum, tr("Momentum"), QString::number(value), value); });
    m_offloadOptimizer =
        addQuantity(tr("Optimizer offload"), QStringLiteral("/offload/optimizer"), Quantity::share, 0, 1, into);
    describe(m_offloadOptimizer,
             tr("Fraction of master weights and optimizer states held in host memory, 0 to 100%. "
                "Default 0. Frees device memory, but moves data over the host link."));
    m_offloadActivations =
        addQuantity(tr("Activation offload"), QStringLiteral("/offload/activations"), Quantity::share, 0, 1, into);
    describe(m_offloadActivations,
             tr("Fraction of saved activations held in host memory until the backward pass, 0 to "
                "100%. Default 0. Try it if recomputation costs too much time."));
    m_offloadOuter = addToggle(tr("Outer state offload"), QStringLiteral("/offload/outer"), into);
    describe(m_offloadOuter,
             tr("Holds DiLoCo's outer parameters, momentum and error feedback in host memory, if the hosts have any. "
                "Default: on."));
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
    m_micro->showFixed(constraints_of(view.plan).fixed[static_cast<std::size_t>(ConfigurationField::micro_sequences)]);
    const double perMicrobatch =
        static_cast<double>(view.plan.parallelism.data) * static_cast<double>(batch.micro_sequences);
    const double microbatches = static_cast<double>(batch.global_sequences) / perMicrobatch;
    const bool whole = microbatches == std::floor(microbatches);
    m_microbatches->setSentence(whole
                                    ? filled(microbatches == 1 ? tr("%1 microbatch per data-parallel rank")
                                                               : tr("%1 microbatches per data-parallel rank"),
                                             said(countText(microbatches), "microbatches"))
                                    : filled(tr("Fractional microbatch count: %1 ÷ (%2 × %3)"), batch.global_sequences,
                                             view.plan.parallelism.data, batch.micro_sequences));
    m_microbatches->setColour(whole ? ColourRole::Text2 : ColourRole::Warn);
    const double tokens = static_cast<double>(batch.global_sequences) * static_cast<double>(batch.sequence_length);
    summarise(tr("%1 tokens").arg(tokens < 1e6 ? countText(tokens) : plainText(tokens)));
}

} // namespace meshwright
