// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace meshwright {

/// Draws an item: its text, its detail at the right, and the group's heading above the first item of a group.
class ComboDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int RowHeight = 28;
    static constexpr int GroupHeight = 24;
    static constexpr int SecondLineHeight = 16;

    using QStyledItemDelegate::QStyledItemDelegate;
    /// Sets the id of the current item, which has a check mark.
    void setChosen(const QString &id) { m_chosen = id; }
    /// Whether items wrap to a second line in a narrow list instead of being elided.
    void setWrapping(bool wrapping) { m_wrapping = wrapping; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    int linesFor(const QStyleOptionViewItem &option, const QModelIndex &index) const;

    QString m_chosen;
    bool m_wrapping = false;
};

} // namespace meshwright
