// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "sites/sweeps.h"

namespace meshwright {

class XyChart;

/// How busy sites are against one setting; the point of today's plan can be dragged to another value.
class SweepCard : public Card {
    Q_OBJECT

public:
    explicit SweepCard(SweepOf of, QWidget *parent = nullptr);

    void showSweep(const Sweep &sweep);
    XyChart *chart() const { return m_chart; }
    SweepOf of() const { return m_of; }
    /// "Inner steps", and a value of it with its unit.
    static QString nameOf(SweepOf of);
    static QString textOf(SweepOf of, double value);

Q_SIGNALS:
    void chosen(meshwright::SweepOf of, double value);

private:
    SweepOf m_of;
    XyChart *m_chart;
};

/// How many steps after their release fragments' averages are used.
class StalenessCard : public Card {
    Q_OBJECT

public:
    explicit StalenessCard(QWidget *parent = nullptr);
    void showRun(const SitesRun &run);

private:
    XyChart *m_chart;
};

} // namespace meshwright
