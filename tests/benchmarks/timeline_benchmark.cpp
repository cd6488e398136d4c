// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks register themselves in globals: clazy:excludeall=non-pod-global-static
// Draws a million spans in a window of 1600 x 900 with TimelineRaster, and with a simple painter that fills a rectangle
// per span.
#include "../widgets/timeline_fixture.h"
#include "theme/theme.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_layout.h"
#include "timeline/timeline_raster.h"

#include <QApplication>
#include <QPainter>

#include <benchmark/benchmark.h>

#include <chrono>

namespace meshwright {
namespace {

constexpr int Rows = 64;
constexpr int SpansOfRow = 15'625; // a million spans in total
constexpr QSize Window{1600, 900};

const TimelineModelPointer &model() {
    static const TimelineModelPointer made = unevenTimeline(Rows, SpansOfRow);
    return made;
}

/// The middle part of the timeline with this fraction of its length.
TimeRange visiblePart(double share) {
    const TimeRange &whole = model()->whole;
    const double length = whole.length() * share;
    const double begin = whole.begin + (whole.length() - length) / 2;
    return {begin, begin + length};
}

QImage emptyPicture(int ratio) {
    QImage image(Window * ratio, QImage::Format_RGB32);
    image.fill(Qt::black);
    return image;
}

std::vector<TrackRow> rowsOf(int ratio) {
    const TimelineLayout layout = layoutTimeline(*model(), Window.height());
    std::vector<TrackRow> rows;
    for (int row = 0; row < Rows; ++row) {
        const QRectF rect = layout.row(row, 0, 1);
        const int top = static_cast<int>(rect.top() * ratio);
        rows.push_back(
            {&model()->tracks[static_cast<std::size_t>(row)], {top, static_cast<int>(rect.bottom() * ratio) - top}});
    }
    return rows;
}

/// Time of the simple painter, which does not add up spans that share a pixel.
double naiveSeconds(int ratio, const TimeRange &range) {
    QImage image = emptyPicture(ratio);
    const TimelineLayout layout = layoutTimeline(*model(), Window.height());
    const auto start = std::chrono::steady_clock::now();
    QPainter painter(&image);
    for (int row = 0; row < Rows; ++row) {
        const TimelineTrack &track = model()->tracks[static_cast<std::size_t>(row)];
        const QRectF rect = layout.row(row, 0, 1);
        for (std::size_t span = track.spanAt(range.begin); span < track.count(); ++span) {
            const TimeRange time = track.time(span);
            if (time.begin >= range.end)
                break;
            const double left = timeToX(time.begin, range, image.width());
            const double width = timeToX(time.end, range, image.width()) - left;
            painter.fillRect(QRectF(left, rect.top() * ratio, width, rect.height() * ratio), QColor(Qt::blue));
        }
    }
    painter.end();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Counters: milliseconds per frame (goal: 12, and 16 at a device pixel ratio of 2), and the time relative to the
/// simple painter.
void frame(benchmark::State &state, int ratio, double share) {
    const TimeRange range = visiblePart(share);
    const TimelineRaster raster(*model(), Theme::dark(), ratio);
    QFont font = Theme::dark().font(TypeRole::Caption);
    font.setPixelSize(10);
    const GlyphCache glyphs(font, ratio);
    QImage image = emptyPicture(ratio);
    const std::vector<TrackRow> rows = rowsOf(ratio);
    const double naive = naiveSeconds(ratio, range);
    const auto start = std::chrono::steady_clock::now();
    for (auto _ : state)
        raster.paint(image, rows, range, {&glyphs, true});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()
        / static_cast<double>(state.iterations());
    state.counters["frame_ms"] = seconds * 1e3;
    state.counters["of_naive"] = seconds / naive;
}
#define MESHWRIGHT_FRAMES(function, name, ...)                                                                         \
    BENCHMARK_CAPTURE(function, name, __VA_ARGS__)                                                                     \
        ->Unit(benchmark::kMillisecond)                                                                                \
        ->MeasureProcessCPUTime()                                                                                      \
        ->UseRealTime()
MESHWRIGHT_FRAMES(frame, all, 1, 1.0);
MESHWRIGHT_FRAMES(frame, tenth, 1, 0.1);
MESHWRIGHT_FRAMES(frame, hundredth, 1, 0.01);
MESHWRIGHT_FRAMES(frame, labelled, 1, 0.003);
MESHWRIGHT_FRAMES(frame, all_at_2x, 2, 1.0);
MESHWRIGHT_FRAMES(frame, tenth_at_2x, 2, 0.1);
MESHWRIGHT_FRAMES(frame, hundredth_at_2x, 2, 0.01);
MESHWRIGHT_FRAMES(frame, labelled_at_2x, 2, 0.003);

enum class Motion { zoom, pan, pan_fraction };

/// Draws frames of the canvas with its ruler, its row names and the copy into the window, while it zooms around its
/// middle or is dragged by whole or fractional pixels. No two consecutive frames are equal. QT_SCALE_FACTOR=2 sets a
/// device pixel ratio of 2.
void canvas_frame(benchmark::State &state, Motion motion, double share) {
    TimelineAxis axis;
    TimelineCanvas canvas(&axis);
    canvas.resize(Window);
    axis.setWhole(model()->whole);
    canvas.setModel(model());
    canvas.setMarksShown(true);
    canvas.show();
    QCoreApplication::processEvents();
    const TimeRange range = visiblePart(share);
    axis.show(range);
    const double pixel = range.length() / canvas.plot().width();
    const double step = motion == Motion::pan ? 7 * pixel : 7.3 * pixel;
    std::int64_t frames = 0;
    for (auto _ : state) {
        const bool there = ++frames % 40 < 20; // changes direction every 20 frames
        if (motion == Motion::zoom)
            axis.zoomAbout(range.begin + range.length() / 2, there ? 1.01 : 1 / 1.01);
        else
            axis.panBy(there ? step : -step);
        canvas.viewport()->repaint();
    }
    state.counters["ratio"] = canvas.devicePixelRatioF();
}
MESHWRIGHT_FRAMES(canvas_frame, zoom_all, Motion::zoom, 0.8);
MESHWRIGHT_FRAMES(canvas_frame, zoom_tenth, Motion::zoom, 0.1);
MESHWRIGHT_FRAMES(canvas_frame, zoom_labelled, Motion::zoom, 0.003);
MESHWRIGHT_FRAMES(canvas_frame, pan_all, Motion::pan, 0.8);
MESHWRIGHT_FRAMES(canvas_frame, pan_tenth, Motion::pan, 0.1);
MESHWRIGHT_FRAMES(canvas_frame, pan_labelled, Motion::pan, 0.003);
MESHWRIGHT_FRAMES(canvas_frame, pan_by_fractions, Motion::pan_fraction, 0.8);

} // namespace
} // namespace meshwright

int main(int argc, char **argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
