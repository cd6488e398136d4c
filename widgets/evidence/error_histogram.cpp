// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/error_histogram.h"

#include "canvases/axis.h"
#include "canvases/label_layout.h"
#include "controls/figure_event.h"
#include "evidence/scatter_chart.h"
#include "panels/figure_text.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace meshwright {

namespace {

constexpr qreal leftMargin = 64;
constexpr qreal bottomMargin = 20;
constexpr qreal topMargin = 6;
constexpr qreal rightMargin = 10;
constexpr double barWidth = 2 * ErrorHistogram::Reach / ErrorHistogram::Bars;

QString signedPercent(double error) {
    const QString text = QString::number(std::abs(std::round(error * 1000) / 10));
    return (error > 0       ? QStringLiteral("+")
                : error < 0 ? QString(QChar(0x2212))
                            : QString())
        + text + QStringLiteral(" %");
}

} // namespace

ErrorHistogram::ErrorHistogram(QWidget *parent)
    : QWidget(parent) {
    showsNoFigures(this, NotFigures::axis);
    setObjectName(QStringLiteral("errorHistogram"));
    setAccessibleName(tr("Rows by the error of their prediction"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

int ErrorHistogram::barOf(double error) {
    return std::clamp(static_cast<int>(std::floor((std::clamp(error, -10.0, 10.0) + Reach) / barWidth)), 0, Bars - 1);
}

int ErrorHistogram::count(int bar) const {
    const Stack &stack = m_stacks.at(static_cast<std::size_t>(bar));
    return std::accumulate(stack.begin(), stack.end(), 0);
}

void ErrorHistogram::setPoints(const std::vector<EvidencePoint> &points, const QVector<EvidenceFamily> &families) {
    m_stacks = {};
    m_families = families;
    m_total = static_cast<int>(points.size());
    for (const EvidencePoint &point : points) {
        const auto family = static_cast<std::size_t>(std::clamp(point.family, 0, ColouredFamilies));
        ++m_stacks.at(static_cast<std::size_t>(barOf(point.error()))).at(family);
    }
    m_highest = 1;
    for (int bar = 0; bar < Bars; ++bar)
        m_highest = std::max(m_highest, count(bar));
    point(std::nullopt);
}

QRectF ErrorHistogram::plot() const {
    return QRectF(rect()).adjusted(leftMargin, topMargin, -rightMargin, -bottomMargin);
}

QRectF ErrorHistogram::column(int bar) const {
    const QRectF area = plot();
    const qreal each = area.width() / Bars;
    return {area.left() + bar * each, area.top(), each, area.height()};
}

void ErrorHistogram::paintAxes(QPainter &painter, const Theme &theme) const {
    const QRectF area = plot();
    painter.setFont(theme.font(TypeRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const QVector<double> ticks = niceTicks(m_highest, 3);
    const double step = ticks.size() > 1 ? ticks.at(1) - ticks.at(0) : 1;
    for (const double tick : ticks) {
        const qreal y = std::round(area.bottom() - tick / m_highest * area.height());
        painter.fillRect(QRectF(area.left(), y, area.width(), 1), theme.colour(ColourRole::Grid));
        const QString text = tickText(tick, step);
        painter.setPen(theme.colour(ColourRole::Text3));
        painter.drawText(QPointF(area.left() - 8 - metrics.horizontalAdvance(text),
                                 std::round(y + (metrics.ascent() - metrics.descent()) / 2)),
                         text);
    }
    constexpr double marks[] = {-0.5, -0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5};
    QVector<LabelSpan> labels;
    QVector<QString> texts;
    for (const double mark : marks) {
        texts.append(signedPercent(mark));
        const qreal x = area.left() + (mark + Reach) / (2 * Reach) * area.width();
        labels.append(centredWithin(x, metrics.horizontalAdvance(texts.last()), 0, rect().width()));
    }
    const QVector<bool> shown = labelsThatFit(labels, 10, {5, 0, 10});
    painter.setPen(theme.colour(ColourRole::Text3));
    for (int i = 0; i < labels.size(); ++i)
        if (shown.at(i))
            painter.drawText(QPointF(labels.at(i).left, area.bottom() + 4 + metrics.ascent()), texts.at(i));
    painter.fillRect(QRectF(std::round(area.center().x()), area.top(), 1, area.height()),
                     theme.colour(ColourRole::LineStrong));
}

void ErrorHistogram::paintBars(QPainter &painter, const Theme &theme) const {
    for (int bar = 0; bar < Bars; ++bar) {
        const QRectF place = column(bar).adjusted(0.5, 0, -0.5, 0);
        qreal bottom = place.bottom();
        const Stack &stack = m_stacks.at(static_cast<std::size_t>(bar));
        for (std::size_t family = 0; family < stack.size(); ++family) {
            if (stack.at(family) == 0)
                continue;
            const qreal height = place.height() * stack.at(family) / m_highest;
            painter.fillRect(QRectF(place.left(), bottom - height, place.width(), height),
                             theme.fill(kindOfFamily(static_cast<int>(family))));
            bottom -= height;
        }
    }
}

void ErrorHistogram::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    if (m_pointed)
        painter.fillRect(column(*m_pointed), theme.colour(ColourRole::Raised));
    paintAxes(painter, theme);
    paintBars(painter, theme);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

HoverContent ErrorHistogram::contentOf(int bar) const {
    const double low = -Reach + bar * barWidth;
    HoverContent content{.title = bar == 0     ? tr("below %1").arg(signedPercent(low + barWidth))
                             : bar == Bars - 1 ? tr("above %1").arg(signedPercent(low))
                                               : tr("%1 to %2").arg(signedPercent(low), signedPercent(low + barWidth)),
                         .swatch = {},
                         .rows = {},
                         .footnote = tr("%1 of %2 rows").arg(count(bar)).arg(m_total)};
    for (int family = 0; family < m_families.size(); ++family) {
        const int rows = m_stacks.at(static_cast<std::size_t>(bar)).at(static_cast<std::size_t>(family));
        if (rows > 0)
            content.rows.append({m_families.at(family).name, countText(rows)});
    }
    return content;
}

void ErrorHistogram::point(std::optional<int> bar) {
    m_pointed = bar;
    if (bar) {
        const HoverContent content = contentOf(*bar);
        m_card.show(this, column(*bar).center().toPoint(), content);
        setAccessibleDescription(content.spoken());
    } else {
        m_card.hide();
        setAccessibleDescription(tr("%1 rows").arg(m_total));
    }
    update();
}

void ErrorHistogram::mouseMoveEvent(QMouseEvent *event) {
    const QRectF area = plot();
    const qreal x = event->position().x() - area.left();
    if (x < 0 || x >= area.width())
        point(std::nullopt);
    else if (const int bar = std::min(Bars - 1, static_cast<int>(x / area.width() * Bars)); bar != m_pointed)
        point(bar);
}

void ErrorHistogram::leaveEvent(QEvent *event) {
    point(std::nullopt);
    QWidget::leaveEvent(event);
}

void ErrorHistogram::keyPressEvent(QKeyEvent *event) {
    const bool left = event->key() == Qt::Key_Left;
    if (!left && event->key() != Qt::Key_Right)
        return QWidget::keyPressEvent(event);
    point(std::clamp(m_pointed.value_or(Bars / 2) + (left ? -1 : 1), 0, Bars - 1));
}

void ErrorHistogram::focusOutEvent(QFocusEvent *event) {
    point(std::nullopt);
    QWidget::focusOutEvent(event);
}

} // namespace meshwright
