// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pictures/overlap_lanes.h"
#include "pictures/picture_scene.h"

#include <vector>

namespace meshwright {

/// The backward pass on a time axis, with the gradient reductions that overlap with it. Each animation step ends when a
/// layer or a reduction ends.
class OverlapScene : public PictureScene {
public:
    explicit OverlapScene(OverlapLanes lanes);

    QString title() const override;
    int lastStep() const override { return int(m_times.size()) - 1; }
    QString sentence(int step) const override;
    void paint(QPainter &painter, const QRectF &rect, const PictureMoment &moment, const Theme &theme) const override;
    HoverContent describe(const QPointF &place, const QRectF &rect, int step) const override;
    QPainterPath outlineOf(const QString &parameter, const QRectF &rect, int step) const override;

private:
    enum class Lane { Backward, Reductions };
    const std::vector<LaneBlock> &blocks(Lane lane) const;
    QRectF plotIn(const QRectF &rect) const;
    QRectF areaOf(const QRectF &plot, Lane lane, const LaneBlock &block) const;
    QString exposedText() const;
    void paintLane(QPainter &painter, const QRectF &plot, Lane lane, double now, const Theme &theme) const;
    void paintAxis(QPainter &painter, const QRectF &plot, const Theme &theme) const;

    OverlapLanes m_lanes;
    std::vector<double> m_times; ///< start time of each step, from 0
};

std::unique_ptr<PictureScene> makeOverlapScene(const Picture &picture);

} // namespace meshwright
