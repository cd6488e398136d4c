// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <QPushButton>

namespace meshwright {

/// What a fix brings, as it is read: "−2.8 s".
QString gainTextOf(const Fix &fix);

/// One fix of a diagnostic: what it does. What it brings stands beside it.
class FixButton : public QPushButton {
    Q_OBJECT

public:
    explicit FixButton(QWidget *parent = nullptr);

    void setFix(const Fix &fix);
    const Fix &fix() const { return m_fix; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Fix m_fix;
};

} // namespace meshwright
