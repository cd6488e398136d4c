// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/picture_ratio.h"

#include <QWidget>

namespace meshwright {

namespace {

qreal &exportedScale() {
    static qreal scale = 1;
    return scale;
}

} // namespace

qreal pictureRatio(const QWidget *widget) {
    return widget->devicePixelRatioF() * exportedScale();
}

PictureScale::PictureScale(qreal scale) {
    exportedScale() = scale;
}

PictureScale::~PictureScale() {
    exportedScale() = 1;
}

} // namespace meshwright
