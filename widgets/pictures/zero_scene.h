// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pictures/picture_scene.h"
#include "pictures/zero_shards.h"

#include <array>

namespace meshwright {

/// Model states per rank with ZeRO. Each step is one ZeRO stage.
class ZeroScene : public PictureScene {
public:
    ZeroScene(const ModelStates &model, int ranks, int stage);

    QString title() const override;
    int lastStep() const override { return 3; }
    int firstStep() const override { return m_first; }
    QString sentence(int step) const override;
    void paint(QPainter &painter, const QRectF &rect, const PictureMoment &moment, const Theme &theme) const override;
    HoverContent describe(const QPointF &place, const QRectF &rect, int step) const override;
    QPainterPath outlineOf(const QString &parameter, const QRectF &rect, int step) const override;

private:
    static constexpr int States = 3;
    const StateShard &shard(int stage, int state) const;
    QRectF rowsIn(const QRectF &rect) const;
    /// The area of a whole, unsharded state in a rank's row.
    QRectF extentOf(const QRectF &rows, int rank, int state) const;

    int m_ranks;
    int m_first;
    std::array<ZeroShards, 4> m_stages;
};

std::unique_ptr<PictureScene> makeZeroScene(const Picture &picture);

} // namespace meshwright
