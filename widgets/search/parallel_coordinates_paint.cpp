// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/axis.h"
#include "canvases/label_layout.h"
#include "search/parallel_coordinates.h"
#include "theme/picture_ratio.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QSemaphore>
#include <QThreadPool>

#include <algorithm>
#include <cmath>

namespace meshwright {

void ParallelCoordinates::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    if (m_axes.empty())
        return;
    if (m_lines.isNull()) {
        m_lines = paintedLines(theme);
    }
    painter.drawPixmap(0, 0, m_lines);
    painter.setRenderHint(QPainter::Antialiasing);
    const SearchAnswer &answer = *m_selection->answer();
    if (const LayoutRow *best = answer.bestRow())
        paintLine(painter, *best, theme.colour(answer.fits ? ColourRole::Good : ColourRole::Bad), 2, Qt::SolidLine);
    if (const LayoutRow *present = answer.presentRow())
        paintLine(painter, *present, theme.colour(ColourRole::Accent), 2, Qt::DashLine);
    for (const LayoutRow &row : m_selection->rows())
        if (!row.pin.isEmpty())
            paintLine(painter, row, theme.colour(ColourRole::Text2), 2, Qt::DotLine);
    for (const int row : {m_selection->chosen(), m_selection->pointed()})
        if (row >= 0 && row < int(m_selection->rows().size()))
            paintLine(painter, m_selection->rows()[static_cast<std::size_t>(row)], theme.colour(ColourRole::Text), 1.75,
                      Qt::SolidLine);
    for (int axis = 0; axis < axisCount(); ++axis)
        paintAxis(painter, axis, theme);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

QPixmap ParallelCoordinates::paintedLines(const Theme &theme) const {
    QImage image(size() * pictureRatio(this), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pictureRatio(this));
    image.fill(Qt::transparent);
    // Paint on a thread of this pool. From any other thread, Qt hands each antialiased line to the pool and waits for
    // it, which takes 240 ms instead of 20 ms for 1,000 lines while a search runs.
    QSemaphore painted;
    QThreadPool::globalInstance()->start([&] {
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        paintLines(painter, theme);
        painter.end();
        painted.release();
    });
    painted.acquire();
    return QPixmap::fromImage(std::move(image));
}

void ParallelCoordinates::paintLine(QPainter &painter, const LayoutRow &row, const QColor &colour, qreal width,
                                    Qt::PenStyle style) const {
    const std::vector<QPointF> points = lineOf(row);
    painter.setPen(QPen(colour, width, style, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(points.data(), int(points.size()));
    for (int axis = 0; axis < axisCount(); ++axis) {
        const int out = beyond(axis, m_selection->figures().value(row, columnOf(axis)));
        if (out == 0)
            continue;
        constexpr qreal arrow = 5;
        const QPointF end = points[static_cast<std::size_t>(axis)];
        painter.setBrush(colour);
        painter.drawPolygon(
            QPolygonF({end, end + QPointF(-arrow, 2 * arrow * out), end + QPointF(arrow, 2 * arrow * out)}));
        painter.setBrush(Qt::NoBrush);
    }
}

void ParallelCoordinates::paintLines(QPainter &painter, const Theme &theme) const {
    const std::vector<LayoutRow> &rows = m_selection->rows();
    const bool some = m_selection->leftCount() < int(rows.size());
    QColor gone = theme.colour(ColourRole::Text3);
    gone.setAlphaF(0.08F);
    QColor left = theme.colour(some ? ColourRole::Accent : ColourRole::Text3);
    // The more lines there are, the fainter each is drawn, so that dense bundles stand out.
    const double faint = 2.5 / std::sqrt(std::max(1, m_selection->leftCount()));
    left.setAlphaF(static_cast<float>(std::clamp(faint, some ? 0.15 : 0.08, 0.6)));
    for (const bool drawn : {false, true})
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (m_selection->isLeft(int(i)) == drawn && !rows[i].ofSchedule)
                paintLine(painter, rows[i], drawn ? left : gone, 1, Qt::SolidLine);
}

void ParallelCoordinates::paintAxis(QPainter &painter, int axis, const Theme &theme) const {
    const Axis &on = m_axes[static_cast<std::size_t>(axis)];
    const QRectF area = plot();
    const qreal x = std::round(xOf(axis));
    painter.fillRect(QRectF(x, area.top(), 1, area.height()), theme.colour(ColourRole::LineStrong));
    if (const std::optional<ColumnRange> range = m_selection->brush(on.column)) {
        QColor fill = theme.colour(ColourRole::Accent);
        fill.setAlphaF(0.35F);
        const qreal top = std::clamp(yOf(axis, range->high), area.top(), area.bottom()) - 5;
        const qreal bottom = std::clamp(yOf(axis, range->low), area.top(), area.bottom()) + 5;
        surfaces::rounded(painter, QRectF(QPointF(x - 5, top), QPointF(x + 6, bottom)), 3, fill,
                          theme.colour(ColourRole::Accent));
    }
    const bool current = hasFocus() && axis == m_current;
    painter.setFont(theme.font(TypeRole::Caption, TextWeight::SemiBold));
    painter.setPen(theme.colour(current ? ColourRole::Accent : ColourRole::Text2));
    const QString title = layoutColumns()[static_cast<std::size_t>(on.column)].title;
    const LabelSpan place = centredWithin(x, QFontMetricsF(painter.font()).horizontalAdvance(title), 0, width());
    painter.drawText(QPointF(place.left, area.top() - 12), title);
    painter.setFont(theme.font(TypeRole::Caption));
    const QFontMetricsF metrics(painter.font());
    std::vector<std::pair<qreal, QString>> labels;
    if (on.discrete) {
        for (std::size_t i = 0; i < on.values.size(); ++i)
            labels.emplace_back(yOf(axis, on.values[i]), on.texts[i]);
    } else {
        for (const double share : {0.0, 0.5, 1.0})
            labels.emplace_back(area.bottom() - area.height() * share,
                                figure(on.values[0] + share * (on.values[1] - on.values[0])));
    }
    qreal last = area.bottom() + 100;
    QColor under = theme.colour(ColourRole::Card);
    under.setAlphaF(0.75F);
    for (const auto &[y, text] : labels) {
        if (last - y < metrics.height())
            continue;
        last = y;
        const QRectF box(x + 4, y - metrics.height() / 2, metrics.horizontalAdvance(text) + 4, metrics.height());
        surfaces::rounded(painter, box, 2, under);
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(x + 6, y + metrics.ascent() / 2 - 1), text);
    }
}

} // namespace meshwright
