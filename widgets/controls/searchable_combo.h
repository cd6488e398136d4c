// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/combo_item.h"

#include <QAbstractButton>
#include <QVector>

namespace meshwright {

class ComboPopup;

/// A combo box with a filter field, for lists too long to scroll. Enter, Space or Down opens it; typing on the closed
/// box opens it with the typed text as filter.
class SearchableCombo : public QAbstractButton {
    Q_OBJECT

public:
    explicit SearchableCombo(QWidget *parent = nullptr);

    void setItems(const QVector<ComboItem> &items);
    const QVector<ComboItem> &items() const { return m_items; }
    QString currentId() const { return m_currentId; }
    /// Text to show if the current id is not among the items, such as "Custom".
    void setUnknownText(const QString &text);
    void setPlaceholder(const QString &text);
    ComboPopup *popup() const { return m_popup; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public Q_SLOTS:
    /// Does not emit chosen().
    void setCurrentId(const QString &id);
    void openPopup();

Q_SIGNALS:
    void chosen(const QString &id);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    void refreshText();

    QVector<ComboItem> m_items;
    QString m_currentId;
    QString m_unknownText;
    ComboPopup *m_popup;
};

} // namespace meshwright
