// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "controls/card.h"
#include "sites/sweeps.h"

namespace meshwright {

class XyChart;

/// Compute utilization by one setting. The point of the plan can be dragged to change the setting.
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
    /// The curve with the plan's point marked.
    static ChartView chartOf(const Sweep &sweep);

Q_SIGNALS:
    void chosen(meshwright::SweepOf of, double value);

private:
    SweepOf m_of;
    XyChart *m_chart;
};

/// Staleness by fragment: the number of steps from the release of a fragment to the use of its average.
class StalenessCard : public Card {
    Q_OBJECT

public:
    explicit StalenessCard(QWidget *parent = nullptr);
    void showRun(const SitesRun &run);

private:
    XyChart *m_chart;
};

} // namespace meshwright
