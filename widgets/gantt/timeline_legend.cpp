// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/timeline_legend.h"

#include "figures/figure_event.h"
#include "theme/surfaces.h"
#include "theme/theme.h"
#include "timeline/timeline_colours.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal Swatch = 12;
constexpr qreal NameGap = 6;
constexpr qreal EntryGap = 14;
constexpr int LinesInSwatch = 4;

} // namespace

TimelineLegend::TimelineLegend(QWidget *parent)
    : QWidget(parent)
    , m_model(std::make_shared<TimelineModel>()) {
    showsNoFigures(this, NotFigures::axis);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Legend"));
}

void TimelineLegend::setModels(const std::vector<TimelineModelPointer> &models) {
    m_model = models.empty() ? std::make_shared<TimelineModel>() : models.front();
    StyleSeconds all;
    for (const TimelineModelPointer &model : models)
        for (const TimelineTrack &track : model->tracks) {
            const StyleSeconds seconds = track.secondsIn(track.extent());
            for (std::size_t style = 0; style < MaxTimelineStyles; ++style)
                all.of[style] += seconds.of[style];
        }
    m_styles.clear();
    QStringList names;
    for (std::size_t style = 1; style < m_model->styles.size(); ++style)
        if (all.of[style] > 0) {
            m_styles.push_back(style);
            names.append(m_model->styles[style].name);
        }
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    update();
}

void TimelineLegend::setCriticalShown(bool shown) {
    m_critical = shown;
    update();
}

void TimelineLegend::setChunks(int chunks, const QString &word) {
    m_chunks = chunks;
    m_chunkWord = word;
    update();
}

void TimelineLegend::setHint(const QString &hint) {
    m_hint = hint;
    update();
}

void TimelineLegend::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.setFont(theme.font(TypeRole::Body));
    const QFontMetricsF metrics(painter.font());
    const qreal baseline = std::round(height() / 2.0 + (metrics.ascent() - metrics.descent()) / 2);
    const TimelineColours colours(*m_model, theme, devicePixelRatioF());
    qreal x = 0;
    const auto entry = [&](const QString &name, qreal swatch, const auto &paintSwatch) {
        const qreal wide = swatch + NameGap + metrics.horizontalAdvance(name);
        if (x + wide > width())
            return false;
        painter.setRenderHint(QPainter::Antialiasing);
        paintSwatch(QRectF(x, std::round((height() - Swatch) / 2.0), swatch, Swatch));
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(x + swatch + NameGap, baseline), name);
        x += wide + EntryGap;
        return true;
    };
    for (const std::size_t index : m_styles) {
        const TimelineStyle &style = m_model->styles[index];
        const QString name = style.letter.isEmpty() ? style.name : style.letter + QLatin1Char(' ') + style.name;
        if (!entry(name, Swatch, [&](const QRectF &rect) {
                if (style.fill == TimelineStyle::Fill::Solid) {
                    surfaces::rounded(painter, rect, 2, theme.fill(style.kind));
                    return;
                }
                const QColor line = QColor(colours.styles[index].hatchLine);
                painter.save();
                painter.setClipRect(rect);
                painter.setPen(QPen(line, 1.2));
                for (int i = 0; i <= LinesInSwatch * 2; ++i) {
                    const qreal at = rect.left() + i * Swatch / LinesInSwatch;
                    painter.drawLine(QPointF(at, rect.top()), QPointF(at - Swatch, rect.bottom()));
                }
                painter.restore();
            }))
            break;
    }
    if (m_critical)
        entry(tr("critical path"), Swatch, [&](const QRectF &rect) {
            painter.fillRect(QRectF(rect.left(), rect.center().y(), rect.width(), 2), theme.colour(ColourRole::Text));
        });
    if (m_chunks > 1)
        entry(tr("%1 0 to %2").arg(m_chunkWord).arg(m_chunks - 1), 2 * Swatch, [&](const QRectF &rect) {
            constexpr int Steps = TimelineColours::Shades;
            const auto &fill = colours.styles[1].fill;
            for (int i = 0; i < Steps; ++i)
                painter.fillRect(QRectF(rect.left() + i * rect.width() / Steps, rect.top(), rect.width() / Steps + 0.5,
                                        rect.height()),
                                 QColor(fill[static_cast<std::size_t>(i)]));
        });
    const qreal hint = metrics.horizontalAdvance(m_hint);
    if (x + hint + EntryGap < width()) {
        painter.setPen(theme.colour(ColourRole::Text3));
        painter.drawText(QPointF(width() - hint, baseline), m_hint);
    }
}

} // namespace meshwright
