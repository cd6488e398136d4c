// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace meshwright {

/// Rows of two lines: a formula, and the same with the plan's numbers. Where the formula has no column of its own, the
/// numbers stand under the title.
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
