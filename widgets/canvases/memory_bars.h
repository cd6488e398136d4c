// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars.h"

#include <array>

namespace meshwright {

enum class MemoryKind { Weights, Gradients, Master, Moments, Activations, Logits, Buffers, Outer, Runtime };
inline constexpr int MemoryKindCount = static_cast<int>(MemoryKind::Runtime) + 1;

struct MemoryBar {
    QString label;
    QString sublabel;
    /// Indexed by MemoryKind; missing entries count as 0.
    QVector<double> bytes;
    /// The printed total. The bar's length is the sum of `bytes`, which the caller must make equal to this total.
    double totalBytes = 0;
    QString peakOperation;
    /// Memory capacity of this bar's accelerator if bars have different accelerators; 0 to use the view's capacity.
    double capacityBytes = 0;
};

struct MemoryBarsView {
    QVector<MemoryBar> bars;
    /// Memory capacity of one accelerator, 0 if unknown.
    double capacityBytes = 0;
    /// Headroom below this fraction of the capacity is shown as tight.
    double tightShare = 0.05;
    /// Title of the bars' sublabels in hover cards; if empty, "Part of the model".
    QString sublabelTitle = {};
};

/// Memory of every stage against the capacity of one accelerator.
class MemoryBars : public StackedBars {
    Q_OBJECT

public:
    explicit MemoryBars(QWidget *parent = nullptr);

    void setView(const MemoryBarsView &view);
    const MemoryBarsView &view() const { return m_memory; }
    /// The stages after a change that is being considered, drawn as a preview; empty for no preview.
    void setGhost(const QVector<MemoryBar> &bars);

    static QString kindName(MemoryKind kind);
    static QString kindLetter(MemoryKind kind);
    static StackedBarsView stacked(const MemoryBarsView &view, const QVector<MemoryBar> &ghost = {}, double reach = 0);
    static void paint(QPainter &painter, const QRectF &rect, const MemoryBarsView &view, const Theme &theme);

Q_SIGNALS:
    /// A segment was clicked or Enter was pressed on it: show its derivation.
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
