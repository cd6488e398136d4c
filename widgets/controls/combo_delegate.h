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
    static constexpr int SecondLineHeight = 16;

    using QStyledItemDelegate::QStyledItemDelegate;
    /// Id of the item that is chosen at present; it has a check mark.
    void setChosen(const QString &id) { m_chosen = id; }
    /// Items may take a second line where the list is narrow; without it they are shortened.
    void setWrapping(bool wrapping) { m_wrapping = wrapping; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    int linesFor(const QStyleOptionViewItem &option, const QModelIndex &index) const;

    QString m_chosen;
    bool m_wrapping = false;
};

} // namespace meshwright
