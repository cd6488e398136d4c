// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/memory_curves.h"

#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "theme/picture_ratio.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_marks.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr int NameGap = 8;
constexpr int MaxTicks = 4;
constexpr qreal FillShare = 0.34; ///< opacity of a memory kind's color in the filled area
constexpr qreal LineShare = 0.55; ///< fraction of the text color in the lines of ranks other than the selected and last
constexpr qreal OverShare = 0.5;
constexpr qreal ClickReach = 12;
constexpr double Headroom = 1.08;
constexpr qreal MinNamedHeight = 13;

/// Draws a label on a translucent background so that no curve runs through it.
void paintName(QPainter &painter, QPointF baseline, const QString &text, const QColor &colour, const Theme &theme) {
    const QFontMetricsF metrics(painter.font());
    QColor ground = theme.colour(ColourRole::Window);
    ground.setAlphaF(0.8F);
    painter.fillRect(QRectF(baseline.x() - 2, baseline.y() - metrics.ascent(), metrics.horizontalAdvance(text) + 4,
                            metrics.ascent() + 2),
                     ground);
    painter.setPen(colour);
    painter.drawText(baseline, text);
}

} // namespace

MemoryCurves::MemoryCurves(TimelineAxis *axis, QWidget *parent)
    : TimelineChart(axis, parent)
    , m_model(std::make_shared<MemoryCurvesModel>()) {
    showsNoFigures(this, NotFigures::axis);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("Memory per rank over time"));
}

void MemoryCurves::setModel(const MemoryCurvesPointer &model) {
    m_model = model;
    m_focus = std::clamp(m_focus, 0, std::max(0, static_cast<int>(model->bytes.size()) - 1));
    forget();
}

void MemoryCurves::setShows(Shows shows) {
    m_shows = shows;
    forget();
}

void MemoryCurves::setFocusRank(int rank) {
    m_focus = std::clamp(rank, 0, std::max(0, static_cast<int>(m_model->bytes.size()) - 1));
    forget();
}

QRectF MemoryCurves::plot() const {
    return {timelines::Gutter, 8, std::max(1.0, double(width() - timelines::Gutter - timelines::RightMargin)),
            std::max(1.0, double(height() - 12))};
}

const std::vector<StepCurve> &MemoryCurves::curves() const {
    return m_shows == Shows::Bytes ? m_model->bytes : m_model->inFlight;
}

double MemoryCurves::highest() const {
    double high = m_shows == Shows::Bytes ? m_model->capacityBytes : 1;
    for (const StepCurve &curve : curves())
        high = std::max(high, curve.highest());
    return high > 0 ? high : 1;
}

LinearScale MemoryCurves::scale() const {
    const QRectF area = plot();
    return {.low = 0, .high = highest() * Headroom, .left = area.bottom(), .right = area.top()};
}

void MemoryCurves::drawCurves() {
    const QRectF area = plot();
    const qreal ratio = pictureRatio(this);
    const QSize size(int(std::round(area.width() * ratio)), int(std::round(area.height() * ratio)));
    if (m_picture.size() == size)
        return;
    const Theme &theme = Theme::of(this);
    m_picture = QImage(size, QImage::Format_RGB32);
    m_picture.fill(theme.colour(ColourRole::Window));
    if (curves().empty())
        return;
    fillFocus(theme);
    const QColor ground = theme.colour(ColourRole::Window);
    const QRgb quiet = mixed(ground, theme.colour(ColourRole::Text3), LineShare).rgb();
    const int ranks = static_cast<int>(curves().size());
    for (int rank = ranks - 1; rank >= 0; --rank)
        if (rank != m_focus && rank != ranks - 1)
            drawRank(rank, quiet, std::max(1, int(ratio)));
    if (ranks - 1 != m_focus)
        drawRank(ranks - 1, theme.fill(Kind::Red).rgb(), std::max(1, int(1.5 * ratio)));
    drawRank(m_focus, theme.colour(ColourRole::Accent).rgb(), std::max(2, int(2 * ratio)));
    m_picture.setDevicePixelRatio(ratio);
}

/// Fills each pixel column from the lowest to the highest value in it, so that even the shortest peak is visible.
void MemoryCurves::drawRank(int rank, QRgb colour, int thickness) {
    const StepCurve &curve = curves()[static_cast<std::size_t>(rank)];
    const int width = m_picture.width();
    const int height = m_picture.height();
    const double unit = height / (highest() * Headroom);
    std::size_t from = 0;
    for (int x = 0; x < width; ++x) {
        const StepCurve::Range range =
            curve.within(xToTime(x, axis().visible(), width), xToTime(x + 1, axis().visible(), width), from);
        const int top = std::clamp(height - static_cast<int>(std::lround(range.high * unit)), 0, height - 1);
        const int bottom =
            std::clamp(height - static_cast<int>(std::lround(range.low * unit)) + thickness, top + 1, height);
        for (int y = top; y < bottom; ++y)
            reinterpret_cast<QRgb *>(m_picture.bits() + y * m_picture.bytesPerLine())[x] = colour;
    }
}

void MemoryCurves::fillFocus(const Theme &theme) {
    const StepCurve &curve = curves()[static_cast<std::size_t>(m_focus)];
    const int width = m_picture.width();
    const int height = m_picture.height();
    const double unit = height / (highest() * Headroom);
    const QColor ground = theme.colour(ColourRole::Window);
    const auto soft = [&](Kind kind) { return mixed(ground, theme.fill(kind), FillShare).rgb(); };
    struct Edge {
        int top;
        QRgb colour;
    };
    std::vector<Edge> edges; // resident memory, stacked from the bottom up
    double sum = 0;
    if (m_shows == Shows::Bytes)
        for (const MemoryLayer &layer : m_model->layers[static_cast<std::size_t>(m_focus)]) {
            sum += layer.bytes;
            edges.push_back({height - static_cast<int>(std::lround(sum * unit)), soft(layer.kind)});
        }
    const QRgb changing = soft(Kind::Yellow);
    const QRgb over = mixed(ground, theme.colour(ColourRole::Bad), OverShare).rgb();
    const double limit = m_shows == Shows::Bytes ? m_model->capacityBytes : 0;
    std::size_t from = 0;
    for (int x = 0; x < width; ++x) {
        const double value =
            curve.within(xToTime(x, axis().visible(), width), xToTime(x + 1, axis().visible(), width), from).high;
        int bottom = height;
        const auto fill = [&](int top, QRgb colour) {
            for (int y = std::max(0, top); y < bottom; ++y)
                reinterpret_cast<QRgb *>(m_picture.bits() + y * m_picture.bytesPerLine())[x] = colour;
            bottom = std::min(bottom, std::max(0, top));
        };
        for (const Edge &edge : edges)
            fill(edge.top, edge.colour);
        const int top = height - static_cast<int>(std::lround(value * unit));
        fill(top, changing);
        bottom = limit > 0 ? height - static_cast<int>(std::lround(limit * unit)) : 0;
        if (top < bottom)
            fill(top, over);
    }
}

void MemoryCurves::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.colour(ColourRole::Window));
    drawCurves();
    const QRectF area = plot();
    painter.drawImage(area.topLeft(), m_picture);
    paintAxis(painter, theme);
    paintNames(painter, theme);
    paintMarks(painter, theme);
    paintFocus(painter, theme);
}

void MemoryCurves::paintAxis(QPainter &painter, const Theme &theme) const {
    const QRectF area = plot();
    const LinearScale y = scale();
    painter.setFont(theme.font(TypeRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const AxisUnit unit = m_shows == Shows::Bytes ? byteUnit(highest()) : AxisUnit{1, m_model->unitWord};
    const QVector<double> ticks = niceTicks(highest() / unit.size, std::clamp(int(area.height() / 22), 1, MaxTicks));
    const double step = ticks.size() > 1 ? ticks[1] : 1;
    for (const double tick : ticks) {
        const qreal at = std::round(y.toX(tick * unit.size));
        if (tick == 0)
            continue;
        QColor line = theme.colour(ColourRole::LineStrong);
        line.setAlphaF(0.35F);
        painter.fillRect(QRectF(area.left(), at, area.width(), 1), line);
        painter.setPen(theme.colour(ColourRole::Text2));
        const QString text = tickText(tick, step)
            + (tick == ticks.last() && m_shows == Shows::Bytes ? QLatin1Char(' ') + unit.name : QString());
        painter.drawText(QPointF(area.left() - NameGap - metrics.horizontalAdvance(text), at + metrics.capHeight() / 2),
                         text);
    }
    if (m_shows != Shows::Bytes || !(m_model->capacityBytes > 0))
        return;
    const qreal at = std::round(y.toX(m_model->capacityBytes));
    painter.fillRect(QRectF(area.left(), at, area.width(), 2), theme.colour(ColourRole::Text));
    const QString text = tr("capacity %1").arg(figureText(m_model->capacityBytes, Quantity::bytes));
    // The label is above the line if it fits there, because curves close to the capacity run below the line.
    const bool over = at - metrics.ascent() - 3 >= 0;
    paintName(painter,
              QPointF(area.right() - metrics.horizontalAdvance(text) - 4, over ? at - 4 : at + 4 + metrics.ascent()),
              text, theme.colour(ColourRole::Text2), theme);
}

void MemoryCurves::paintNames(QPainter &painter, const Theme &theme) const {
    if (curves().empty())
        return;
    const QRectF area = plot();
    const LinearScale y = scale();
    painter.setFont(theme.font(TypeRole::Caption, TextWeight::Medium));
    const QFontMetricsF metrics(painter.font());
    const double begin = axis().visible().begin;
    const int last = static_cast<int>(curves().size()) - 1;
    const double high = curves()[static_cast<std::size_t>(m_focus)].at(begin);
    const qreal focusAt = std::max(area.top() + metrics.ascent(), y.toX(high) - 4);
    paintName(painter, QPointF(area.left() + 6, focusAt), tr("rank %1").arg(m_focus), theme.colour(ColourRole::Accent),
              theme);
    const qreal lastAt = y.toX(curves()[static_cast<std::size_t>(last)].at(begin)) + metrics.ascent() + 4;
    if (last != m_focus) {
        // Draws a name below its line, or right of the other name if the two would overlap.
        const bool meets = lastAt >= area.bottom()
            || (lastAt - metrics.ascent() <= focusAt + 2 && lastAt >= focusAt - metrics.ascent() - 2);
        const qreal offset = metrics.horizontalAdvance(tr("rank %1").arg(m_focus)) + 12;
        paintName(painter, QPointF(area.left() + 6 + (meets ? offset : 0), meets ? focusAt : lastAt),
                  tr("rank %1").arg(last), theme.colour(ColourRole::Bad), theme);
    }
    if (m_shows != Shows::Bytes)
        return;
    painter.setFont(theme.font(TypeRole::Caption));
    painter.setPen(theme.colour(ColourRole::Text2));
    double sum = 0;
    const auto name = [&](const QString &text, double bytes) {
        const qreal low = y.toX(sum);
        sum += bytes;
        const qreal top = y.toX(sum);
        if (low - top >= MinNamedHeight)
            painter.drawText(
                QPointF(area.right() - metrics.horizontalAdvance(text) - 4, (low + top) / 2 + metrics.capHeight() / 2),
                text);
    };
    for (const MemoryLayer &layer : m_model->layers[static_cast<std::size_t>(m_focus)])
        name(layer.name, layer.bytes);
    const double rest = curves()[static_cast<std::size_t>(m_focus)].at(axis().visible().end) - sum;
    if (rest > 0)
        name(tr("activations and buffers"), rest);
}

int MemoryCurves::rankAt(QPointF place) const {
    const double time = timeAt(place.x());
    const LinearScale y = scale();
    int nearest = -1;
    qreal distance = ClickReach;
    for (std::size_t rank = 0; rank < curves().size(); ++rank) {
        const qreal away = std::abs(y.toX(curves()[rank].at(time)) - place.y());
        if (away < distance) {
            distance = away;
            nearest = static_cast<int>(rank);
        }
    }
    return nearest;
}

HoverContent MemoryCurves::describe(QPointF place) const {
    if (curves().empty())
        return {};
    const double time = timeAt(place.x());
    const int nearest = rankAt(place);
    const int rank = nearest < 0 ? m_focus : nearest;
    const auto index = static_cast<std::size_t>(rank);
    HoverContent content;
    content.title = tr("Rank %1 at %2").arg(rank).arg(timeText(time, axis().visible()));
    const double bytes = m_model->bytes[index].at(time);
    double resident = 0;
    for (const MemoryLayer &layer : m_model->layers[index])
        resident += layer.bytes;
    content.rows.append({tr("Allocated"), figureText(bytes, Quantity::bytes)});
    content.rows.append({tr("Activations"), figureText(std::max(0.0, bytes - resident), Quantity::bytes)});
    content.rows.append(
        {tr("In flight"), countText(m_model->inFlight[index].at(time)) + QLatin1Char(' ') + m_model->unitWord});
    content.rows.append({tr("Headroom"), figureText(m_model->capacityBytes - bytes, Quantity::bytes)});
    return content;
}

void MemoryCurves::clicked(QPointF place) {
    if (const int rank = rankAt(place); rank >= 0) {
        setFocusRank(rank);
        Q_EMIT rankChosen(rank);
    }
}

bool MemoryCurves::keyPressed(int key) {
    if (key != Qt::Key_Up && key != Qt::Key_Down)
        return false;
    setFocusRank(m_focus + (key == Qt::Key_Up ? -1 : 1));
    Q_EMIT rankChosen(m_focus);
    return true;
}

} // namespace meshwright
