// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/site_faults_panel.h"

#include "controls/optional_quantity_box.h"
#include "controls/toggle_switch.h"
#include "figures/figure_text.h"

#include <QVBoxLayout>

namespace meshwright {

namespace {

QString pointerOf(const char *key) {
    return QStringLiteral("/faults/") + QLatin1String(key);
}

} // namespace

SiteFaultsPanel::SiteFaultsPanel(QWidget *parent)
    : PlanPanel(parent)
    , m_speed(addQuantity(tr("Site speed spread"), pointerOf("site_speed_variation"), Quantity::share, 0, 10))
    , m_step(addQuantity(tr("Step time spread"), pointerOf("step_variation"), Quantity::share, 0, 10))
    , m_mtbf(addOptional(tr("Site MTBF"), pointerOf("site_mtbf_seconds"), Quantity::seconds, tr("never"), 1, 1e15))
    , m_absence(new QWidget(this)) {
    describe(m_speed,
             tr("Standard deviation of the sites' step times divided by their mean. Each site's step time is drawn "
                "once for the whole run (log-normal). Default 0. Raise it to model slower sites."));
    describe(m_step,
             tr("Standard deviation of a site's step time divided by its mean. The time of every step is drawn anew "
                "(log-normal). Default 0. Raise it to model stragglers."));
    describe(m_mtbf,
             tr("Mean time between failures of a whole site. Default: never. Set it for sites that can disappear, such "
                "as spot instances."));
    auto *into = new QVBoxLayout(m_absence);
    into->setContentsMargins(0, 0, 0, 0);
    into->setSpacing(8);
    rows()->addWidget(m_absence);
    m_recovery = addQuantity(tr("Mean downtime"), pointerOf("site_recovery_seconds"), Quantity::seconds, 0, 1e12, into);
    describe(m_recovery, tr("Mean downtime of a failed site. Default 1 h."));
    m_shape = addQuantity(tr("Weibull shape"), pointerOf("site_recovery_shape"), Quantity::number, 0.2, 20, into);
    describe(m_shape,
             tr("Shape of the Weibull distribution of downtimes, 0.2 to 20. Default 1: exponential. Larger: downtimes "
                "close to their mean."));
    m_lost = addToggle(tr("Lose updates in flight"), pointerOf("in_flight_lost"), into);
    describe(m_lost,
             tr("Whether an update interrupted by a site failure is lost (default: on) or sent after the site "
                "returns."));
    m_rejoin = addQuantity(tr("Rejoin download"), pointerOf("rejoin_bytes_per_parameter"), Quantity::number, 0, 1000);
    describe(m_rejoin,
             tr("Bytes per parameter that a site downloads before joining, at the start and after each failure. "
                "Default 2: BF16 weights only."));
}

void SiteFaultsPanel::showFields(const PlanView &view) {
    const Faults &faults = view.plan.faults;
    m_speed->showQuantity(faults.site_speed_variation);
    m_step->showQuantity(faults.step_variation);
    m_mtbf->showOptional(faults.site_mtbf_seconds);
    m_absence->setVisible(faults.site_mtbf_seconds.has_value());
    m_recovery->showQuantity(faults.site_recovery_seconds);
    m_shape->showQuantity(faults.site_recovery_shape);
    m_lost->setChecked(faults.in_flight_lost);
    m_rejoin->showQuantity(faults.rejoin_bytes_per_parameter);
    const bool varies = faults.site_speed_variation > 0 || faults.step_variation > 0;
    summarise(faults.site_mtbf_seconds ? tr("MTBF %1").arg(figureText(*faults.site_mtbf_seconds, Quantity::seconds))
                  : varies             ? tr("stragglers")
                                       : tr("none"));
}

} // namespace meshwright
