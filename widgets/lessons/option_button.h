// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRadioButton>

namespace meshwright {

class OptionButton : public QRadioButton {
    Q_OBJECT

public:
    explicit OptionButton(const QString &text, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool hitButton(const QPoint &place) const override { return rect().contains(place); }

private:
    int lineHeight() const;
    int textLeft() const;
    QRect textRect(int width) const;
};

} // namespace meshwright
