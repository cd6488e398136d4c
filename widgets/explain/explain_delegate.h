// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace meshwright {

/// Draws rows of two lines: a formula, and the formula with the plan's numbers. While the formula column is hidden, the
/// numbers are shown under the title.
class ExplainDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int RowHeight = 40;

    using QStyledItemDelegate::QStyledItemDelegate;
    void setFormulaColumnShown(bool shown) { m_formulaColumn = shown; }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    bool m_formulaColumn = true;
};

} // namespace meshwright
