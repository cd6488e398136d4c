// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "figures/figure_source.h"
#include "search/map_runner.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <utility>

namespace meshwright {

class Theme;

/// A heat map of MFU by model size (rows) and number of nodes (columns). Each cell shows the best configuration, its
/// peak memory and the fastest measured configuration, if any. A click or the arrow keys select a cell, a double click
/// or Enter applies it, F1 explains its MFU.
class MapChart : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit MapChart(QWidget *parent = nullptr);

    void setMap(ConfigurationMapPointer map);
    const ConfigurationMap *map() const { return m_map.get(); }
    /// The selected cell; null if none is selected.
    const MapCell *chosen() const;
    QRectF cellRect(std::size_t size, std::size_t column) const;

    /// Sets the function that returns the figure reference of a cell's MFU.
    void setPathOf(std::function<FigureRef(const MapCell &)> pathOf) { m_pathOf = std::move(pathOf); }
    /// Sets the function that returns the hover card's lines on how the MFU is calculated.
    void setFormulaLines(std::function<QString(const FigureRef &)> lines) { m_lines = std::move(lines); }
    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override;
    bool hasOwnHover(const QPoint &) const override { return true; }
    bool pressActsOtherwise(const QPoint &) const override { return true; }
    bool isScaleAt(const QPoint &place) const override { return !plot().contains(place); }

    QSize sizeHint() const override { return {760, 420}; }
    QSize minimumSizeHint() const override { return {420, 240}; }

Q_SIGNALS:
    void cellChosen();
    void applyWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QRectF plot() const;
    std::optional<std::size_t> cellAt(const QPointF &place) const;
    void choose(std::optional<std::size_t> index);
    void paintCell(QPainter &painter, const MapCell &cell, const Theme &theme) const;
    void paintAxes(QPainter &painter, const Theme &theme) const;

    ConfigurationMapPointer m_map;
    std::function<FigureRef(const MapCell &)> m_pathOf;
    std::function<QString(const FigureRef &)> m_lines;
    std::optional<std::size_t> m_hovered;
    std::optional<std::size_t> m_chosen;
    HoverCardSlot m_card;
};

/// Tensor, pipeline and data degree, then context and expert degree if above 1, as in "2 · 1 · 32 C2".
QString cellLayoutText(const Plan &plan);
HoverContent mapCellContent(const ConfigurationMap &map, const MapCell &cell);

} // namespace meshwright
