// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace meshwright {

/// A line edit that behaves like ValueField. Enter or loss of focus commits typed text, and Esc restores the shown
/// text. Undo applies to typed text until it is committed. Rejected text stays in the field, with the reason in its
/// tool tip.
class TextField : public QLineEdit {
    Q_OBJECT

public:
    explicit TextField(QWidget *parent = nullptr);

    /// Emits no signal. Text that the user is typing stays until the field loses focus, and is then replaced.
    void showText(const QString &text);
    QString shownText() const { return m_shown; }
    bool hasPendingText() const { return m_pending; }
    /// Reason why the text was rejected; empty if it was accepted.
    QString rejection() const { return m_rejection; }
    void setRejection(const QString &reason);
    void restore();

Q_SIGNALS:
    /// The user has committed another text. The receiver calls showText() with the result; otherwise the old text
    /// returns.
    void committed(const QString &text);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void commit();

    QString m_shown;
    QString m_rejection;
    QString m_refused;
    bool m_pending = false;
};

} // namespace meshwright
