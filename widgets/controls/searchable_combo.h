// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/combo_item.h"

#include <QAbstractButton>
#include <QVector>

namespace meshwright {

class ComboPopup;

/// A field that opens a list with a line to search it, for choices too many to scroll. Enter, Space or Down opens it;
/// typing on the closed field opens it with what was typed.
class SearchableCombo : public QAbstractButton {
    Q_OBJECT

public:
    explicit SearchableCombo(QWidget *parent = nullptr);

    /// Keeps the chosen id if it is still among them.
    void setItems(const QVector<ComboItem> &items);
    const QVector<ComboItem> &items() const { return m_items; }
    QString currentId() const { return m_currentId; }
    /// Shown while the current id is not among the items, e.g. "Custom".
    void setUnknownText(const QString &text);
    void setPlaceholder(const QString &text);
    ComboPopup *popup() const { return m_popup; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public Q_SLOTS:
    /// Silent as to chosen().
    void setCurrentId(const QString &id);
    void openPopup();

Q_SIGNALS:
    /// The user has taken another item.
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
