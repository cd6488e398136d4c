// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_run.h"
#include "views/plan_view.h"

#include <QWidget>

namespace meshwright {

class Card;
class FactList;
class MemoryList;
class FigureSentence;
class TextLabel;

/// Breakdown of a rank's peak memory: the operation during which it occurs, bytes by kind, and every tensor, largest
/// first. The list of kinds is also the legend of the chart.
class PeakCard : public QWidget {
    Q_OBJECT

public:
    static constexpr int Width = 296;

    explicit PeakCard(QWidget *parent = nullptr);

    void showRun(const MemoryRun &run);
    /// Shows the memory model's figure for the same rank if the result is known.
    void showPlan(const PlanView &view, const MemoryRun &run);
    const MemoryList *kinds() const { return m_kinds; }
    const MemoryList *tensors() const { return m_tensors; }

private:
    Card *m_card;
    TextLabel *m_operation;
    FigureSentence *m_room;
    MemoryList *m_kinds;
    FactList *m_figures;
    TextLabel *m_heading;
    MemoryList *m_tensors;
};

} // namespace meshwright
