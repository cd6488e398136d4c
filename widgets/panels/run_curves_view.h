// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "evaluate/run_curves.h"
#include "views/plan_view.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;

namespace meshwright {

class FigureSentence;
class LinkButton;
class TextLabel;
class XyChart;

ChartView chartOf(const RunCurve &curve);

/// Curves of a run at the plan's own values; the user picks which one to show. Computed only while visible.
class RunCurvesView : public QWidget {
    Q_OBJECT

public:
    explicit RunCurvesView(QWidget *parent = nullptr);

    void showResult(const PlanView &view);
    bool choose(const QString &id);
    const std::vector<RunCurve> &curves() const { return m_curves; }
    XyChart *chart() const { return m_chart; }

Q_SIGNALS:
    /// The user opens the shown curve's calculator, filled with the curve's values. @param texts  texts of the
    /// arguments by symbol name
    void calculatorWanted(const QString &formula, const std::map<std::string, std::string, std::less<>> &texts);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void refresh();
    void showCurve();
    void openCalculator();

    std::shared_ptr<const Result> m_result;
    std::shared_ptr<const Result> m_drawn;
    std::vector<RunCurve> m_curves;
    QString m_id;
    QComboBox *m_choice;
    XyChart *m_chart;
    TextLabel *m_axes;
    FigureSentence *m_note;
    LinkButton *m_open;
};

} // namespace meshwright
