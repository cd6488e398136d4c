// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_panel.h"

#include "canvases/axis.h"
#include "controls/disclosure.h"
#include "controls/optional_quantity_box.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "panels/run_curves_view.h"

#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

RunPanel::RunPanel(QWidget *parent)
    : PlanPanel(parent)
    , m_tokens(addQuantity(tr("Tokens"), QStringLiteral("/run/tokens"), Quantity::tokens, 1, 1e21))
    , m_curves(new RunCurvesView(this)) {
    describe(m_tokens,
             tr("Training tokens of the whole run, summed over sites. Default: 20 per (active) parameter "
                "(Chinchilla, arXiv 2203.15556). Run time and cost grow in proportion."));
    m_perParameter = new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this);
    m_perParameter->setObjectName(QStringLiteral("tokensPerParameter"));
    m_perParameter->setWordWrap(true);
    showsNoFigures(m_perParameter, NotFigures::setting);
    rows()->addWidget(m_perParameter);
    addPrices();
    addFaults();
    auto *curves = new Disclosure(tr("Curves of the run"), this);
    curves->setObjectName(QStringLiteral("runCurvesDisclosure"));
    rows()->addWidget(curves);
    curves->contentLayout()->addWidget(m_curves);
}

void RunPanel::addPrices() {
    m_rental = addQuantity(tr("Rental price"), QStringLiteral("/run/rental_dollars_per_accelerator_hour"),
                           Quantity::dollars_per_hour, 0, 1e6);
    m_rental->setSingleStep(0.1);
    describe(m_rental,
             tr("Price of one accelerator-hour in $. Default: the accelerator preset's list price. Set it to what "
                "you pay; it changes cost only."));
    auto *power = new Disclosure(tr("Energy"), this);
    rows()->addWidget(power);
    QVBoxLayout *into = power->contentLayout();
    m_energy = addQuantity(tr("Electricity price"), QStringLiteral("/run/energy_dollars_per_kilowatt_hour"),
                           Quantity::dollars_per_kilowatt_hour, 0, 1e6, into);
    describe(m_energy,
             tr("Price of electricity in $ per kWh. Default: the US industrial average. Set it to your site's "
                "price; it changes energy cost only."));
    m_effectiveness =
        addQuantity(tr("PUE"), QStringLiteral("/run/power_usage_effectiveness"), Quantity::number, 1, 10, into);
    describe(m_effectiveness,
             tr("Power usage effectiveness: facility power ÷ accelerator power, 1 to 10. About 1.1 in "
                "hyperscale data centers, 1.5 on average."));
    m_powerFraction =
        addQuantity(tr("Mean power draw"), QStringLiteral("/run/power_share"), Quantity::share, 0.01, 2, into);
    describe(m_powerFraction,
             tr("Mean power draw of an accelerator as a fraction of its rated power, 1% to 200%. Default "
                "100%, an upper bound. Set it if you have measured it."));
}

void RunPanel::addFaults() {
    auto *faults = new Disclosure(tr("Failures and checkpoints"), this);
    rows()->addWidget(faults);
    QVBoxLayout *into = faults->contentLayout();
    m_mtbf = addQuantity(tr("Accelerator MTBF"), QStringLiteral("/faults/accelerator_mtbf_seconds"), Quantity::seconds,
                         1, 1e15, into);
    describe(m_mtbf,
             tr("Mean time between failures of one accelerator, including its part of the node's failures. Default: "
                "from the "
                "interruptions of Llama 3's run. With N accelerators a job fails N times as often."));
    m_recovery =
        addQuantity(tr("Recovery time"), QStringLiteral("/faults/recovery_seconds"), Quantity::seconds, 0, 1e9, into);
    describe(m_recovery,
             tr("Time to detect a failure, restart and reload the checkpoint, in addition to the work lost since "
                "that checkpoint: minutes with hot spares, an hour by hand."));
    m_checkpointRate =
        addQuantity(tr("Write bandwidth"), QStringLiteral("/faults/checkpoint_bandwidth_bytes_per_second"),
                    Quantity::bytes_per_second, 1, 1e15, into);
    describe(m_checkpointRate,
             tr("Bandwidth at which each accelerator writes its part of a checkpoint, in bytes/s. Set it "
                "to your storage's measured rate."));
    m_store = addOptional(tr("Storage bandwidth"), QStringLiteral("/faults/checkpoint_store_bytes_per_second"),
                          Quantity::bytes_per_second, tr("no limit"), 1, 1e18, into);
    describe(m_store,
             tr("Write bandwidth of the checkpoint storage for all writers of a site, in bytes/s. Default: no "
                "limit. The next checkpoint starts only when the previous one is stored."));
    m_blockingFraction = addQuantity(tr("Blocking fraction"), QStringLiteral("/faults/checkpoint_blocking_share"),
                                     Quantity::share, 0, 1, into);
    describe(m_blockingFraction,
             tr("Fraction of a checkpoint's write time that stops training, 0 to 100%. Default 100%; "
                "lower it for asynchronous checkpoints."));
}

void RunPanel::showResult(const PlanView &view) {
    m_curves->showResult(view);
    if (view.result == nullptr || !view.valid) {
        m_perParameter->setText(QString(QChar(0x2013)));
        return;
    }
    // Hoffmann et al. (arXiv 2203.15556) fitted dense models; for MoE models the active parameters are counted.
    constexpr double optimal = 20;
    const auto &parameters = view.result->parameters;
    const bool dense = parameters.active >= 0.999 * parameters.total;
    const double ratio = view.result->run.tokens / std::max(1.0, parameters.active);
    const QString number = figure(ratio);
    const QString text =
        dense ? tr("%1 tokens per parameter").arg(number) : tr("%1 tokens per active parameter").arg(number);
    m_perParameter->setText(
        ratio < 0.5 * optimal ? tr("%1, too few: Chinchilla-optimal is about 20").arg(text)
            : ratio > 2 * optimal
            ? tr("%1; Chinchilla-optimal is about 20, but more tokens allow a smaller model that is cheaper to serve")
                  .arg(text)
            : tr("%1; Chinchilla-optimal is about 20").arg(text));
    m_perParameter->setColour(ratio < 0.5 * optimal ? ColourRole::Warn : ColourRole::Text2);
}

void RunPanel::showFields(const PlanView &view) {
    const Run &run = view.plan.run;
    m_tokens->showQuantity(run.tokens);
    m_rental->showQuantity(run.rental_dollars_per_accelerator_hour);
    m_energy->showQuantity(run.energy_dollars_per_kilowatt_hour);
    m_effectiveness->showQuantity(run.power_usage_effectiveness);
    m_powerFraction->showQuantity(run.power_share);
    const Faults &faults = view.plan.faults;
    m_mtbf->showQuantity(faults.accelerator_mtbf_seconds);
    m_recovery->showQuantity(faults.recovery_seconds);
    m_checkpointRate->showQuantity(faults.checkpoint_bandwidth_bytes_per_second);
    m_store->showOptional(faults.checkpoint_store_bytes_per_second);
    m_blockingFraction->showQuantity(faults.checkpoint_blocking_share);
    summarise(figureText(run.tokens, Quantity::tokens));
}

} // namespace meshwright
