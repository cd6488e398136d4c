// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/funnel_bar.h"

#include "figures/figure_event.h"
#include "figures/figure_keys.h"
#include "figures/figure_ref.h"
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
constexpr qreal leastWidth = 2; ///< of a part that has any layout

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
    setFocusPolicy(Qt::TabFocus);
}

void FunnelBar::clear() {
    m_parts.clear();
    m_title.clear();
    m_considered.clear();
    m_seconds.clear();
    m_total = 0;
    update();
}

void FunnelBar::setSearch(const SearchResult &found, bool stopped) {
    const Funnel &funnel = found.funnel;
    m_total = funnel.fit + funnel.too_large + funnel.slower + funnel.repeats;
    m_considered = grouping(found.considered);
    m_seconds = figureText(found.seconds, Quantity::seconds);
    m_title = tr("%1 configurations considered in %2").arg(m_considered, m_seconds);
    m_title += !stopped                      ? tr(", exact")
        : found.end == SearchEnd::time_limit ? tr(", time limit reached")
        : found.end == SearchEnd::size_limit ? tr(", search space truncated")
                                             : tr(", stopped");
    m_parts = {
        {tr("fit, evaluated"), QStringLiteral("fit"), tr("Evaluated by the model itself; they fit."), funnel.fit,
         ColourRole::AccentFill, false},
        {tr("slower"), QStringLiteral("slower"),
         tr("A bound on their time, worked out by the model's own formulas, proves that they are not among what is "
            "listed."),
         funnel.slower, ColourRole::LineStrong, false},
        {tr("memory"), QStringLiteral("too_large"),
         tr("They need more memory than there is, or than the constraints leave."), funnel.too_large, ColourRole::Bad,
         false},
        {tr("repeats"), QStringLiteral("repeats"),
         tr("Recomputing the first 0 or all layers: the same as another configuration."), funnel.repeats,
         ColourRole::Raised, true},
    };
    std::erase_if(m_parts, [](const Part &part) { return part.count == 0; });
    QStringList spoken{m_title};
    for (const Part &part : m_parts)
        spoken << part.name + QLatin1Char(' ') + grouping(part.count);
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    update();
}

QRectF FunnelBar::rectOf(std::size_t part) const {
    const qreal room = width() - leastWidth * qreal(m_parts.size());
    qreal left = 0;
    for (std::size_t i = 0; i <= part; ++i) {
        const qreal width = leastWidth + room * double(m_parts[i].count) / double(std::max<std::int64_t>(1, m_total));
        if (i == part)
            return {left, barTop, std::max<qreal>(1, width - 1), barHeight};
        left += width;
    }
    return {};
}

std::vector<FunnelBar::Place> FunnelBar::places() const {
    std::vector<Place> found;
    const Theme &theme = Theme::of(this);
    const QFontMetricsF title(theme.font(TypeRole::Body));
    const auto add = [&](const QString &text, const char *figure) {
        if (const qsizetype at = m_title.indexOf(text); at >= 0 && !text.isEmpty())
            found.push_back(
                {QRectF(title.horizontalAdvance(m_title.left(at)), 0, title.horizontalAdvance(text), title.height()),
                 text, FigureRef::ofView(QLatin1String(figure), FigureView::search)});
    };
    add(m_considered, "considered");
    add(m_seconds, "search_seconds");
    const QFontMetricsF metrics(theme.font(TypeRole::Caption));
    const qreal top = barTop + barHeight + 6;
    qreal left = 0;
    for (const Part &part : m_parts) {
        const QString text = part.name + QLatin1Char(' ') + grouping(part.count);
        const qreal width = 12 + metrics.horizontalAdvance(text);
        if (left + width > this->width())
            break; // the hover has it
        found.push_back(
            {QRectF(left, top, width, metrics.height()), text, FigureRef::ofView(part.figure, FigureView::search)});
        left += width + 14;
    }
    return found;
}

QList<FigureRef> FunnelBar::figures() const {
    QList<FigureRef> all;
    for (const Place &place : places())
        all << place.figure;
    return all;
}

FigureRef FunnelBar::figureAt(const QPoint &place) const {
    for (const Place &each : places())
        if (each.area.adjusted(-2, 0, 2, 0).contains(place))
            return each.figure;
    return {};
}

FigureRef FunnelBar::currentFigure() const {
    const QList<FigureRef> all = figures();
    return all.isEmpty() ? QString() : all[std::clamp<qsizetype>(m_current, 0, all.size() - 1)];
}

bool FunnelBar::hasOwnHover(const QPoint &place) const {
    return partAt(place) >= 0;
}

void FunnelBar::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        wantFigure(this, figureAt(event->pos()));
}

void FunnelBar::keyPressEvent(QKeyEvent *event) {
    const auto move = [this](int step) {
        m_current = std::clamp(m_current + step, 0, std::max(0, static_cast<int>(places().size()) - 1));
        update();
    };
    if (!walkFigures(*event, move, [this] { wantFigure(this, currentFigure()); }))
        QWidget::keyPressEvent(event);
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
    const std::vector<Place> all = places();
    const auto before = static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](const Place &place) { return place.area.top() == 0; }));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRectF &area = all[i].area;
        if (area.top() > 0 && i - before < m_parts.size()) {
            const qreal base = area.top() + metrics.ascent();
            surfaces::rounded(painter, QRectF(area.left(), base - 7, 7, 7), 2,
                              theme.colour(m_parts[i - before].colour));
            painter.setPen(theme.colour(ColourRole::Text2));
            painter.drawText(QPointF(area.left() + 12, base), all[i].text);
        }
        if (showsFocusRing(this) && static_cast<int>(i) == m_current)
            surfaces::focusRing(painter, area.adjusted(-3, -1, 3, 1).toAlignedRect(), 4, theme);
    }
}

void FunnelBar::mouseMoveEvent(QMouseEvent *event) {
    setCursor(figureAt(event->pos()).isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
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
                          {tr("of all"), shareText(double(part.count) / double(std::max<std::int64_t>(1, m_total)))}},
                 .footnote = part.explanation});
}

void FunnelBar::leaveEvent(QEvent *event) {
    m_card.hide();
    QWidget::leaveEvent(event);
}

} // namespace meshwright
