// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pictures/collective_map.h"
#include "pictures/picture_scene.h"

namespace meshwright {

/// An all-reduce step by step: the ranks with the chunks in transit, the partial sums of each rank, and the time.
class CollectiveScene : public PictureScene {
public:
    struct About {
        QString title;
        CollectiveShape shape = CollectiveShape::Ring;
        int ranksPerNode = 1;
        double bytes = 0; ///< bytes of the whole tensor
        QString note; ///< times shown for comparison, as text
    };

    CollectiveScene(About about, CollectiveSteps steps);

    QString title() const override { return m_about.title; }
    int lastStep() const override { return int(m_all.steps.size()); }
    QString sentence(int number) const override;
    void paint(QPainter &painter, const QRectF &rect, const PictureMoment &moment, const Theme &theme) const override;
    HoverContent describe(const QPointF &place, const QRectF &rect, int step) const override;
    QPainterPath outlineOf(const QString &parameter, const QRectF &rect, int step) const override;

private:
    struct Areas {
        QRectF heading;
        QRectF map;
        QRectF matrix;
        QRectF strip;
    };
    Areas areasIn(const QRectF &rect) const;
    CollectiveMap mapIn(const Areas &areas) const;
    /// The step with this number, counted from 1; null for the start.
    const CollectiveStep *stepOf(int number) const;
    /// The paths of the messages of a step in the scope: of the step with this number or, if it has none, of the first
    /// that has.
    QPainterPath waysOf(const CollectiveMap &map, CollectiveScope scope, int number) const;
    const ChunkMessage &narrated(const CollectiveStep &step) const;
    QString chunksOf(const ChunkMessage &message) const;
    double secondsAfter(int steps) const;
    /// Position on the time strip at which the first `steps` steps end, as a fraction of its width.
    double stripEnd(int steps) const;

    void paintHeading(QPainter &painter, const QRectF &rect, int step, const Theme &theme) const;
    void paintMessages(QPainter &painter, const CollectiveMap &map, const PictureMoment &moment,
                       const Theme &theme) const;
    void paintStrip(QPainter &painter, const QRectF &rect, const PictureMoment &moment, const Theme &theme) const;
    HoverContent describeCell(int rank, int chunk, int step) const;
    HoverContent describeRank(int rank, int number) const;
    HoverContent describeStep(int number) const;

    About m_about;
    CollectiveSteps m_all;
};

std::unique_ptr<PictureScene> makeCollectiveScene(const Picture &picture);

} // namespace meshwright
