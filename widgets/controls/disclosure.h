// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QWidget>

class QVBoxLayout;

namespace meshwright {

/// Advanced fields of a panel, collapsed at first into one line of text: "Network tiers ›".
class Disclosure : public QWidget {
    Q_OBJECT

public:
    explicit Disclosure(const QString &title, QWidget *parent = nullptr);

    QVBoxLayout *contentLayout() const { return m_content; }
    QAbstractButton *button() const { return m_button; }
    bool isOpen() const { return m_button->isChecked(); }
    void setOpen(bool open) { m_button->setChecked(open); }

Q_SIGNALS:
    void opened();

private:
    QAbstractButton *m_button;
    QWidget *m_body;
    QVBoxLayout *m_content;
};

} // namespace meshwright
