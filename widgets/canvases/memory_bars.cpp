// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/memory_bars.h"

#include "figures/figure_text.h"
#include "theme/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

struct KindLook {
    const char *name;
    Kind kind;
    SegmentFill fill;
    char16_t letter;
};

// The outer state is a copy of the weights, so it has their color, with stripes.
constexpr std::array<KindLook, MemoryKindCount> Looks{{
    {QT_TRANSLATE_NOOP("MemoryBars", "Weights"), Kind::Blue, SegmentFill::Solid, u'W'},
    {QT_TRANSLATE_NOOP("MemoryBars", "Gradients"), Kind::Cyan, SegmentFill::Solid, u'G'},
    {QT_TRANSLATE_NOOP("MemoryBars", "Master weights"), Kind::Purple2, SegmentFill::Solid, u'M'},
    {QT_TRANSLATE_NOOP("MemoryBars", "Adam states"), Kind::Purple, SegmentFill::Solid, u'S'},
    {QT_TRANSLATE_NOOP("MemoryBars", "Activations"), Kind::Yellow, SegmentFill::Solid, u'A'},
    {QT_TRANSLATE_NOOP("MemoryBars", "Logits"), Kind::Red, SegmentFill::Solid, u'L'},
    {QT_TRANSLATE_NOOP("MemoryBars", "Buffers"), Kind::Green, SegmentFill::Solid, u'B'},
    {QT_TRANSLATE_NOOP("MemoryBars", "Outer state"), Kind::Blue, SegmentFill::Striped, u'O'},
    {QT_TRANSLATE_NOOP("MemoryBars", "CUDA and NCCL"), Kind::Grey, SegmentFill::Solid, u'R'},
}};

QString translated(const char *text) {
    return QCoreApplication::translate("MemoryBars", text);
}

StackedRow rowOf(const MemoryBar &bar) {
    StackedRow row;
    row.label = bar.label;
    row.sublabel = bar.sublabel;
    for (int kind = 0; kind < MemoryKindCount; ++kind) {
        const KindLook &look = Looks[size_t(kind)];
        const double bytes = kind < bar.bytes.size() ? bar.bytes[kind] : 0;
        row.segments.append({translated(look.name), bytes, look.kind, look.fill, QString(QChar(look.letter))});
    }
    return row;
}

QString bytesText(double bytes) {
    const AxisUnit unit = byteUnit(bytes);
    return figure(bytes / unit.size) + QLatin1Char(' ') + unit.name;
}

} // namespace

MemoryBars::MemoryBars(QWidget *parent)
    : StackedBars(parent) {
    setAccessibleName(tr("Memory per accelerator, by stage"));
}

QString MemoryBars::kindLetter(MemoryKind kind) {
    return QString(QChar(Looks[static_cast<std::size_t>(kind)].letter));
}

QString MemoryBars::kindName(MemoryKind kind) {
    return translated(Looks[static_cast<size_t>(kind)].name);
}

StackedBarsView MemoryBars::stacked(const MemoryBarsView &view, const QVector<MemoryBar> &ghost, double reach) {
    StackedBarsView stacked;
    stacked.reach = reach;
    for (const MemoryBar &bar : ghost)
        stacked.ghost.append(rowOf(bar));
    if (view.capacityBytes > 0)
        stacked.capacity = view.capacityBytes;
    for (const MemoryBar &bar : view.bars)
        stacked.rows.append(rowOf(bar));
    stacked.unit = byteUnit(stacked.largest());
    stacked.decimals = stacked.largest() / stacked.unit.size >= 10 ? 1 : 2;
    stacked.capacityLabel = tr("capacity %1").arg(stacked.text(view.capacityBytes));
    for (int i = 0; i < stacked.rows.size(); ++i) {
        StackedRow &row = stacked.rows[i];
        const double total = row.sum();
        row.total = stacked.textWithUnit(total);
        const double own = view.bars[i].capacityBytes;
        const double capacity = own > 0 ? own : view.capacityBytes;
        if (capacity <= 0)
            continue;
        const double free = capacity - total;
        if (ghost.size() == view.bars.size()) {
            const double next = stacked.ghost[i].sum();
            row.note = QStringLiteral("→ ") + stacked.textWithUnit(next);
            row.noteTone = next > capacity ? Tone::Bad : Tone::Accent;
        } else if (free < 0) {
            row.note = tr("%1 over").arg(stacked.textWithUnit(-free));
            row.noteTone = Tone::Bad;
        } else {
            row.note = tr("%1 free").arg(stacked.textWithUnit(free));
            row.noteTone = free < view.tightShare * capacity ? Tone::Warn : Tone::Neutral;
        }
    }
    return stacked;
}

void MemoryBars::setView(const MemoryBarsView &view) {
    m_memory = view;
    rebuild();
}

void MemoryBars::setGhost(const QVector<MemoryBar> &bars) {
    if (bars.isEmpty() && m_ghost.isEmpty())
        return;
    m_ghost = bars;
    rebuild();
}

void MemoryBars::rebuild() {
    setStackedView(stacked(m_memory, m_ghost, heldReach()));
}

QVector<LegendEntry> MemoryBars::hatches(const MemoryBarsView &view) {
    if (view.capacityBytes <= 0)
        return {};
    return {{tr("Headroom"), Kind::Grey, SegmentFill::Hatched, {}}};
}

QVector<LegendEntry> MemoryBars::extraLegend() const {
    return hatches(m_memory);
}

void MemoryBars::paint(QPainter &painter, const QRectF &rect, const MemoryBarsView &view, const Theme &theme) {
    paintTo(painter, rect, stacked(view), hatches(view), theme);
}

HoverContent MemoryBars::describe(SegmentIndex index) const {
    const MemoryBar &bar = m_memory.bars[index.row];
    const StackedRow &row = stackedView().rows[index.row];
    const StackedSegment &segment = row.segments[index.segment];
    HoverContent content;
    content.title = tr("%1, %2").arg(bar.label, segment.name);
    content.swatch = Theme::of(this).fill(segment.kind);
    content.rows.append({tr("Size"), bytesText(segment.value)});
    if (const double total = row.sum(); total > 0)
        content.rows.append({tr("Fraction of the stage's memory"), shareText(segment.value / total)});
    if (!bar.sublabel.isEmpty())
        content.rows.append(
            {m_memory.sublabelTitle.isEmpty() ? tr("Part of the model") : m_memory.sublabelTitle, bar.sublabel});
    content.rows.append({tr("Stage total"), row.total});
    if (!row.note.isEmpty())
        content.rows.append({tr("Compared to capacity"), row.note});
    double end = 0;
    for (int kind = 0; kind <= index.segment; ++kind)
        end += row.segments[kind].value;
    const double capacity = bar.capacityBytes > 0 ? bar.capacityBytes : m_memory.capacityBytes;
    if (const double over = end - capacity; capacity > 0 && over > 0)
        content.rows.append({tr("Part over capacity"), bytesText(std::min(over, segment.value))});
    if (!bar.peakOperation.isEmpty())
        content.footnote = tr("Peak at %1").arg(bar.peakOperation);
    return content;
}

void MemoryBars::activate(SegmentIndex index) {
    Q_EMIT segmentActivated(index.row, static_cast<MemoryKind>(index.segment));
}

} // namespace meshwright
