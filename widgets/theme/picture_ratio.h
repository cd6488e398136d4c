// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

class QWidget;

namespace meshwright {

/// Pixels per logical pixel in a widget's cached pictures: the screen's ratio, times the scale of the picture that is
/// being exported.
qreal pictureRatio(const QWidget *widget);

/// While an instance exists, pictures of widgets are `scale` times as large. For the window's thread only.
class PictureScale {
public:
    explicit PictureScale(qreal scale);
    ~PictureScale();
    PictureScale(const PictureScale &) = delete;
    PictureScale &operator=(const PictureScale &) = delete;
};

} // namespace meshwright
