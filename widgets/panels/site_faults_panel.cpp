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
    , m_speed(addQuantity(tr("Sites differ by"), pointerOf("site_speed_variation"), Quantity::share, 0, 10))
    , m_step(addQuantity(tr("Steps differ by"), pointerOf("step_variation"), Quantity::share, 0, 10))
    , m_mtbf(addOptional(tr("A site leaves every"), pointerOf("site_mtbf_seconds"), Quantity::seconds, tr("never"), 1,
                         1e15))
    , m_absence(new QWidget(this)) {
    m_speed->setToolTip(tr("Standard deviation of sites' step times over their mean, for the whole run"));
    m_step->setToolTip(tr("Standard deviation of a step's time over its mean, from step to step"));
    m_mtbf->setToolTip(tr("Mean time between a site's departures"));
    auto *into = new QVBoxLayout(m_absence);
    into->setContentsMargins(0, 0, 0, 0);
    into->setSpacing(8);
    rows()->addWidget(m_absence);
    m_recovery =
        addQuantity(tr("Stays away for"), pointerOf("site_recovery_seconds"), Quantity::seconds, 0, 1e12, into);
    m_shape = addQuantity(tr("Weibull shape"), pointerOf("site_recovery_shape"), Quantity::number, 0.2, 20, into);
    m_shape->setToolTip(tr("Of the distribution of absences; 1 is exponential"));
    m_lost = addToggle(tr("Loses what it sends"), pointerOf("in_flight_lost"), into);
    m_lost->setToolTip(tr("An update that a departure interrupts is lost, not sent again"));
    m_rejoin = addQuantity(tr("Rejoins with"), pointerOf("rejoin_bytes_per_parameter"), Quantity::number, 0, 1000);
    m_rejoin->setToolTip(tr("Bytes a parameter that a site downloads before it takes part, at first and again"));
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
    summarise(faults.site_mtbf_seconds ? tr("every %1").arg(figureText(*faults.site_mtbf_seconds, Quantity::seconds))
                  : varies             ? tr("stragglers")
                                       : tr("none"));
}

} // namespace meshwright
