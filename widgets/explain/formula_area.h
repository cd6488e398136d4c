// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace meshwright {

/// Background surface of formulas.
class FormulaArea : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace meshwright
