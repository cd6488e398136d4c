// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

class QWidget;

namespace meshwright {

inline constexpr int largestPictureScale = 4;

QImage pictureOf(QWidget &view, int scale);
QByteArray pngOf(const QImage &image);
/// Renders the view as SVG; timelines and areas with many shapes become embedded images.
QByteArray svgOf(QWidget &view, const QString &title);

} // namespace meshwright
