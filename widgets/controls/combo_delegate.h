// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace meshwright {

/// One line: the text, its detail at the right, and above the first item of a group the group's heading.
class ComboDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int RowHeight = 28;
    static constexpr int GroupHeight = 24;

    using QStyledItemDelegate::QStyledItemDelegate;
    /// Id of the item that is chosen at present; it has a check mark.
    void setChosen(const QString &id) { m_chosen = id; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    QString m_chosen;
};

} // namespace meshwright
