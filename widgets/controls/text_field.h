// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace meshwright {

/// A line of text with the manners of ValueField: typing changes nothing until Enter or the loss of focus, Esc brings
/// the shown text back, undo belongs to the text only until then, and a refused text stays and says why.
class TextField : public QLineEdit {
    Q_OBJECT

public:
    explicit TextField(QWidget *parent = nullptr);

    /// Silent. While the user types, the typing stays; it is replaced when they leave.
    void showText(const QString &text);
    QString shownText() const { return m_shown; }
    bool hasPendingText() const { return m_pending; }
    /// Why the text in the field is not the value; empty if it is.
    QString rejection() const { return m_rejection; }
    void setRejection(const QString &reason);
    void restore();

Q_SIGNALS:
    /// Another text than the one shown. Whoever takes it shows the text that came of it; else the old one comes back.
    void committed(const QString &text);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void commit();

    QString m_shown;
    QString m_rejection;
    QString m_refused; ///< the text that the rejection is of
    bool m_pending = false;
};

} // namespace meshwright
