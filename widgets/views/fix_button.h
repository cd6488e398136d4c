// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <QPushButton>

#include <functional>

namespace meshwright {

/// What a fix brings, as it is read: "−2.8 s".
QString gainTextOf(const Fix &fix);

/// One fix of a diagnostic: what it does. What it brings stands beside it.
class FixButton : public QPushButton {
    Q_OBJECT

public:
    explicit FixButton(QWidget *parent = nullptr);

    /// Says what a fix changes of the plan as it then is, for the tool tip.
    using Changes = std::function<QString(const Fix &fix)>;
    void setFix(const Fix &fix, Changes changes = {});
    const Fix &fix() const { return m_fix; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// The pointer or the focus is on it, or has left it.
    void looked(bool at);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    Fix m_fix;
    Changes m_changes;
};

} // namespace meshwright
