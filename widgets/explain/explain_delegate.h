// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace meshwright {

class Theme;

/// Draws rows of two lines: a formula, and the formula with the plan's numbers. While the formula column is hidden, the
/// numbers are shown under the title. A row grows with a title that needs more lines.
class ExplainDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int RowHeight = 40;

    using QStyledItemDelegate::QStyledItemDelegate;
    void setFormulaColumnShown(bool shown) { m_formulaColumn = shown; }
    /// Whether the origin has a column of its own; otherwise it is shown under the value.
    void setOriginColumnShown(bool shown) { m_originColumn = shown; }

    /// A row that is tinted, such as the row of the symbol under the pointer; none if invalid.
    void setLit(const QModelIndex &row) { m_lit = row; }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintTitle(QPainter &painter, const QRect &area, const QModelIndex &index, const Theme &theme) const;

    bool m_formulaColumn = true;
    bool m_originColumn = true;
    QPersistentModelIndex m_lit;
};

} // namespace meshwright
