// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "canvases/label_layout.h"
#include "figures/figure_source.h"

#include <QString>
#include <QVector>
#include <QWidget>

#include <optional>

namespace meshwright {

class Theme;

/// A marker on the gauge, such as "GPU" at 1.0. `value` must be positive.
struct GaugeMarker {
    QString name;
    double value = 1;
    QString valueText;
    FigureRef figure = {};
};

struct ThresholdGaugeView {
    QVector<GaugeMarker> markers;
    /// The threshold of the chosen definition; empty for none.
    std::optional<double> threshold;
    QString thresholdLabel;
    /// Describes how the markers compare to the threshold, for assistive technology and the tool tip.
    QString description;
};

/// Compares the H100-equivalents of a GPU, a node, a site and the fleet with a threshold, on a logarithmic axis. The
/// colors are neutral, because neither side of the threshold is better.
class ThresholdGauge : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit ThresholdGauge(QWidget *parent = nullptr);

    void setView(const ThresholdGaugeView &view);
    const ThresholdGaugeView &view() const { return m_view; }

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    static LogScale scaleFor(const ThresholdGaugeView &view, qreal left, qreal right);
    static void paint(QPainter &painter, const QRectF &rect, const ThresholdGaugeView &view, const Theme &theme);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    ThresholdGaugeView m_view;
    int m_current = 0; ///< index of the marker selected by keyboard
};

/// Moves labels apart along a line until no two are closer than `gap`. Keeps their order, and keeps them near their
/// wanted positions and between `low` and `high`. Empty if they cannot all fit.
QVector<LabelSpan> spreadLabels(const QVector<LabelSpan> &wanted, qreal gap, qreal low, qreal high);

} // namespace meshwright
