// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_export.h"

#include "svg_picture.h"
#include "theme/picture_ratio.h"
#include "theme/theme.h"

#include <QBuffer>
#include <QPainter>
#include <QWidget>

namespace meshwright {

QImage pictureOf(QWidget &view, int scale) {
    const PictureScale larger(scale);
    const qreal ratio = view.devicePixelRatioF() * scale;
    QImage image((QSizeF(view.size()) * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Theme::of(&view).colour(ColourRole::Window));
    view.render(&image);
    return image;
}

QByteArray pngOf(const QImage &image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray svgOf(QWidget &view, const QString &title) {
    constexpr int scaleOfImages = 2; // image pixels per screen pixel, so that pictures are sharp in print
    const PictureScale larger(scaleOfImages);
    SvgPicture picture(view.size(), title);
    view.render(&picture);
    return picture.finish();
}

} // namespace meshwright
