// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "search/configuration_selection.h"

#include <QPixmap>
#include <QWidget>

namespace meshwright {

class Theme;

/// Parallel coordinates: one axis per setting or figure, one line per configuration. A drag along an axis selects a
/// range (a brush) that configurations must be in; a click on the axis clears it. Keys: Left and Right select the axis,
/// Up and Down brush one of its values, Delete clears its brush.
class ParallelCoordinates : public QWidget {
    Q_OBJECT

public:
    explicit ParallelCoordinates(ConfigurationSelection *selection, QWidget *parent = nullptr);

    int axisCount() const { return int(m_axes.size()); }
    ColumnId columnOf(int axis) const { return m_axes[static_cast<std::size_t>(axis)].column; }
    qreal xOf(int axis) const;
    /// 1 if the value lies above the axis, -1 below, 0 on it. Values outside the axis get an arrow.
    int beyond(int axis, double value) const;
    qreal yOf(int axis, double value) const;

    QSize sizeHint() const override { return {640, 260}; }
    QSize minimumSizeHint() const override { return {360, 200}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    /// Values of a setting are evenly spaced on its axis; values of a figure are placed to scale.
    struct Axis {
        ColumnId column = ColumnId::tensor;
        bool discrete = true;
        std::vector<double> values; ///< ascending; for a figure only the minimum and the maximum
        std::vector<QString> texts;
    };

    void measure();
    void forget();
    QRectF plot() const;
    int axisNear(qreal x) const;
    int rowNear(const QPointF &place) const;
    std::vector<QPointF> lineOf(const LayoutRow &row) const;
    void brushTo(int axis, qreal from, qreal to);
    QPixmap paintedLines(const Theme &theme) const;
    void paintLines(QPainter &painter, const Theme &theme) const;
    void paintLine(QPainter &painter, const LayoutRow &row, const QColor &colour, qreal width,
                   Qt::PenStyle style) const;
    void paintAxis(QPainter &painter, int axis, const Theme &theme) const;

    ConfigurationSelection *m_selection;
    std::vector<Axis> m_axes;
    QPixmap m_lines;
    int m_brushed = -1; ///< axis that is being dragged; -1 for none
    qreal m_from = 0;
    bool m_dragged = false;
    int m_current = 0; ///< axis that the keys act on
    HoverCardSlot m_card;
};

} // namespace meshwright
