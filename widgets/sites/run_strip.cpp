// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/run_strip.h"

#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "theme/control_states.h"
#include "theme/surfaces.h"
#include "theme/theme.h"
#include "timeline/timeline_marks.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr int NameGap = 8;
constexpr int AxisHeight = 17;
constexpr qreal MinMark = 5; ///< minimum width in pixels of the mark for the rounds shown in detail
constexpr double KeyShare = 1.0 / 40; ///< fraction of the run per press of an arrow key
constexpr float FillOpacity = 0.16F;

} // namespace

RunStrip::RunStrip(QWidget *parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setObjectName(QStringLiteral("runStrip"));
    setAccessibleName(tr("Link load over the whole run"));
    showsNoFigures(this, NotFigures::axis);
    connect(Theme::notifier(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
}

void RunStrip::setCourse(const SitesCoursePointer &course) {
    m_course = course;
    m_pointed = -1;
    m_card.hide();
    update();
}

void RunStrip::setWatched(std::int64_t first, std::int64_t rounds) {
    m_first = first;
    m_rounds = rounds;
    update();
}

QRectF RunStrip::plot() const {
    return {timelines::Gutter, 1, std::max(1.0, double(width() - timelines::Gutter - timelines::RightMargin)),
            std::max(1.0, double(height() - AxisHeight - 2))};
}

double RunStrip::secondsAt(qreal x) const {
    return std::clamp((x - plot().left()) / plot().width(), 0.0, 1.0) * m_course->ends.back();
}

std::size_t RunStrip::stretchAt(double seconds) const {
    const auto found = std::upper_bound(m_course->ends.begin(), m_course->ends.end(), seconds);
    return std::min(static_cast<std::size_t>(found - m_course->ends.begin()), m_course->ends.size() - 1);
}

double RunStrip::secondsOfRound(double round) const {
    const std::vector<double> &rounds = m_course->rounds;
    const auto found = std::lower_bound(rounds.begin(), rounds.end(), round);
    const auto stretch = std::min(static_cast<std::size_t>(found - rounds.begin()), rounds.size() - 1);
    const double from = stretch == 0 ? 0 : rounds[stretch - 1];
    const double start = stretch == 0 ? 0 : m_course->ends[stretch - 1];
    const double share = std::clamp((round - from) / std::max(1.0, rounds[stretch] - from), 0.0, 1.0);
    return start + share * (m_course->ends[stretch] - start);
}

qreal RunStrip::xOfRound(double round) const {
    return plot().left() + secondsOfRound(round) / m_course->ends.back() * plot().width();
}

std::int64_t RunStrip::roundAt(qreal x) const {
    const double seconds = secondsAt(x);
    const std::size_t stretch = stretchAt(seconds);
    const double from = stretch == 0 ? 0 : m_course->rounds[stretch - 1];
    const double start = stretch == 0 ? 0 : m_course->ends[stretch - 1];
    const double share = (seconds - start) / std::max(1e-9, m_course->ends[stretch] - start);
    const double round = from + share * (m_course->rounds[stretch] - from);
    return static_cast<std::int64_t>(std::clamp(std::floor(round), 0.0, m_course->rounds.back() - 1));
}

void RunStrip::paintStrip(QPainter &painter, const Theme &theme) const {
    const QRectF area = plot();
    const auto curve = [&](double OuterRun::*figure, const QColor &colour, bool filled) {
        QPainterPath path;
        const auto at = [&](std::size_t stretch) {
            const double share = std::clamp(m_course->course.stretches[stretch].*figure, 0.0, 1.0);
            return area.bottom() - share * (area.height() - 2) - 1;
        };
        path.moveTo(area.left(), at(0));
        for (std::size_t stretch = 0; stretch < m_course->ends.size(); ++stretch) {
            const double from = stretch == 0 ? 0 : m_course->ends[stretch - 1];
            for (const double seconds : {from, m_course->ends[stretch]})
                path.lineTo(area.left() + seconds / m_course->ends.back() * area.width(), at(stretch));
        }
        if (filled) {
            QPainterPath below = path;
            below.lineTo(area.right(), area.bottom());
            below.lineTo(area.left(), area.bottom());
            QColor soft = colour;
            soft.setAlphaF(FillOpacity);
            painter.fillPath(below, soft);
        }
        painter.strokePath(path, QPen(colour, 1.25));
    };
    curve(&OuterRun::utilisation, theme.colour(ColourRole::Accent), true);
    curve(&OuterRun::uplink_load, theme.fill(Kind::Green), false);
    curve(&OuterRun::downlink_load, theme.fill(Kind::Cyan), false);
}

/// Draws a ruler in days, or in hours if the run takes only a few days.
void RunStrip::paintDays(QPainter &painter, const Theme &theme) const {
    constexpr double Hour = 3600;
    constexpr double Day = 24 * Hour;
    constexpr double LabelRoom = 96;
    const QRectF area = plot();
    const double all = m_course->ends.back();
    const bool inDays = all > 4 * Day;
    const double unit = inDays ? Day : Hour;
    const double least = all / unit * LabelRoom / area.width();
    double step = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (step * factor >= least) {
            step *= factor;
            break;
        }
    painter.setPen(theme.colour(ColourRole::Text2));
    const QFontMetricsF metrics(painter.font());
    for (double at = 0; at * unit <= all; at += step) {
        const qreal x = area.left() + at * unit / all * area.width();
        const QString number = figureText(at, Quantity::number);
        const QString text = at > 0 ? number : inDays ? tr("%1 days").arg(number) : tr("%1 h").arg(number);
        const qreal width = metrics.horizontalAdvance(text);
        painter.fillRect(QRectF(std::round(x), area.bottom() + 1, 1, 3), theme.colour(ColourRole::LineStrong));
        const qreal left = at > 0 ? x - width / 2 : x;
        if (left + width <= area.right() + timelines::RightMargin)
            painter.drawText(QPointF(left, area.bottom() + 4 + metrics.ascent()), text);
    }
}

void RunStrip::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.colour(ColourRole::Window));
    const QRectF area = plot();
    painter.fillRect(area, theme.colour(ColourRole::Panel));
    if (m_course == nullptr || m_course->ends.empty()) {
        painter.setFont(theme.font(TypeRole::Caption));
        painter.setPen(theme.colour(ColourRole::Text3));
        painter.drawText(area, Qt::AlignCenter, tr("simulating the whole run …"));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area.adjusted(-MinMark, -1, MinMark, 1));
    paintStrip(painter, theme);
    const qreal left = xOfRound(static_cast<double>(m_first));
    const qreal right = xOfRound(static_cast<double>(m_first + m_rounds));
    const qreal more = std::max(0.0, MinMark - (right - left)) / 2;
    painter.setPen(QPen(theme.colour(ColourRole::Accent), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(left - more, area.top(), right - left + 2 * more, area.height()), 2, 2);
    if (m_pointed >= 0) {
        const qreal x = std::round(xOfRound(static_cast<double>(m_pointed)));
        painter.fillRect(QRectF(x, area.top(), 1, area.height()), theme.colour(ColourRole::Text));
    }
    painter.setClipping(false);
    painter.setFont(theme.font(TypeRole::Caption));
    painter.setPen(theme.colour(ColourRole::Text2));
    painter.drawText(QRectF(0, area.top(), area.left() - NameGap, area.height()), Qt::AlignRight | Qt::AlignVCenter,
                     m_course->isWhole() ? tr("whole run") : tr("first part"));
    paintDays(painter, theme);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

HoverContent RunStrip::describe(QPointF place) const {
    HoverContent content;
    if (m_course == nullptr || m_course->ends.empty() || !plot().contains(place))
        return content;
    const std::size_t stretch = stretchAt(secondsAt(place.x()));
    const double first = stretch == 0 ? 0 : m_course->rounds[stretch - 1];
    const double last = m_course->rounds[stretch];
    const OuterRun &run = m_course->course.stretches[stretch];
    content.title = last - first > 1
        ? tr("Rounds %1 to %2 of %3").arg(countText(first + 1), countText(last), countText(m_course->runRounds))
        : tr("Round %1 of %2").arg(countText(last), countText(m_course->runRounds));
    const auto add = [&](const QString &name, const QString &value) { content.rows.append({name, value}); };
    add(tr("Time since start"), figureText(stretch == 0 ? 0 : m_course->ends[stretch - 1], Quantity::seconds));
    add(tr("Round time"), figureText(run.round_seconds, Quantity::seconds));
    add(tr("Compute utilization"), shareText(run.utilisation));
    add(tr("Uplinks busy"), shareText(run.uplink_load));
    add(tr("Downlinks busy"), shareText(run.downlink_load));
    if (run.departures > 0)
        add(tr("Site departures"),
            countText(std::round(run.departures * static_cast<double>(m_course->question.plan.cluster.sites)
                                 / static_cast<double>(m_course->sites))));
    const auto sites = static_cast<double>(m_course->question.plan.cluster.sites);
    const auto followed = static_cast<double>(m_course->sites);
    content.footnote = followed < sites ? tr("Simulated with %1 of the %2 sites. Click to show this moment in detail.")
                                              .arg(countText(followed), countText(sites))
                                        : tr("Click to show this moment in detail.");
    return content;
}

void RunStrip::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && m_course != nullptr && plot().contains(event->position()))
        Q_EMIT roundChosen(roundAt(event->position().x()));
}

void RunStrip::mouseMoveEvent(QMouseEvent *event) {
    const HoverContent content = describe(event->position());
    setCursor(content.title.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    if (content.title.isEmpty())
        m_card.hide();
    else
        m_card.show(this, event->position().toPoint(), content);
}

void RunStrip::keyPressEvent(QKeyEvent *event) {
    if (m_course == nullptr || m_course->ends.empty()) {
        event->ignore();
        return;
    }
    const double last = m_course->rounds.back() - 1;
    const double step = std::max(1.0, std::round(last * KeyShare));
    const auto from = static_cast<double>(m_pointed < 0 ? m_first : m_pointed);
    switch (event->key()) {
    case Qt::Key_Left:
        m_pointed = static_cast<std::int64_t>(std::max(0.0, from - step));
        break;
    case Qt::Key_Right:
        m_pointed = static_cast<std::int64_t>(std::min(last, from + step));
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_pointed >= 0)
            Q_EMIT roundChosen(m_pointed);
        return;
    default:
        event->ignore();
        return;
    }
    setAccessibleDescription(describe({xOfRound(static_cast<double>(m_pointed)), plot().center().y()}).spoken());
    update();
}

void RunStrip::leaveEvent(QEvent *event) {
    QWidget::leaveEvent(event);
    m_card.hide();
}

} // namespace meshwright
