// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"
#include "charts/chart_axis.h"
#include "canvases/hover_card.h"
#include "evidence/evidence_set.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace meshwright {

class Theme;

/// Predicted over measured of one's own runs, both logarithmic: a ring before the fit, a dot after it, what is right on
/// the diagonal. Left and Right go from run to run.
class FitChart : public QWidget {
    Q_OBJECT

public:
    explicit FitChart(QWidget *parent = nullptr);

    void showFit(std::shared_ptr<const MachineFit> fit, EvidenceMetric metric);
    /// Runs that have the figure that is shown.
    std::size_t points() const { return m_points.size(); }

    QSize sizeHint() const override { return {340, 260}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    struct Point {
        QString name;
        FittedFigure figure;
    };
    QRectF plot() const;
    QPointF at(double measured, double predicted) const;
    QString textOf(double value) const;
    void paintAxes(QPainter &painter, const Theme &theme) const;
    void choose(std::optional<std::size_t> index);

    std::vector<Point> m_points;
    EvidenceMetric m_metric = EvidenceMetric::Step;
    ChartAxis m_axis;
    std::optional<std::size_t> m_current;
    HoverCardSlot m_card;
};

} // namespace meshwright
