// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/legend.h"

#include "canvases/stacked_segment_paint.h"
#include "theme/theme.h"

#include <QPainter>

#include <cmath>

namespace meshwright {
namespace {

constexpr qreal Swatch = 14;
constexpr qreal NameGap = 6;
constexpr qreal EntryGap = 14;

qreal entryWidth(const LegendEntry &entry, const QFontMetricsF &metrics) {
    return Swatch + (entry.name.isEmpty() ? 0 : NameGap + metrics.horizontalAdvance(entry.name));
}

} // namespace

Legend::Legend(QWidget *parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setAccessibleName(tr("Legend"));
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &Legend::updateGeometry);
}

void Legend::setEntries(const QVector<LegendEntry> &entries) {
    m_entries = entries;
    QStringList names;
    for (const LegendEntry &entry : entries)
        names.append(entry.name);
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    showNames();
    updateGeometry();
    update();
}

QSize Legend::sizeHint() const {
    const QFontMetricsF metrics(Theme::of(this).font(TypeRole::Body));
    qreal width = 0;
    for (const LegendEntry &entry : m_entries)
        width += entryWidth(entry, metrics) + (width > 0 ? EntryGap : 0);
    return {int(std::ceil(width)) + 1, Height};
}

void Legend::showNames() {
    QStringList lines;
    if (!hasRoom())
        for (const LegendEntry &entry : m_entries)
            lines.append(entry.fill == SegmentFill::Solid ? entry.letter + QStringLiteral("  ") + entry.name
                                                          : entry.name);
    setToolTip(lines.join(QLatin1Char('\n')));
}

void Legend::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    showNames();
}

void Legend::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    QVector<LegendEntry> shown = m_entries;
    if (!hasRoom())
        for (LegendEntry &entry : shown)
            entry.name.clear();
    paint(painter, rect(), shown, Theme::of(this));
}

void Legend::paint(QPainter &painter, const QRectF &rect, const QVector<LegendEntry> &entries, const Theme &theme) {
    const QFontMetricsF metrics(theme.font(TypeRole::Body));
    qreal width = 0;
    qsizetype shown = 0;
    for (; shown < entries.size(); ++shown) {
        const qreal wider = width + entryWidth(entries[shown], metrics) + (shown > 0 ? EntryGap : 0);
        if (wider > rect.width() + 0.5)
            break;
        width = wider;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    qreal left = rect.right() - width;
    const QFont strong = theme.font(TypeRole::Caption, TextWeight::SemiBold);
    for (qsizetype i = 0; i < shown; ++i) {
        const LegendEntry &entry = entries[i];
        const QRectF swatch(left, std::round(rect.center().y() - Swatch / 2), Swatch, Swatch);
        const StackedSegment sample{entry.name, 1, entry.kind, entry.fill, entry.letter};
        segments::fill(painter, swatch, sample, theme.fill(entry.kind), theme);
        if (entry.fill == SegmentFill::Solid) {
            painter.setFont(strong);
            painter.setPen(theme.label(entry.kind));
            painter.drawText(swatch, Qt::AlignCenter, entry.letter);
        }
        painter.setFont(theme.font(TypeRole::Body));
        painter.setPen(theme.colour(ColourRole::Text2));
        const qreal baseline = std::round(rect.center().y() + (metrics.ascent() - metrics.descent()) / 2);
        painter.drawText(QPointF(left + Swatch + NameGap, baseline), entry.name);
        left += entryWidth(entry, metrics) + EntryGap;
    }
    painter.restore();
}

} // namespace meshwright
