// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_canvas.h"

#include "figures/figure_event.h"
#include "theme/picture_ratio.h"
#include "theme/theme.h"
#include "timeline/scan_lines.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_marks.h"

#include <QAccessible>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {
struct TimelineCanvas::Picture {
    QImage image;
    std::optional<TimelineRaster> raster;
    std::optional<GlyphCache> glyphs;
    qreal ratio = 1; ///< pixel ratio of raster and glyphs
    TimeRange range;
    TimeRange seen; ///< range that was drawn last, whether in this picture or directly in the window
    int scroll = 0;
    bool stale = true;
    bool panKeeps = true; ///< whether a pan reuses a large enough part of the picture to make copying it worthwhile
};

TimelineCanvas::TimelineCanvas(TimelineAxis *axis, Ruler ruler, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_axis(axis)
    , m_gestures(new TimelineGestures(axis, this))
    , m_ruler(ruler)
    , m_model(std::make_shared<TimelineModel>())
    , m_picture(std::make_unique<Picture>()) {
    showsNoFigures(this, NotFigures::axis);
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("Timeline"));
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { viewport()->update(); });
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &TimelineCanvas::forgetColours);
    connect(axis, &TimelineAxis::changed, this, &TimelineCanvas::axisChanged);
    connect(axis, &TimelineAxis::marksChanged, viewport(), qOverload<>(&QWidget::update));
    const auto scroll = [this](int pixels) { verticalScrollBar()->setValue(verticalScrollBar()->value() + pixels); };
    connect(m_gestures, &TimelineGestures::scrolled, this, scroll);
    connect(m_gestures, &TimelineGestures::dragged, this, [scroll](int pixels) { scroll(-pixels); });
}

TimelineCanvas::~TimelineCanvas() = default;

void TimelineCanvas::setModel(const TimelineModelPointer &model) {
    const bool taller = model->tracks.size() != m_model->tracks.size();
    m_model = model;
    m_hovered = m_current = {};
    m_links.clear();
    findChosen();
    if (taller)
        updateGeometry();
    forgetColours();
    refresh();
}

void TimelineCanvas::setMarksShown(bool shown) {
    m_marks = shown;
    m_picture->stale = true;
    viewport()->update();
}

void TimelineCanvas::setMeasuring(bool measuring) {
    m_gestures->setMeasuring(measuring);
    viewport()->setCursor(measuring ? Qt::CrossCursor : Qt::ArrowCursor);
}

void TimelineCanvas::setCrowdedRows(CrowdedRows crowded) {
    m_crowded = crowded;
    refresh();
}

void TimelineCanvas::forgetColours() {
    m_picture->raster.reset();
    m_picture->glyphs.reset();
    m_picture->stale = true;
    viewport()->update();
}

void TimelineCanvas::axisChanged() {
    // The hover card would describe something that is no longer under the pointer.
    m_card.hide();
    viewport()->update();
}

void TimelineCanvas::refresh() {
    const QRectF area = plot();
    m_gestures->setPlot(area.left(), area.width());
    const int more = static_cast<int>(std::ceil(currentConfiguration().height() - area.height()));
    verticalScrollBar()->setRange(0, std::max(0, more));
    verticalScrollBar()->setPageStep(static_cast<int>(area.height()));
    verticalScrollBar()->setSingleStep(static_cast<int>(TimelineLayout::Row));
    m_picture->stale = true;
    viewport()->update();
}

QRectF TimelineCanvas::plot() const {
    const int top = m_ruler == Ruler::Shown ? timelines::RulerHeight : 0;
    return {timelines::Gutter, double(top),
            std::max(1.0, double(viewport()->width() - timelines::Gutter - timelines::RightMargin)),
            std::max(1.0, double(viewport()->height() - top))};
}

TimelineLayout TimelineCanvas::currentConfiguration() const {
    return layoutTimeline(*m_model, plot().height(), m_crowded);
}

QSize TimelineCanvas::sizeHint() const {
    const int ruler = m_ruler == Ruler::Shown ? timelines::RulerHeight : 0;
    return {640, static_cast<int>(std::ceil(preferredTimelineHeight(*m_model))) + ruler};
}

QSize TimelineCanvas::minimumSizeHint() const {
    const int ruler = m_ruler == Ruler::Shown ? timelines::RulerHeight : 0;
    return {320, static_cast<int>(std::ceil(minTimelineHeight(*m_model))) + ruler};
}

SpanIndex TimelineCanvas::spanAt(QPointF place) const {
    const QRectF area = plot();
    if (!area.contains(place))
        return {};
    const int row = currentConfiguration().rowAt(place.y() - area.top() + verticalScrollBar()->value());
    if (row < 0)
        return {};
    const TimelineTrack &track = m_model->tracks[static_cast<std::size_t>(row)];
    const double time = m_gestures->timeAt(place.x());
    const std::size_t span = track.spanAt(time);
    if (span >= track.count() || time < track.time(span).begin || track.look(span).style == NothingStyle)
        return {};
    // Two concurrent spans take one half of the row each. Use the one under the pointer.
    for (const std::size_t half : track.pairOf(span))
        if (rectOf({row, half}).contains(place))
            return {row, half};
    return {row, span};
}

QRectF TimelineCanvas::rectOf(SpanIndex span) const {
    const QRectF area = plot();
    const TimelineTrack &track = m_model->tracks[static_cast<std::size_t>(span.track)];
    const std::vector<std::size_t> pair = track.pairOf(span.span);
    const TimeRange time{track.time(pair.front()).begin, track.time(pair.back()).end};
    const qreal left = m_gestures->xAt(time.begin);
    QRectF rect = currentConfiguration()
                      .row(span.track, left, std::max(1.0, m_gestures->xAt(time.end) - left))
                      .translated(0, area.top() - verticalScrollBar()->value());
    if (pair.size() > 1) {
        rect.setHeight(rect.height() / 2);
        if (span.span == pair.back())
            rect.translate(0, rect.height());
    }
    return rect;
}

bool TimelineCanvas::isWork(SpanIndex span) const {
    const SpanLook &look = m_model->tracks[static_cast<std::size_t>(span.track)].look(span.span);
    return look.style != NothingStyle && m_model->styles[look.style].fill == TimelineStyle::Fill::Solid;
}

void TimelineCanvas::setChosenNumber(int number) {
    if (number == m_number)
        return;
    m_number = number;
    findChosen();
    viewport()->update();
}

void TimelineCanvas::findChosen() {
    m_chosen.clear();
    if (m_number < 0)
        return;
    for (std::size_t track = 0; track < m_model->tracks.size(); ++track) {
        const TimelineTrack &row = m_model->tracks[track];
        for (std::size_t span = 0; span < row.count(); ++span) {
            const SpanIndex index{static_cast<int>(track), span};
            if (row.look(span).number == m_number && isWork(index))
                m_chosen.push_back(index);
        }
    }
}

void TimelineCanvas::setLinks(const std::vector<TimelineLink> &links) {
    m_links = links;
    viewport()->update();
}

void TimelineCanvas::setCurrent(SpanIndex span) {
    if (span == m_current)
        return;
    m_current = span;
    viewport()->update();
    Q_EMIT currentChanged(span);
}

std::optional<TimeRange> TimelineCanvas::chosenRange() const {
    std::optional<TimeRange> range;
    const auto add = [&](SpanIndex span) {
        const TimeRange time = m_model->tracks[static_cast<std::size_t>(span.track)].time(span.span);
        range = range ? TimeRange{std::min(range->begin, time.begin), std::max(range->end, time.end)} : time;
    };
    for (const SpanIndex span : m_chosen)
        add(span);
    if (!range && m_current.isValid())
        add(m_current);
    return range;
}

/// Creates the raster and the glyphs for the current theme and pixel ratio.
void TimelineCanvas::choosePens() {
    Picture &picture = *m_picture;
    const qreal ratio = pictureRatio(this);
    if (picture.raster && picture.ratio == ratio)
        return;
    const Theme &theme = Theme::of(this);
    QFont font = theme.font(TypeRole::Caption, TextWeight::Medium);
    font.setPixelSize(10); // smaller than any size of the type scale; used only inside blocks
    picture.glyphs.emplace(font, ratio);
    picture.raster.emplace(*m_model, theme, ratio);
    picture.ratio = ratio;
}

const QImage &TimelineCanvas::rowsPicture(QSize size) {
    Picture &picture = *m_picture;
    const int scroll = verticalScrollBar()->value();
    const qreal ratio = pictureRatio(this);
    const bool fresh = picture.image.size() != size || picture.image.devicePixelRatio() != ratio;
    if (!fresh && !picture.stale && picture.range == m_axis->visible() && picture.scroll == scroll)
        return picture.image;
    if (fresh) {
        picture.image = QImage(size, QImage::Format_RGB32);
        picture.image.setDevicePixelRatio(ratio);
        picture.image.fill(picture.raster->colours().background);
    }
    const bool moves = !fresh && !picture.stale && picture.scroll == scroll;
    const TimeRange before = std::exchange(picture.range, m_axis->visible());
    picture.scroll = scroll;
    picture.stale = false;
    drawRows(picture.image, moves ? std::optional(before) : std::nullopt);
    return picture.image;
}

/// Draws directly into the window if nothing of the last picture can be reused, such as while zooming; otherwise draws
/// into the cached picture.
/// @param dirty  region to paint
void TimelineCanvas::paintRows(QPainter &painter, const QRegion &dirty) {
    const QRectF area = plot();
    choosePens();
    Picture &picture = *m_picture;
    const QSize size(static_cast<int>(std::round(area.width() * picture.ratio)),
                     static_cast<int>(std::round(area.height() * picture.ratio)));
    const bool isPart = dirty.rectCount() != 1 || !QRectF(dirty.boundingRect()).contains(area);
    const std::optional<int> columns = columnsBetween(picture.seen, m_axis->visible(), size.width());
    picture.seen = m_axis->visible();
    picture.panKeeps = picture.panKeeps || !columns;
    const bool isOfUse = columns && (*columns == 0 || picture.panKeeps);
    QImage window = isOfUse || isPart ? QImage() : linesUnder(painter, size, area.topLeft());
    if (window.isNull()) {
        painter.drawImage(area.topLeft(), rowsPicture(size));
        return;
    }
    picture.range = m_axis->visible();
    picture.scroll = verticalScrollBar()->value();
    picture.stale = true;
    drawRows(window, std::nullopt);
}

/// @param before  range that the picture shows, if only the range has changed; otherwise none
void TimelineCanvas::drawRows(QImage &image, const std::optional<TimeRange> &before) {
    Picture &picture = *m_picture;
    const qreal ratio = picture.ratio;
    const TimelineLayout layout = currentConfiguration();
    if (layout.pitch * ratio < 1) {
        drawSqueezed(image, static_cast<int>(std::round(layout.height() * ratio)));
        return;
    }
    const RasterDetail detail{&*picture.glyphs, m_marks};
    const QRgb background = picture.raster->colours().background;
    std::vector<TrackRow> rows;
    int drawn = 0; // first pixel line below the last row; the lines between rows get the background color
    for (std::size_t track = 0; track < m_model->tracks.size(); ++track) {
        const QRectF row = layout.row(static_cast<int>(track), 0, 1);
        const int top = static_cast<int>(std::round((row.top() - picture.scroll) * ratio));
        const int bottom = static_cast<int>(std::round((row.bottom() - picture.scroll) * ratio));
        if (bottom <= 0 || top >= image.height())
            continue;
        // If the top edge cuts off a row, the rest of the row is drawn from the edge down.
        const int from = std::max(0, top);
        rows.push_back({&m_model->tracks[track], {from, std::max(1, bottom - from)}});
        if (!before)
            fillLines(image, drawn, from, background);
        drawn = rows.back().band.top + rows.back().band.height;
    }
    if (before) {
        picture.panKeeps = 2 * picture.raster->pan(image, rows, *before, picture.range, detail) > rows.size();
        return;
    }
    fillLines(image, drawn, image.height(), background);
    picture.raster->paint(image, rows, picture.range, detail);
}

/// Where several rows share a pixel line, draws each of them and averages the result. Of very many rows, it draws an
/// evenly spaced sample, because a single row would not change the color of the line.
void TimelineCanvas::drawSqueezed(QImage &image, int lines) {
    constexpr int MaxDrawn = 1024;
    constexpr std::int64_t MinRowsPerLine = 4;
    Picture &picture = *m_picture;
    const auto rows = static_cast<std::int64_t>(m_model->tracks.size());
    const int all = std::clamp(lines, 1, image.height());
    fillLines(image, all, image.height(), picture.raster->colours().background);
    const std::int64_t most = std::min((rows + all - 1) / all, std::max<std::int64_t>(MinRowsPerLine, MaxDrawn / all));
    QImage together(image.width(), static_cast<int>(most), QImage::Format_RGB32);
    std::vector<TrackRow> drawn;
    std::vector<std::uint32_t> sums;
    for (int line = 0; line < all; ++line) {
        const std::int64_t first = line * rows / all;
        const std::int64_t sharing = std::max<std::int64_t>(1, (line + 1) * rows / all - first);
        const std::int64_t taken = std::min(sharing, most);
        drawn.clear();
        for (std::int64_t i = 0; i < taken; ++i)
            drawn.push_back(
                {&m_model->tracks[static_cast<std::size_t>(first + i * sharing / taken)], {static_cast<int>(i), 1}});
        together.fill(picture.raster->colours().background);
        picture.raster->paint(together, drawn, picture.range, {});
        meanOfLines(together, static_cast<int>(taken), sums, reinterpret_cast<QRgb *>(image.scanLine(line)));
    }
}

void TimelineCanvas::changeEvent(QEvent *event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        forgetColours();
}

void TimelineCanvas::resizeEvent(QResizeEvent *event) {
    QAbstractScrollArea::resizeEvent(event);
    refresh();
}

void TimelineCanvas::announce() {
    if (!m_current.isValid())
        return;
    const QRectF rect = rectOf(m_current);
    const HoverContent content = m_describe ? m_describe(m_current) : HoverContent{};
    if (content.title.isEmpty())
        return;
    m_card.show(viewport(), QPoint(int(rect.center().x()), int(rect.bottom()) - 8), content);
    setAccessibleDescription(content.spoken());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

} // namespace meshwright
