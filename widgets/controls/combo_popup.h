// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/combo_item.h"

#include <QFrame>
#include <QVector>

class QLabel;
class QLineEdit;
class QListView;

namespace meshwright {

class ComboDelegate;
class ComboFilter;
class ComboModel;

/// The popup of a SearchableCombo: a filter field and the matching items. The arrow keys move, Enter chooses, Esc
/// closes.
class ComboPopup : public QFrame {
    Q_OBJECT

public:
    explicit ComboPopup(QWidget *parent);

    void setItems(const QVector<ComboItem> &items);
    void setPlaceholder(const QString &text);
    /// Opens below `anchor`, or above it if there is no room below. The width follows the items, within 240 to 460
    /// pixels.
    void openAt(QWidget *anchor, const QString &chosenId);
    int matchCount() const;

    QLineEdit *filterEdit() const { return m_edit; }
    QListView *view() const { return m_view; }

Q_SIGNALS:
    void picked(const QString &id);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void filter(const QString &words);
    void pick();
    void selectRow(int row);

    bool m_blended; ///< whether the popup may be translucent; if not, it has square corners and no shadow
    int m_spread;
    ComboModel *m_model;
    ComboFilter *m_filter;
    ComboDelegate *m_delegate;
    QLineEdit *m_edit;
    QListView *m_view;
    QLabel *m_nothing;
};

} // namespace meshwright
