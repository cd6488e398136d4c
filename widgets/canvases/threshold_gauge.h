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

/// "GPU", 1.0: something on the gauge. `value` > 0.
struct GaugeMarker {
    QString name;
    double value = 1;
    QString valueText;
    FigureRef figure = {}; ///< may be empty
};

struct ThresholdGaugeView {
    /// Rising.
    QVector<GaugeMarker> markers;
    /// The line that a definition draws, if one is chosen.
    std::optional<double> threshold;
    QString thresholdLabel;
    /// Says in words how the markers stand to the threshold; for assistive technology and the tooltip.
    QString description;
};

/// Sizes of GPU, node, site and fleet against a threshold on a logarithmic axis. In neutral colours: it informs, and
/// neither side of the line is the good one.
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

    /// From just below the smallest to just above the largest of markers and threshold.
    static LogScale scaleFor(const ThresholdGaugeView &view, qreal left, qreal right);
    static void paint(QPainter &painter, const QRectF &rect, const ThresholdGaugeView &view, const Theme &theme);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    ThresholdGaugeView m_view;
    int m_current = 0; ///< marker that the keys stand on
};

/// Labels moved apart along a line until none come closer than `gap`, as near to where they belong as `low` and `high`
/// allow; in the order given, which is kept. Empty if they cannot all fit.
QVector<LabelSpan> spreadLabels(const QVector<LabelSpan> &wanted, qreal gap, qreal low, qreal high);

} // namespace meshwright
