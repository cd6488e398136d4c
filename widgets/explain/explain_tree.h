// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"

#include <QStringList>
#include <QTreeView>

namespace meshwright {

class ExplainDelegate;
class ExplainModel;

/// The tree of a derivation. Enter expands and collapses a row, and F1 shows how the figure changes
/// if the row's value grows. In a narrow tree the formula is under the title, and the origin
/// under the value, instead of in their own columns.
class ExplainTree : public QTreeView, public FigureSource {
    Q_OBJECT

public:
    /// Width of the tree in pixels from which it has a formula column.
    static constexpr int FormulaFrom = 720;
    /// Width of the tree in pixels from which it has a column with the effect of each row on the figure.
    static constexpr int EffectFrom = 480;

    explicit ExplainTree(QWidget *parent = nullptr);
    void setModel(QAbstractItemModel *model) override;
    /// Paths of the expanded rows, as joined by ExplainModel::pathOf().
    QStringList expandedPaths() const;
    void expandPaths(const QStringList &paths);

    /// Tints a row, because the pointer is on its symbol in the formula; none if invalid.
    void light(const QModelIndex &row);

    /// The effects in the rows are effects on this figure.
    void setFigureRef(const FigureRef &figure) { m_figure = figure; }

    // A press on a row shows its node next to the tree, so the row's figures are not links. The exception is the row's
    // effect on the figure, which opens its own derivation.
    QList<FigureRef> figures() const override { return {}; }
    FigureRef figureAt(const QPoint &place) const override { return effectOf(indexAt(place)); }
    FigureRef currentFigure() const override;
    bool opensAt(const QPoint &place) const override { return indexAt(place).isValid(); }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const override;

private:
    /// Empty outside the effect column and if no effect is shown.
    FigureRef effectOf(const QModelIndex &index) const;
    void arrange();
    ExplainModel *explained() const;

    ExplainDelegate *m_delegate;
    FigureRef m_figure;
};

} // namespace meshwright
