// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_run.h"
#include "views/plan_view.h"

#include <QWidget>

namespace meshwright {

class Card;
class FactList;
class HeldList;
class FigureSentence;
class TextLabel;

/// What stands in a rank's memory where it is highest: the operation, bytes by kind, and every tensor, largest first.
/// Its kinds are the legend of the chart.
class PeakCard : public QWidget {
    Q_OBJECT

public:
    static constexpr int Width = 296;

    explicit PeakCard(QWidget *parent = nullptr);

    void showRun(const MemoryRun &run);
    /// The plan's own figure of the same rank, where it is known.
    void showPlan(const PlanView &view, const MemoryRun &run);
    const HeldList *kinds() const { return m_kinds; }
    const HeldList *tensors() const { return m_tensors; }

private:
    Card *m_card;
    TextLabel *m_operation;
    FigureSentence *m_room;
    HeldList *m_kinds;
    FactList *m_figures;
    TextLabel *m_heading;
    HeldList *m_tensors;
};

} // namespace meshwright
