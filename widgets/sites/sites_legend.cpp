// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/sites_legend.h"

#include "figures/figure_event.h"
#include "sites/sites_timeline.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <functional>
#include <vector>

namespace meshwright {
namespace {

constexpr qreal Mark = 10;
constexpr qreal MarkGap = 6;
constexpr qreal EntryGap = 16;

struct Entry {
    qreal width;
    QString text;
    std::function<void(QPainter &, const QRectF &)> paint;
};

std::vector<Entry> entriesOf(const Theme &theme, bool absences) {
    const auto block = [](const QColor &colour) {
        return [colour](QPainter &painter, const QRectF &rect) { surfaces::rounded(painter, rect, 2, colour); };
    };
    const auto line = [](const QColor &colour) {
        return [colour](QPainter &painter, const QRectF &rect) {
            painter.fillRect(QRectF(rect.left(), rect.center().y() - 1, rect.width(), 2), colour);
        };
    };
    const auto fragments = [&theme](QPainter &painter, const QRectF &rect) {
        for (int i = 0; i < 3; ++i)
            painter.fillRect(QRectF(rect.left() + i * Mark, rect.top(), Mark - 1, rect.height()),
                             theme.fill(kindOfFragment(i)));
    };
    const auto quorum = [&theme](QPainter &painter, const QRectF &rect) {
        QPen pen(theme.colour(ColourRole::Text2), 1);
        pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()));
    };
    const auto closed = [&theme](QPainter &painter, const QRectF &rect) {
        QPainterPath path;
        path.moveTo(rect.topLeft());
        path.lineTo(rect.topRight());
        path.lineTo(rect.center().x(), rect.bottom());
        path.closeSubpath();
        painter.fillPath(path, theme.colour(ColourRole::Text));
    };
    const auto late = [&theme](QPainter &painter, const QRectF &rect) {
        painter.setPen(QPen(theme.fill(Kind::Yellow), 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(rect.center(), 3.5, 3.5);
    };
    std::vector<Entry> entries{{Mark, SitesLegend::tr("inner step"), block(theme.fill(Kind::Grey))},
                               {Mark, SitesLegend::tr("stall"), block(theme.fill(Kind::Red))}};
    if (absences) {
        const auto hatched = [](const QColor &colour) {
            return [colour](QPainter &painter, const QRectF &rect) { surfaces::hatch(painter, rect, colour); };
        };
        entries.push_back({Mark, SitesLegend::tr("offline"), hatched(theme.fill(Kind::Red))});
        entries.push_back({Mark, SitesLegend::tr("rejoining"), hatched(theme.fill(Kind::Purple2))});
    }
    for (const Entry &entry :
         {Entry{3 * Mark, SitesLegend::tr("fragment"), fragments}, Entry{2 * Mark, SitesLegend::tr("quorum"), quorum},
          Entry{Mark, SitesLegend::tr("closed"), closed}, Entry{Mark, SitesLegend::tr("late"), late},
          Entry{Mark, SitesLegend::tr("compute utilization"), line(theme.colour(ColourRole::Accent))},
          Entry{Mark, SitesLegend::tr("uplinks"), line(theme.fill(Kind::Green))},
          Entry{Mark, SitesLegend::tr("downlinks"), line(theme.fill(Kind::Cyan))},
          Entry{Mark, SitesLegend::tr("queued"), line(theme.fill(Kind::Yellow))}})
        entries.push_back(entry);
    return entries;
}

} // namespace

SitesLegend::SitesLegend(QWidget *parent)
    : QWidget(parent) {
    showsNoFigures(this, NotFigures::axis);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Legend"));
    connect(Theme::notifier(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
}

void SitesLegend::setHint(const QString &hint) {
    m_hint = hint;
    setToolTip(hint);
    update();
}

void SitesLegend::setAbsences(bool absences) {
    m_absences = absences;
    update();
}

void SitesLegend::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font(TypeRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const qreal baseline = std::round(height() / 2.0 + metrics.capHeight() / 2);
    const std::vector<Entry> entries = entriesOf(theme, m_absences);
    qreal whole = 0;
    for (const Entry &entry : entries)
        whole += entry.width + MarkGap + metrics.horizontalAdvance(entry.text) + EntryGap;
    qreal end = width();
    const qreal hint = metrics.horizontalAdvance(m_hint);
    if (whole + hint <= width()) {
        painter.setPen(theme.colour(ColourRole::Text3));
        painter.drawText(QPointF(width() - hint, baseline), m_hint);
        end -= hint + EntryGap;
    }
    qreal x = 0;
    for (const Entry &entry : entries) {
        const qreal text = metrics.horizontalAdvance(entry.text);
        if (x + entry.width + MarkGap + text > end)
            break;
        entry.paint(painter, QRectF(x, std::round((height() - Mark) / 2), entry.width, Mark));
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(x + entry.width + MarkGap, baseline), entry.text);
        x += entry.width + MarkGap + text + EntryGap;
    }
}

} // namespace meshwright
