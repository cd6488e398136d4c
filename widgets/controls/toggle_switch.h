// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

class QVariantAnimation;

namespace meshwright {

/// An on/off switch that takes effect immediately. text() is only the accessible name, because the row's label shows
/// the visible text.
class ToggleSwitch : public QAbstractButton {
    Q_OBJECT

public:
    explicit ToggleSwitch(const QString &name = {}, QWidget *parent = nullptr);

    QSize sizeHint() const override { return {32, 20}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QVariantAnimation *m_slide;
    qreal m_position = 0;
};

} // namespace meshwright
