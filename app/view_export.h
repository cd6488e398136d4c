// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

class QWidget;

namespace meshwright {

/// PNG pictures are offered up to this scale.
inline constexpr int largestPictureScale = 4;

/// A view as shown, `scale` times as large as on screen.
QImage pictureOf(QWidget &view, int scale);
/// An image as a PNG file.
QByteArray pngOf(const QImage &image);
/// A view as shown, as vectors; timelines and areas with many shapes become embedded images.
QByteArray svgOf(QWidget &view, const QString &title);

} // namespace meshwright
