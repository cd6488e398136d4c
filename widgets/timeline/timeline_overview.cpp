// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_overview.h"

#include "figures/figure_event.h"
#include "theme/control_states.h"
#include "theme/picture_ratio.h"
#include "theme/surfaces.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_gestures.h"
#include "timeline/timeline_marks.h"
#include "timeline/timeline_raster.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr int AxisHeight = 20;
constexpr qreal GripReach = 6;
constexpr qreal FadeOpacity = 0.55;
constexpr int NameGap = 8;
constexpr double NotchFactor = 1.25;
constexpr double Notch = 120;
/// Minimum height of a row in pixels. Rows that would be lower are drawn at this height, and then averaged.
constexpr int MinRowPixels = 1;

} // namespace

TimelineOverview::TimelineOverview(TimelineAxis *axis, QWidget *parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_model(std::make_shared<TimelineModel>()) {
    showsNoFigures(this, NotFigures::axis);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Overview of the whole timeline, with the visible range marked"));
    connect(axis, &TimelineAxis::changed, this, qOverload<>(&QWidget::update));
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &TimelineOverview::forget);
}

void TimelineOverview::setModel(const TimelineModelPointer &model) {
    m_model = model;
    forget();
}

void TimelineOverview::setName(const QString &name) {
    m_name = name;
    update();
}

void TimelineOverview::setStripHeight(int pixels) {
    m_stripHeight = pixels;
    updateGeometry();
    forget();
}

void TimelineOverview::forget() {
    m_strip = {};
    update();
}

QSize TimelineOverview::sizeHint() const {
    return {640, m_stripHeight + AxisHeight + 2};
}

QSize TimelineOverview::minimumSizeHint() const {
    return {320, m_stripHeight + AxisHeight + 2};
}

QRectF TimelineOverview::plot() const {
    return {timelines::Gutter, 1, std::max(1.0, double(width() - timelines::Gutter - timelines::RightMargin)),
            double(m_stripHeight)};
}

double TimelineOverview::timeAt(qreal x) const {
    return xToTime(x - plot().left(), m_axis->whole(), plot().width());
}

qreal TimelineOverview::xAt(double time) const {
    return plot().left() + timeToX(time, m_axis->whole(), plot().width());
}

QRectF TimelineOverview::window() const {
    const QRectF area = plot();
    QRectF window(QPointF(xAt(m_axis->visible().begin), area.top()),
                  QPointF(xAt(m_axis->visible().end), area.bottom()));
    // Keep the window wide enough to grab.
    const qreal least = 2 * GripReach;
    if (window.width() < least)
        window.adjust((window.width() - least) / 2, 0, (least - window.width()) / 2, 0);
    return window;
}

void TimelineOverview::drawStrip() {
    const QRectF area = plot();
    const qreal ratio = pictureRatio(this);
    const QSize size(int(std::round(area.width() * ratio)), int(std::round(area.height() * ratio)));
    if (m_strip.size() == size)
        return;
    int rows = 0;
    for (const TimelineTrack &track : m_model->tracks)
        rows += track.depth() == 0 ? 1 : 0;
    rows = std::max(1, rows);
    const int rowPixels = std::max(MinRowPixels, size.height() / rows);
    QImage image(size.width(), std::max(size.height(), rows * rowPixels), QImage::Format_RGB32);
    const TimelineRaster raster(*m_model, Theme::of(this), ratio);
    image.fill(raster.colours().background);
    std::vector<TrackRow> bands;
    int row = 0;
    for (const TimelineTrack &track : m_model->tracks) {
        if (track.depth() > 0)
            continue;
        const int top = row * image.height() / rows;
        const int bottom = (row + 1) * image.height() / rows;
        const int gap = bottom - top > 3 ? 1 : 0;
        bands.push_back({&track, {top, bottom - top - gap}});
        ++row;
    }
    raster.paint(image, bands, m_axis->whole(), {});
    m_strip = image.height() == size.height()
        ? image
        : image.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_RGB32);
    m_strip.setDevicePixelRatio(ratio);
}

void TimelineOverview::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    const QRectF area = plot();
    painter.fillRect(rect(), theme.colour(ColourRole::Window));
    drawStrip();
    painter.drawImage(area.topLeft(), m_strip);
    const QRectF shown = window();
    QColor fade = theme.colour(ColourRole::Window);
    fade.setAlphaF(static_cast<float>(FadeOpacity));
    painter.fillRect(QRectF(area.topLeft(), QPointF(shown.left(), area.bottom())), fade);
    painter.fillRect(QRectF(QPointF(shown.right(), area.top()), area.bottomRight()), fade);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor accent = theme.colour(ColourRole::Accent);
    painter.setPen(QPen(accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(shown.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    for (const qreal x : {shown.left(), shown.right()})
        surfaces::rounded(painter, QRectF(x - 2.5, shown.center().y() - 8, 5, 16), 2.5, accent);
    painter.setFont(theme.font(TypeRole::Caption));
    painter.setPen(theme.colour(ColourRole::Text2));
    painter.drawText(QRectF(0, area.top(), area.left() - NameGap, area.height()), Qt::AlignRight | Qt::AlignVCenter,
                     m_name);
    paintRuler(painter, QRectF(area.left(), area.bottom() + 1, area.width(), AxisHeight), m_axis->whole(), theme,
               RulerSide::BelowPlot);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

void TimelineOverview::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    forget();
}

TimelineOverview::Grip TimelineOverview::gripAt(QPointF place) const {
    const QRectF shown = window();
    if (std::abs(place.x() - shown.left()) <= GripReach)
        return Grip::Begin;
    if (std::abs(place.x() - shown.right()) <= GripReach)
        return Grip::End;
    return shown.contains(QPointF(place.x(), shown.center().y())) ? Grip::Middle : Grip::None;
}

void TimelineOverview::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_grip = gripAt(event->position());
    const TimeRange visible = m_axis->visible();
    const double time = timeAt(event->position().x());
    if (m_grip == Grip::None) {
        m_axis->show(shifted(visible, time - (visible.begin + visible.end) / 2), TimelineAxis::Pace::Smooth);
        return;
    }
    m_gripOffset = (m_grip == Grip::End ? visible.end : visible.begin) - time;
}

void TimelineOverview::mouseMoveEvent(QMouseEvent *event) {
    const double time = timeAt(event->position().x()) + m_gripOffset;
    const TimeRange visible = m_axis->visible();
    switch (m_grip) {
    case Grip::None: {
        const Grip under = gripAt(event->position());
        setCursor(under == Grip::None         ? Qt::ArrowCursor
                      : under == Grip::Middle ? Qt::OpenHandCursor
                                              : Qt::SizeHorCursor);
        break;
    }
    case Grip::Begin:
        m_axis->show({std::min(std::max(time, m_axis->whole().begin), visible.end), visible.end});
        break;
    case Grip::End:
        m_axis->show({visible.begin, std::max(std::min(time, m_axis->whole().end), visible.begin)});
        break;
    case Grip::Middle:
        m_axis->show(shifted(visible, time - visible.begin));
        break;
    }
}

void TimelineOverview::mouseReleaseEvent(QMouseEvent *) {
    m_grip = Grip::None;
}

void TimelineOverview::wheelEvent(QWheelEvent *event) {
    event->accept();
    m_axis->zoomAbout(timeAt(event->position().x()), std::pow(NotchFactor, event->angleDelta().y() / Notch));
}

void TimelineOverview::keyPressEvent(QKeyEvent *event) {
    TimelineGestures keys(m_axis);
    if (keys.key(event))
        return;
    const double step = m_axis->visible().length() / 10;
    if (event->key() == Qt::Key_Left)
        m_axis->panBy(-step, TimelineAxis::Pace::Smooth);
    else if (event->key() == Qt::Key_Right)
        m_axis->panBy(step, TimelineAxis::Pace::Smooth);
    else
        event->ignore();
}

void TimelineOverview::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        forget();
}

} // namespace meshwright
