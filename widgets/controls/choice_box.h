// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace meshwright {

/// A combo box in a panel row. It shrinks to the row's width, and the mouse wheel scrolls the panel instead of changing
/// the choice.
class ChoiceBox : public QComboBox {
    Q_OBJECT

public:
    explicit ChoiceBox(QWidget *parent = nullptr);

    /// Makes the list as wide as its longest name, even if the field is narrower.
    void showPopup() override;

    QSize minimumSizeHint() const override { return {56, 24}; }

protected:
    void keyPressEvent(QKeyEvent *event) override;
};

} // namespace meshwright
