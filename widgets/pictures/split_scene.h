// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pictures/linear_split.h"
#include "pictures/picture_scene.h"

namespace meshwright {

/// A linear layer split by columns or rows: input, weight and output with a color for each rank's shard, forward and
/// backward, and the all-reduce of partial sums.
class SplitScene : public PictureScene {
public:
    explicit SplitScene(const LinearSplit &split)
        : m_split(split) { }

    QString title() const override;
    int lastStep() const override { return 6; }
    QString sentence(int step) const override;
    void paint(QPainter &painter, const QRectF &rect, const PictureMoment &moment, const Theme &theme) const override;
    HoverContent describe(const QPointF &place, const QRectF &rect, int step) const override;
    QPainterPath outlineOf(const QString &parameter, const QRectF &rect, int step) const override;

private:
    enum class Side { Input, Weight, Output };
    enum class Spread { Whole, Columns, Rows, PartialSums };
    struct Drawn {
        QString name;
        MatrixShape whole;
        MatrixShape shard;
        Spread spread = Spread::Whole;
        bool isThere = true;
        double appeared = 1; ///< calculated fraction of the matrix, 0 to 1
        double reduced = 0; ///< completed fraction of its all-reduce, 0 to 1
    };
    Drawn drawn(Side side, const PictureMoment &moment) const;
    QRectF areaOf(Side side, const QRectF &rect) const;
    QString spreadText(const Drawn &matrix) const;
    void paintMatrix(QPainter &painter, const QRectF &area, const Drawn &matrix, const Theme &theme) const;
    void paintShards(QPainter &painter, const QRectF &area, const Drawn &matrix, const Theme &theme) const;
    void paintSheets(QPainter &painter, const QRectF &area, const Drawn &matrix, const Theme &theme) const;
    void paintTraffic(QPainter &painter, const QRectF &rect, int step, const Theme &theme) const;
    bool byColumns() const { return m_split.split == WeightSplit::columns; }

    LinearSplit m_split;
};

std::unique_ptr<PictureScene> makeSplitScene(const Picture &picture);

} // namespace meshwright
