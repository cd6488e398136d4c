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
    m_rental = addQuantity(tr("Accelerator rent"), QStringLiteral("/run/rental_dollars_per_accelerator_hour"),
                           Quantity::dollars_per_hour, 0, 1e6);
    m_rental->setSingleStep(0.1);
    auto *power = new Disclosure(tr("Energy"), this);
    rows()->addWidget(power);
    QVBoxLayout *into = power->contentLayout();
    m_energy = addQuantity(tr("Electricity"), QStringLiteral("/run/energy_dollars_per_kilowatt_hour"),
                           Quantity::dollars_per_kilowatt_hour, 0, 1e6, into);
    m_effectiveness =
        addQuantity(tr("PUE"), QStringLiteral("/run/power_usage_effectiveness"), Quantity::number, 1, 10, into);
    m_effectiveness->setToolTip(tr("Power usage effectiveness: the site's power over that of its machines"));
    m_powerShare = addQuantity(tr("Mean draw"), QStringLiteral("/run/power_share"), Quantity::share, 0.01, 2, into);
    m_powerShare->setToolTip(tr("Mean power over the accelerator's rated power"));
}

void RunPanel::addFaults() {
    auto *faults = new Disclosure(tr("Failures and checkpoints"), this);
    rows()->addWidget(faults);
    QVBoxLayout *into = faults->contentLayout();
    m_mtbf = addQuantity(tr("MTBF of one"), QStringLiteral("/faults/accelerator_mtbf_seconds"), Quantity::seconds, 1,
                         1e15, into);
    m_mtbf->setToolTip(tr("Mean time between failures of one accelerator and its share of the node"));
    m_recovery =
        addQuantity(tr("Recovery"), QStringLiteral("/faults/recovery_seconds"), Quantity::seconds, 0, 1e9, into);
    m_checkpointRate =
        addQuantity(tr("Checkpoint rate"), QStringLiteral("/faults/checkpoint_bandwidth_bytes_per_second"),
                    Quantity::bytes_per_second, 1, 1e15, into);
    m_store = addOptional(tr("Checkpoint store"), QStringLiteral("/faults/checkpoint_store_bytes_per_second"),
                          Quantity::bytes_per_second, tr("no limit"), 1, 1e18, into);
    m_store->setToolTip(
        tr("What the store takes from all writers of a site; the next checkpoint begins when the last one is stored"));
    m_blocking = addQuantity(tr("Blocking share"), QStringLiteral("/faults/checkpoint_blocking_share"), Quantity::share,
                             0, 1, into);
}

void RunPanel::showResult(const PlanView &view) {
    m_curves->showResult(view);
    if (view.result == nullptr || !view.valid) {
        m_perParameter->setText(QString(QChar(0x2013)));
        return;
    }
    // Hoffmann and others (arXiv 2203.15556) fit dense models; of experts those that a token meets count.
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
            ? tr("%1; Chinchilla-optimal is about 20, more gives a smaller model that serves cheaper").arg(text)
            : tr("%1; Chinchilla-optimal is about 20").arg(text));
    m_perParameter->setColour(ratio < 0.5 * optimal ? ColourRole::Warn : ColourRole::Text2);
}

void RunPanel::showFields(const PlanView &view) {
    const Run &run = view.plan.run;
    m_tokens->showQuantity(run.tokens);
    m_rental->showQuantity(run.rental_dollars_per_accelerator_hour);
    m_energy->showQuantity(run.energy_dollars_per_kilowatt_hour);
    m_effectiveness->showQuantity(run.power_usage_effectiveness);
    m_powerShare->showQuantity(run.power_share);
    const Faults &faults = view.plan.faults;
    m_mtbf->showQuantity(faults.accelerator_mtbf_seconds);
    m_recovery->showQuantity(faults.recovery_seconds);
    m_checkpointRate->showQuantity(faults.checkpoint_bandwidth_bytes_per_second);
    m_store->showOptional(faults.checkpoint_store_bytes_per_second);
    m_blocking->showQuantity(faults.checkpoint_blocking_share);
    summarise(figureText(run.tokens, Quantity::tokens));
}

} // namespace meshwright
