// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_axis.h"
#include "canvases/hover_card.h"
#include "evidence/evidence_set.h"
#include "theme/roles.h"

#include <QPixmap>
#include <QPointF>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace meshwright {

class Theme;

/// Where the present plan stands: its estimate, and the interval in which measurements of it are expected.
struct ScatterMark {
    double estimate = 0;
    double low = 0;
    double high = 0;
    QString text;
};

/// What is drawn. Points in the order of the table.
struct ScatterView {
    std::vector<EvidencePoint> points;
    EvidenceMetric metric = EvidenceMetric::Step;
    double band = 1; ///< factor on either side of the diagonal between which 90 % of the points lie; 1 for none
    std::optional<ScatterMark> mark;
    QString description; ///< for assistive technology
};

/// Colour of a family of sources; the last one, all others, is grey.
Kind kindOfFamily(int family);

/// Predicted over measured, both logarithmic: what is right lies on the diagonal. Points are painted once and kept.
class ScatterChart : public QWidget {
    Q_OBJECT

public:
    explicit ScatterChart(QWidget *parent = nullptr);

    void setView(const ScatterView &view);
    const ScatterView &view() const { return m_view; }
    /// What the card beside a point says.
    void setCardOf(std::function<HoverContent(const EvidencePoint &)> cardOf) { m_cardOf = std::move(cardOf); }

    /// The point nearest to a place in the widget, within reach of the pointer.
    std::optional<std::size_t> pointAt(const QPointF &place) const;
    /// Where a point lies in the widget.
    QPointF placeOf(const EvidencePoint &point) const;
    std::optional<std::size_t> current() const { return m_current; }

    QSize sizeHint() const override { return {560, 360}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

Q_SIGNALS:
    /// By click, Enter or Space: open this row.
    void rowChosen(std::size_t row);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    QRectF plot() const;
    QPointF at(double measured, double predicted) const;
    void paintAxes(QPainter &painter, const Theme &theme) const;
    void paintBand(QPainter &painter, const Theme &theme) const;
    void paintPoints(QPainter &painter, const Theme &theme) const;
    void paintMark(QPainter &painter, const Theme &theme) const;
    void paintLayer();
    void point(std::optional<std::size_t> index);
    void step(int by);

    ScatterView m_view;
    ChartAxis m_axis; ///< of both directions
    std::vector<std::size_t> m_byMeasured; ///< for the arrow keys
    std::function<HoverContent(const EvidencePoint &)> m_cardOf;
    std::optional<std::size_t> m_current;
    QPixmap m_layer; ///< axes, band and points
    HoverCardSlot m_card;
};

} // namespace meshwright
