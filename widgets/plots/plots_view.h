// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/view.h"

namespace meshwright {

class Library;
class PlotCard;
class Segmented;

class PlotsView : public View {
    Q_OBJECT

public:
    /// @param library  must outlive this view
    explicit PlotsView(const Library &library, QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;
    void takeFocus() override;

    PlotCard *card() const { return m_card; }
    /// Whether the selected plot is up to date with the plan.
    bool isSettled() const;

protected:
    void showEvent(QShowEvent *event) override;

private:
    void showPlot();

    Segmented *m_pages;
    PlotCard *m_card;
    PlanView m_view;
};

} // namespace meshwright
