// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/label_layout.h"
#include "panels/figure_text.h"
#include "search/headroom_chart.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

constexpr std::array degreeColours{Kind::Purple2, Kind::Cyan, Kind::Green,  Kind::Blue,
                                   Kind::Yellow,  Kind::Red,  Kind::Purple, Kind::Grey};
constexpr qreal dotRadius = 2.5;
constexpr qreal markRadius = 5;

} // namespace

QColor HeadroomChart::colourOf(std::int64_t tensor, const Theme &theme) const {
    const auto at = std::lower_bound(m_tensors.begin(), m_tensors.end(), tensor) - m_tensors.begin();
    return theme.fill(degreeColours[static_cast<std::size_t>(at) % degreeColours.size()]);
}

void HeadroomChart::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    painter.setFont(theme.font(TypeRole::Caption));
    if (m_selection->rows().empty())
        return;
    paintAxes(painter, theme);
    paintLegend(painter, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    paintFront(painter, theme);
    paintPoints(painter, theme);
    paintMarks(painter, theme);
    if (!m_dragged.isEmpty()) {
        QColor fill = theme.colour(ColourRole::Accent);
        fill.setAlphaF(0.15F);
        surfaces::rounded(painter, m_dragged, 2, fill, theme.colour(ColourRole::Accent));
    }
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

void HeadroomChart::paintAxes(QPainter &painter, const Theme &theme) const {
    const QRectF area = plot();
    const QFontMetricsF metrics(painter.font());
    const auto y = [&](double bytes) { return std::round(area.bottom() - area.height() * m_headroom.shareOf(bytes)); };
    if (m_needed > 0 && m_needed > m_headroom.low) {
        const qreal top = std::max(area.top(), y(m_needed));
        surfaces::hatch(painter,
                        QRectF(QPointF(area.left(), top), QPointF(area.right(), y(std::max(0.0, m_headroom.low)))),
                        mixed(theme.colour(ColourRole::LineStrong), theme.colour(ColourRole::Card), 0.5));
    }
    for (const ChartTick &tick : ticksOf(m_headroom, 5)) {
        const qreal at = y(tick.value);
        painter.fillRect(QRectF(area.left(), at, area.width(), 1),
                         theme.colour(tick.value == 0 ? ColourRole::LineStrong : ColourRole::Grid));
        painter.setPen(theme.colour(ColourRole::Text3));
        painter.drawText(QPointF(area.left() - 6 - metrics.horizontalAdvance(tick.text), at + metrics.ascent() / 2 - 1),
                         tick.text);
    }
    QVector<LabelSpan> labels;
    const QVector<ChartTick> ticks = ticksOf(m_time, std::max(2, int(area.width() / 90)));
    for (const ChartTick &tick : ticks) {
        const QString text = tick.text + (&tick == &ticks.last() ? QLatin1Char(' ') + m_time.unit.name : QString());
        labels.append(centredWithin(area.left() + area.width() * m_time.shareOf(tick.value),
                                    metrics.horizontalAdvance(text), area.left(), area.right()));
    }
    const QVector<bool> shown = labelsThatFit(labels, 8);
    const qreal base = area.bottom() + 4 + metrics.ascent();
    for (int i = 0; i < labels.size(); ++i)
        if (shown.at(i))
            painter.drawText(QPointF(labels.at(i).left, base),
                             ticks.at(i).text
                                 + (i + 1 == ticks.size() ? QLatin1Char(' ') + m_time.unit.name : QString()));
    const LabelSpan title =
        centredWithin(area.center().x(), metrics.horizontalAdvance(m_time.title), area.left(), area.right());
    painter.drawText(QPointF(title.left, base + metrics.height() + 1), m_time.title);
    painter.save();
    painter.translate(metrics.ascent(), area.center().y() + metrics.horizontalAdvance(m_headroom.title) / 2);
    painter.rotate(-90);
    painter.drawText(QPointF(0, 0), m_headroom.title);
    painter.restore();
}

void HeadroomChart::paintLegend(QPainter &painter, const Theme &theme) const {
    const QFontMetricsF metrics(painter.font());
    qreal left = plot().left();
    const qreal base = metrics.ascent() + 1;
    const QString name = tr("tensor");
    painter.setPen(theme.colour(ColourRole::Text3));
    painter.drawText(QPointF(left, base), name);
    left += metrics.horizontalAdvance(name) + 8;
    for (const std::int64_t tensor : m_tensors) {
        const QString text = QString::number(tensor);
        if (left + 12 + metrics.horizontalAdvance(text) > width())
            break;
        painter.setRenderHint(QPainter::Antialiasing);
        surfaces::rounded(painter, QRectF(left, base - 7, 7, 7), 3.5, colourOf(tensor, theme));
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(left + 11, base), text);
        left += 11 + metrics.horizontalAdvance(text) + 12;
    }
}

void HeadroomChart::paintFront(QPainter &painter, const Theme &theme) const {
    // Points of other batches or sizes have steps that cannot be compared.
    if (!stepsCompare(*m_selection->answer()))
        return;
    QPainterPath path;
    double most = -1e300;
    for (const int row : frontRows()) {
        const LayoutRow &point = m_selection->rows()[static_cast<std::size_t>(row)];
        if (point.entry.headroom_bytes <= most)
            continue;
        most = point.entry.headroom_bytes;
        const QPointF at = placeOf(point);
        if (path.elementCount() == 0)
            path.moveTo(at.x(), plot().bottom());
        else
            path.lineTo(at.x(), path.currentPosition().y());
        path.lineTo(at);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.colour(ColourRole::Text2), 1.25));
    painter.drawPath(path);
}

void HeadroomChart::paintPoints(QPainter &painter, const Theme &theme) const {
    const std::vector<LayoutRow> &rows = m_selection->rows();
    painter.setPen(Qt::NoPen);
    QColor gone = theme.colour(ColourRole::LineStrong);
    for (std::size_t i = rows.size(); i-- > 0;) {
        const bool left = m_selection->isLeft(int(i));
        QColor fill = left ? colourOf(rows[i].entry.plan.parallelism.tensor, theme) : gone;
        fill.setAlphaF(rows[i].ofSchedule ? 0.0F : left ? 0.85F : 0.35F);
        painter.setBrush(fill);
        painter.drawEllipse(placeOf(rows[i]), dotRadius, dotRadius);
    }
}

namespace {

/// A pin's letter has no figure beside it: the words of several would hide one another.
QString labelOf(const LayoutRow &row, const QString &word) {
    return word == row.pin ? word : word + QLatin1Char(' ') + figureText(row.entry.step_seconds, Quantity::seconds);
}

} // namespace

void HeadroomChart::paintMark(QPainter &painter, const LayoutRow &row, const QColor &colour, const QString &word,
                              const Theme &theme) const {
    const QPointF at = placeOf(row);
    painter.setPen(QPen(colour, 2));
    painter.setBrush(theme.colour(ColourRole::Card));
    if (const QPointF out = beyond(row); out.isNull()) {
        painter.drawEllipse(at, markRadius, markRadius);
    } else {
        const QLineF way(at - out * 2 * markRadius, at);
        const QLineF across = way.normalVector().unitVector();
        const QPointF side = (across.p2() - across.p1()) * markRadius;
        painter.setBrush(colour);
        painter.drawPolygon(QPolygonF({at, way.p1() + side, way.p1() - side}));
    }
    if (word.isEmpty())
        return;
    painter.setFont(theme.font(TypeRole::Caption, TextWeight::SemiBold));
    const QFontMetricsF metrics(painter.font());
    const QString text = labelOf(row, word);
    const QRectF words = wordsOf(row, word);
    const QPointF place(words.left(), words.top() + metrics.ascent());
    // Points must not run through the words.
    QColor under = theme.colour(ColourRole::Card);
    under.setAlphaF(0.8F);
    surfaces::rounded(
        painter,
        QRectF(place.x() - 2, place.y() - metrics.ascent(), metrics.horizontalAdvance(text) + 4, metrics.height()), 3,
        under);
    painter.setPen(theme.colour(ColourRole::Text));
    painter.drawText(place, text);
}

std::vector<std::pair<const LayoutRow *, QString>> HeadroomChart::marked() const {
    std::vector<std::pair<const LayoutRow *, QString>> rows;
    const SearchAnswer *const answer = m_selection->answer();
    const LayoutRow *const best = answer != nullptr ? answer->bestRow() : nullptr;
    const LayoutRow *const present = answer != nullptr ? answer->presentRow() : nullptr;
    for (const LayoutRow &row : m_selection->rows())
        if (!row.pin.isEmpty() && !row.present && row.rank != 1)
            rows.emplace_back(&row, row.pin);
    const LayoutRow *const recommended = answer != nullptr && answer->fits ? answer->recommendedRow() : nullptr;
    const bool apart = recommended != nullptr && std::none_of(rows.begin(), rows.end(), [&](const auto &mark) {
                           return mark.first->rank == recommended->rank;
                       });
    if (apart && recommended != best && recommended != present)
        rows.emplace_back(recommended, tr("recommended"));
    // Over the pins, so that their letters hide neither.
    if (best != nullptr && best != present)
        rows.emplace_back(best, tr("best"));
    if (present != nullptr)
        rows.emplace_back(present, tr("present"));
    return rows;
}

QRectF HeadroomChart::wordsOf(const LayoutRow &row, const QString &word) const {
    const QFontMetricsF metrics(Theme::of(this).font(TypeRole::Caption, TextWeight::SemiBold));
    const QString text = labelOf(row, word);
    const QPointF at = placeOf(row);
    const qreal width = metrics.horizontalAdvance(text);
    const qreal left = at.x() + 9 + width < plot().right() ? at.x() + 9 : at.x() - 9 - width;
    return {left, std::max(plot().top(), at.y() - 6 - metrics.ascent()), width, metrics.height()};
}

QStringList HeadroomChart::figures() const {
    QStringList paths;
    for (const auto &[row, word] : marked())
        paths << m_selection->pathOf(*row, ColumnId::step);
    paths.removeAll(QString());
    return paths;
}

QString HeadroomChart::figureAt(const QPoint &place) const {
    const auto all = marked();
    for (auto mark = all.rbegin(); mark != all.rend(); ++mark)
        if (wordsOf(*mark->first, mark->second).contains(place))
            return m_selection->pathOf(*mark->first, ColumnId::step);
    return {};
}

QString HeadroomChart::currentFigure() const {
    const std::vector<LayoutRow> &rows = m_selection->rows();
    if (const int chosen = m_selection->chosen(); chosen >= 0 && chosen < static_cast<int>(rows.size()))
        return m_selection->pathOf(rows[static_cast<std::size_t>(chosen)], ColumnId::step);
    const QStringList all = figures();
    return all.isEmpty() ? QString() : all.first();
}

void HeadroomChart::paintMarks(QPainter &painter, const Theme &theme) const {
    const SearchAnswer &answer = *m_selection->answer();
    const std::vector<LayoutRow> &rows = m_selection->rows();
    for (const int row : {m_selection->chosen(), m_selection->pointed()})
        if (row >= 0 && row < int(rows.size()))
            paintMark(painter, rows[static_cast<std::size_t>(row)], theme.colour(ColourRole::Text), {}, theme);
    for (const auto &[row, word] : marked())
        paintMark(painter, *row,
                  theme.colour(row->present              ? ColourRole::Accent
                                   : !row->pin.isEmpty() ? ColourRole::Text
                                   : answer.fits         ? ColourRole::Good
                                                         : ColourRole::Bad),
                  word, theme);
}

} // namespace meshwright
