// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/funnel_bar.h"

#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "quantities/text.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace meshwright {

namespace {

constexpr qreal barTop = 20;
constexpr qreal barHeight = 9;
constexpr qreal minWidth = 2; ///< minimum width in pixels of a part with at least one configuration

QString grouping(std::int64_t count) {
    return QString::fromStdString(grouped(static_cast<double>(count)));
}

} // namespace

FunnelBar::FunnelBar(QWidget *parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("funnelBar"));
    setAccessibleName(tr("Search funnel"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    showsNoFigures(this, NotFigures::statistic);
}

void FunnelBar::clear() {
    m_parts.clear();
    m_title.clear();
    m_total = 0;
    update();
}

void FunnelBar::setSearch(const SearchResult &found, bool stopped) {
    const Funnel &funnel = found.funnel;
    m_total = funnel.fit + funnel.too_large + funnel.slower + funnel.repeats;
    m_title = tr("%1 configurations considered in %2")
                  .arg(grouping(found.considered), figureText(found.seconds, Quantity::seconds));
    m_title += !stopped                      ? tr(", exact")
        : found.end == SearchEnd::time_limit ? tr(", time limit reached")
        : found.end == SearchEnd::size_limit ? tr(", search space truncated")
                                             : tr(", stopped");
    m_parts = {
        {tr("fit, evaluated"), tr("Configurations that fit in memory and were evaluated by the full model."),
         funnel.fit, ColourRole::AccentFill, false},
        {tr("slower"),
         tr("Configurations that were pruned: a lower bound on their step time, calculated by the model's own "
            "formulas, proves that they would not be listed."),
         funnel.slower, ColourRole::LineStrong, false},
        {tr("too large"),
         tr("Configurations that need more memory than available, or leave less headroom than required."),
         funnel.too_large, ColourRole::Bad, false},
        {tr("duplicates"),
         tr("Configurations whose partial recomputation covers none or all of the layers. They are equivalent to "
            "configurations with no or full recomputation, which are already counted."),
         funnel.repeats, ColourRole::Raised, true},
    };
    std::erase_if(m_parts, [](const Part &part) { return part.count == 0; });
    QStringList spoken{m_title};
    for (const Part &part : m_parts)
        spoken << part.name + QLatin1Char(' ') + grouping(part.count);
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    update();
}

QRectF FunnelBar::rectOf(std::size_t part) const {
    const qreal room = width() - minWidth * qreal(m_parts.size());
    qreal left = 0;
    for (std::size_t i = 0; i <= part; ++i) {
        const qreal width = minWidth + room * double(m_parts[i].count) / double(std::max<std::int64_t>(1, m_total));
        if (i == part)
            return {left, barTop, std::max<qreal>(1, width - 1), barHeight};
        left += width;
    }
    return {};
}

int FunnelBar::partAt(const QPoint &place) const {
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        if (rectOf(i).adjusted(0, -4, 1, 4).contains(place))
            return static_cast<int>(i);
    return -1;
}

void FunnelBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font(TypeRole::Body));
    painter.setPen(theme.colour(ColourRole::Text2));
    const QFontMetricsF title(painter.font());
    painter.drawText(QPointF(0, title.ascent()), title.elidedText(m_title, Qt::ElideRight, width()));
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        surfaces::rounded(painter, rectOf(i), 2, theme.colour(m_parts[i].colour));
        if (m_parts[i].hatched)
            surfaces::hatch(painter, rectOf(i), theme.colour(ColourRole::LineStrong));
    }
    paintLegend(painter, theme);
}

void FunnelBar::paintLegend(QPainter &painter, const Theme &theme) const {
    painter.setFont(theme.font(TypeRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const qreal base = barTop + barHeight + 6 + metrics.ascent();
    qreal left = 0;
    for (const Part &part : m_parts) {
        const QString text = part.name + QLatin1Char(' ') + grouping(part.count);
        const qreal room = 12 + metrics.horizontalAdvance(text);
        if (left + room > width())
            break; // the hover card lists the remaining parts
        surfaces::rounded(painter, QRectF(left, base - 7, 7, 7), 2, theme.colour(part.colour));
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(left + 12, base), text);
        left += room + 14;
    }
}

void FunnelBar::mouseMoveEvent(QMouseEvent *event) {
    const int at = partAt(event->pos());
    if (at < 0) {
        m_card.hide();
        return;
    }
    const Part &part = m_parts[static_cast<std::size_t>(at)];
    m_card.show(this, event->pos(),
                {.title = part.name,
                 .swatch = Theme::of(this).colour(part.colour),
                 .rows = {{tr("configurations"), grouping(part.count)},
                          {tr("fraction"), shareText(double(part.count) / double(std::max<std::int64_t>(1, m_total)))}},
                 .footnote = part.explanation});
}

void FunnelBar::leaveEvent(QEvent *event) {
    m_card.hide();
    QWidget::leaveEvent(event);
}

} // namespace meshwright
