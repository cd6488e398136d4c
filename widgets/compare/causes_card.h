// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/comparison_run.h"
#include "controls/card.h"

namespace meshwright {

class CausesModel;
class FigureTable;
class Segmented;
class TextLabel;

/// A waterfall of the difference in one figure between plan A and another plan. The user chooses the figure and the
/// plan.
class CausesCard : public Card {
    Q_OBJECT

public:
    explicit CausesCard(QWidget *parent = nullptr);

    void showComparison(const ComparisonPointer &run);
    CausesModel *model() const { return m_model; }
    FigureTable *table() const { return m_table; }
    Segmented *figureChoice() const { return m_figure; }
    Segmented *planChoice() const { return m_plan; }
    /// Shows a figure by its result path; does nothing if the comparison does not attribute this figure to causes.
    void chooseFigure(const QString &path);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void choose();
    void fitColumns();
    void fitRows();

    ComparisonPointer m_run;
    Segmented *m_figure;
    Segmented *m_plan;
    CausesModel *m_model;
    FigureTable *m_table;
    TextLabel *m_nothing;
};

} // namespace meshwright
