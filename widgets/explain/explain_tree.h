// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"

#include <QStringList>
#include <QTreeView>

namespace meshwright {

class ExplainDelegate;
class ExplainModel;

/// The tree of an explanation. Enter opens and closes a row, F1 what its growth does to the figure; a narrow one has no
/// column for the formula, which then stands under the title.
class ExplainTree : public QTreeView, public FigureSource {
    Q_OBJECT

public:
    /// From this width on the formula has a column of its own.
    static constexpr int FormulaFrom = 720;
    /// From this width on it says what the figure gains where a row grows.
    static constexpr int EffectFrom = 480;

    explicit ExplainTree(QWidget *parent = nullptr);
    void setModel(QAbstractItemModel *model) override;
    /// Paths of the rows that are unfolded, as ExplainModel::pathOf() joined.
    QStringList expandedPaths() const;
    void expandPaths(const QStringList &paths);

    /// What the effects of its rows are effects on.
    void setFigureRef(const FigureRef &figure) { m_figure = figure; }

    // A press on a row shows it in full beside the tree: its figures open where they are, but for the effect that the
    // row has on the figure, which opens as one of its own.
    QList<FigureRef> figures() const override { return {}; }
    FigureRef figureAt(const QPoint &place) const override { return effectOf(indexAt(place)); }
    FigureRef currentFigure() const override;
    bool opensAt(const QPoint &place) const override { return indexAt(place).isValid(); }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const override;

private:
    /// Empty outside the column of effects, and where none is shown.
    FigureRef effectOf(const QModelIndex &index) const;
    void arrange();
    ExplainModel *explained() const;

    ExplainDelegate *m_delegate;
    FigureRef m_figure;
};

} // namespace meshwright
