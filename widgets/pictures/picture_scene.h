// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "pictures/picture.h"

#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <memory>

class QPainter;

namespace meshwright {

class Theme;

/// A moment of an animated picture: a step and its completed fraction, from 0 to 1.
struct PictureMoment {
    int step = 0;
    double progress = 1;
};

/// The content and captions of an animated picture. Immutable; paints with vectors on any device.
class PictureScene {
public:
    PictureScene() = default;
    virtual ~PictureScene() = default;
    PictureScene(const PictureScene &) = delete;
    PictureScene &operator=(const PictureScene &) = delete;

    virtual QString title() const = 0;
    /// The last step; step 0 is the start.
    virtual int lastStep() const = 0;
    virtual int firstStep() const { return 0; }
    /// The caption of a step.
    virtual QString sentence(int step) const = 0;
    /// Paints inside the rectangle only.
    virtual void paint(QPainter &painter, const QRectF &rect, const PictureMoment &moment,
                       const Theme &theme) const = 0;
    /// Hover text for a place in the picture; without a title if there is nothing.
    virtual HoverContent describe(const QPointF &place, const QRectF &rect, int step) const = 0;
    /// Outline of what a parameter of the picture stands for: the discs of "ranks", the arrows of "bandwidth". Empty
    /// for other names.
    virtual QPainterPath outlineOf(const QString &parameter, const QRectF &rect, int step) const = 0;
};

/// @param picture  picture with all parameters set, as returned by complete()
std::unique_ptr<PictureScene> makeScene(const Picture &picture);

} // namespace meshwright
