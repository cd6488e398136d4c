// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "plan/constraints.h"
#include "search/configuration_columns.h"

#include <QHeaderView>
#include <QTableView>

#include <map>
#include <vector>

namespace meshwright {

class ConfigurationSelection;
class ConfigurationSortModel;
class ConfigurationTableModel;

/// The header of the table. Each column of a setting has a padlock; it is closed if the search does not change the
/// plan's value.
class LockHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit LockHeader(QWidget *parent = nullptr);
    void setConstraints(const Constraints &constraints);
    QRect lockRect(int section) const;
    QSize sectionSizeFromContents(int section) const override;

Q_SIGNALS:
    void lockToggled(meshwright::ConfigurationField field, bool held);

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    Constraints m_constraints;
    int m_pointed = -1;
};

/// The table of configurations. A double click or Enter applies a row, and Space or a click on the pin pins it. A click
/// or Enter on a figure in the plan's own row explains the figure, as F1 does in any row. The context menu offers the
/// same actions.
class ConfigurationTable : public QTableView, public FigureSource {
    Q_OBJECT

public:
    explicit ConfigurationTable(ConfigurationSelection *selection, QWidget *parent = nullptr);

    LockHeader *header() const { return m_header; }
    ConfigurationSortModel *sorted() const { return m_sorted; }
    /// Shows the columns that are useful for the objective and the model, and those that the user selected, each as
    /// wide as its contents. If they do not fit, settings with the same value in every row are hidden.
    void arrangeColumns();
    /// Shows or hides a column in these and all later search results. The header's context menu calls this function.
    void askFor(ColumnId column, bool shown);

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    bool pressActsOtherwise(const QPoint &place) const override;
    FigureRef currentFigure() const override;
    bool isScaleAt(const QPoint &place) const override;

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    int rowOf(const QModelIndex &index) const;
    bool isUsed(ColumnUse use) const;
    void makeRoom(const std::vector<int> &widths);
    void showColumnMenu(const QPoint &place);
    void showRowMenu(const QPoint &place);
    void open(const QModelIndex &index);
    void copy(int row) const;
    void showChosen(int row);

    ConfigurationSelection *m_selection;
    ConfigurationTableModel *m_model;
    ConfigurationSortModel *m_sorted;
    LockHeader *m_header;
    std::map<int, bool> m_asked;
    bool m_showing = false;
};

} // namespace meshwright
