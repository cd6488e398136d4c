// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars.h"

#include <array>

namespace meshwright {

enum class MemoryKind { Weights, Gradients, Master, Moments, Activations, Logits, Buffers, Outer, Runtime };
inline constexpr int MemoryKindCount = static_cast<int>(MemoryKind::Runtime) + 1;

/// One stage at its peak.
struct MemoryBar {
    QString label;
    QString sublabel;
    /// By MemoryKind; a shorter list has zeros behind it.
    QVector<double> bytes;
    /// As printed. The drawn total is the sum of bytes; a caller for whom the two differ has a defect.
    double totalBytes = 0;
    QString peakOperation;
};

struct MemoryBarsView {
    QVector<MemoryBar> bars;
    /// Of one accelerator, 0 if unknown.
    double capacityBytes = 0;
    /// Less than this share of the capacity left over reads as tight.
    double tightShare = 0.05;
};

/// Memory of every stage against the capacity of an accelerator.
class MemoryBars : public StackedBars {
    Q_OBJECT

public:
    explicit MemoryBars(QWidget *parent = nullptr);

    void setView(const MemoryBarsView &view);
    const MemoryBarsView &view() const { return m_memory; }
    /// Stages under a change that is being considered, drawn as a preview; empty for none.
    void setGhost(const QVector<MemoryBar> &bars);

    static QString kindName(MemoryKind kind);
    static StackedBarsView stacked(const MemoryBarsView &view, const QVector<MemoryBar> &ghost = {}, double reach = 0);
    /// With legend, on any device.
    static void paint(QPainter &painter, const QRectF &rect, const MemoryBarsView &view, const Theme &theme);

Q_SIGNALS:
    /// By click or Enter: explain these bytes.
    void segmentActivated(int stage, meshwright::MemoryKind kind);

protected:
    HoverContent describe(SegmentIndex index) const override;
    void activate(SegmentIndex index) override;
    QVector<LegendEntry> extraLegend() const override;
    void rebuild() override;

private:
    static QVector<LegendEntry> hatches(const MemoryBarsView &view);

    MemoryBarsView m_memory;
    QVector<MemoryBar> m_ghost;
};

} // namespace meshwright

Q_DECLARE_METATYPE(meshwright::MemoryKind)
