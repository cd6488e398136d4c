// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/result_card.h"

class QPushButton;

namespace meshwright {

class IconLabel;
class MemoryBars;
class FigureLabel;

/// Peak memory of every stage against the capacity. If the plan does not fit, a button finds a configuration that fits.
class MemoryCard : public ResultCard {
    Q_OBJECT

public:
    explicit MemoryCard(QWidget *parent = nullptr);

    MemoryBars *bars() const { return m_bars; }
    /// Enables the button; only a plan that can be evaluated can be made to fit.
    void setFixable(bool fixable);
    /// Maximum height of the bars, which scroll if there are more stages.
    void setMaxBarsHeight(int height);
    /// Hides the note on host memory, which is also in the breakdown of the memory figure.
    void setCompact(bool compact);

Q_SIGNALS:
    void smallestFitWanted();

protected:
    void showResult(const Result &result) override;

private:
    void showHost(const Result &result);

    MemoryBars *m_bars;
    QPushButton *m_fit;
    QWidget *m_hostRow;
    FigureLabel *m_host;
    bool m_compact = false;
    bool m_usesHost = false;
    bool m_fits = true;
    bool m_fixable = true;
};

} // namespace meshwright
