// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "controls/card.h"
#include "sites/sweeps.h"

namespace meshwright {

class XyChart;

/// Compute utilization as a function of one setting. The plan's point can be dragged to change the setting.
class SweepCard : public Card {
    Q_OBJECT

public:
    explicit SweepCard(SweepOf of, QWidget *parent = nullptr);

    void showSweep(const Sweep &sweep);
    XyChart *chart() const { return m_chart; }
    SweepOf of() const { return m_of; }
    /// The name of a setting, e.g. "inner steps", and one of its values with its unit.
    static QString nameOf(SweepOf of);
    static QString textOf(SweepOf of, double value);
    static ChartView chartOf(const Sweep &sweep);

Q_SIGNALS:
    void chosen(meshwright::SweepOf of, double value);

private:
    SweepOf m_of;
    XyChart *m_chart;
};

/// Staleness by fragment: the number of steps between sending a fragment and using its average.
class StalenessCard : public Card {
    Q_OBJECT

public:
    explicit StalenessCard(QWidget *parent = nullptr);
    void showRun(const SitesRun &run);

private:
    XyChart *m_chart;
};

} // namespace meshwright
