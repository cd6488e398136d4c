// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace meshwright {

/// A combo box for a row of a panel: gives way to the row's width, and leaves the wheel to the panel's scrolling.
class ChoiceBox : public QComboBox {
    Q_OBJECT

public:
    explicit ChoiceBox(QWidget *parent = nullptr);

    /// The list is as wide as its longest name, though the field is narrower.
    void showPopup() override;

    QSize minimumSizeHint() const override { return {56, 24}; }

protected:
    void keyPressEvent(QKeyEvent *event) override;
};

} // namespace meshwright
