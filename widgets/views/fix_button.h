// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <QPushButton>

#include <functional>

namespace meshwright {

/// The gain of a fix as text: "−2.8 s".
QString gainTextOf(const Fix &fix);

/// The button of one fix of a diagnostic, labeled with its effect on the plan. A label next to it shows the gain.
class FixButton : public QPushButton {
    Q_OBJECT

public:
    explicit FixButton(QWidget *parent = nullptr);

    /// Returns a description of a fix's changes to the current plan, for the tool tip.
    using Changes = std::function<QString(const Fix &fix)>;
    void setFix(const Fix &fix, Changes changes = {});
    const Fix &fix() const { return m_fix; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// The pointer or the focus has entered (true) or left (false) the button.
    void looked(bool at);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    Fix m_fix;
    Changes m_changes;
};

} // namespace meshwright
