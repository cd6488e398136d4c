// SPDX-License-Identifier: GPL-3.0-or-later
#include "svg_picture.h"

#include <QPaintEngine>
#include <QPainterPath>

#include <algorithm>
#include <climits>
#include <cmath>

namespace meshwright {

namespace {

constexpr int dotsPerInch = 96; ///< resolution at which CSS defines a pixel

/// Excludes the features that the SVG generator lacks, so that QPainter emulates them with simpler operations.
constexpr auto features = QPaintEngine::PaintEngineFeatures(QPaintEngine::AllFeatures) & ~QPaintEngine::PatternTransform
    & ~QPaintEngine::PerspectiveTransform & ~QPaintEngine::ConicalGradientFill & ~QPaintEngine::PorterDuff;

} // namespace

/// Forwards all drawing to the generator's painter, cut to the clip region.
class SvgPicture::Engine : public QPaintEngine {
public:
    explicit Engine(QPainter &out)
        : QPaintEngine(features)
        , m_out(out) { }

    bool begin(QPaintDevice *) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState &changed) override {
        const QPaintEngine::DirtyFlags dirty = changed.state();
        if (dirty.testFlag(DirtyTransform))
            m_out.setTransform(changed.transform());
        if (dirty.testFlag(DirtyPen))
            m_out.setPen(changed.pen());
        if (dirty.testFlag(DirtyBrush))
            m_out.setBrush(changed.brush());
        if (dirty.testFlag(DirtyBrushOrigin))
            m_out.setBrushOrigin(changed.brushOrigin());
        if (dirty.testFlag(DirtyFont))
            m_out.setFont(changed.font());
        if (dirty.testFlag(DirtyOpacity))
            m_out.setOpacity(changed.opacity());
        if (dirty.testFlag(DirtyHints))
            m_out.setRenderHints(changed.renderHints());
    }

    void drawPath(const QPainterPath &path) override {
        const Cut cut = cutOf(path.boundingRect(), m_out.pen());
        if (cut == Cut::Whole)
            m_out.drawPath(path);
        if (cut != Cut::Part)
            return;
        if (m_out.brush().style() != Qt::NoBrush)
            m_out.fillPath(path.intersected(clip()), m_out.brush());
        if (m_out.pen().style() != Qt::NoPen)
            m_out.fillPath(strokeOf(path).intersected(clip()), m_out.pen().brush());
    }

    void drawPolygon(const QPointF *points, int count, PolygonDrawMode mode) override {
        QPainterPath path(points[0]);
        for (int i = 1; i < count; ++i)
            path.lineTo(points[i]);
        if (mode != PolylineMode) {
            path.closeSubpath();
            path.setFillRule(mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
            drawPath(path);
            return;
        }
        const QBrush brush = m_out.brush();
        m_out.setBrush(Qt::NoBrush);
        drawPath(path);
        m_out.setBrush(brush);
    }
    void drawPolygon(const QPoint *points, int count, PolygonDrawMode mode) override {
        QPolygonF polygon;
        for (int i = 0; i < count; ++i)
            polygon << QPointF(points[i]);
        drawPolygon(polygon.constData(), count, mode);
    }

    void drawTextItem(const QPointF &place, const QTextItem &item) override {
        const QRectF bounds(place.x(), place.y() - item.ascent(), item.width(), item.ascent() + item.descent());
        const Cut cut = cutOf(bounds, {});
        const QFont before = m_out.font();
        m_out.setFont(item.font());
        if (cut == Cut::Whole)
            m_out.drawText(place, item.text());
        if (cut == Cut::Part) {
            QPainterPath outline;
            outline.addText(place, item.font(), item.text());
            m_out.fillPath(outline.intersected(clip()), m_out.pen().brush());
        }
        m_out.setFont(before);
    }

    void drawPixmap(const QRectF &target, const QPixmap &pixmap, const QRectF &source) override {
        drawImage(target, pixmap.toImage(), source, Qt::AutoColor);
    }
    void drawImage(const QRectF &target, const QImage &image, const QRectF &source, Qt::ImageConversionFlags) override {
        const Cut cut = cutOf(target, {});
        if (cut == Cut::Whole)
            m_out.drawImage(target, image, source);
        if (cut != Cut::Part || target.isEmpty())
            return;
        const QRectF part = target.intersected(clip().boundingRect());
        const qreal across = source.width() / target.width();
        const qreal down = source.height() / target.height();
        m_out.drawImage(part, image,
                        QRectF(source.left() + (part.left() - target.left()) * across,
                               source.top() + (part.top() - target.top()) * down, part.width() * across,
                               part.height() * down));
    }

private:
    enum class Cut { Whole, Part, Nothing };

    /// Current clip in logical coordinates; the whole picture if nothing is clipped.
    QPainterPath clip() const {
        QPainterPath clip;
        const QTransform back = m_out.transform().inverted();
        const QRegion system = systemClip();
        if (!system.isEmpty()) {
            QPainterPath region;
            region.addRegion(system);
            clip = back.map(region);
        }
        if (painter()->hasClipping()) {
            const QPainterPath own = painter()->clipPath();
            clip = clip.isEmpty() ? own : clip.intersected(own);
        }
        return clip;
    }
    Cut cutOf(QRectF bounds, const QPen &pen) const {
        const QPainterPath area = clip();
        if (area.isEmpty())
            return painter()->hasClipping() || !systemClip().isEmpty() ? Cut::Nothing : Cut::Whole;
        const qreal reach = pen.style() == Qt::NoPen ? 0 : std::max<qreal>(1, pen.widthF()) / 2;
        // A line has no area and would count as outside the clip region, so its bounds are widened.
        bounds.adjust(-reach - 0.01, -reach - 0.01, reach + 0.01, reach + 0.01);
        if (!area.intersects(bounds))
            return Cut::Nothing;
        // Do not cut shapes that extend only slightly beyond the clip region, such as the backgrounds of widgets.
        const qreal across = std::min(0.6, bounds.width() * 0.4);
        const qreal down = std::min(0.6, bounds.height() * 0.4);
        return area.contains(bounds.adjusted(across, down, -across, -down)) ? Cut::Whole : Cut::Part;
    }
    QPainterPath strokeOf(const QPainterPath &path) const {
        QPainterPathStroker stroker(m_out.pen());
        if (m_out.pen().widthF() == 0)
            stroker.setWidth(1);
        return stroker.createStroke(path);
    }

    QPainter &m_out;
};

SvgPicture::SvgPicture(const QSize &size, const QString &title)
    : m_size(size) {
    m_buffer.open(QIODevice::WriteOnly);
    m_generator.setOutputDevice(&m_buffer);
    m_generator.setSize(size);
    m_generator.setViewBox(QRect(QPoint(0, 0), size));
    m_generator.setResolution(dotsPerInch);
    m_generator.setTitle(title);
    m_out.begin(&m_generator);
    m_engine = std::make_unique<Engine>(m_out);
}

SvgPicture::~SvgPicture() = default;

QPaintEngine *SvgPicture::paintEngine() const {
    return m_engine.get();
}

QByteArray SvgPicture::finish() {
    m_out.end();
    // Other programs lack this program's own font, and would fall back to a serif font.
    QByteArray drawing = m_buffer.data();
    drawing.replace("\" font-size=", ", Inter, Arial, sans-serif\" font-size=");
    return drawing;
}

int SvgPicture::metric(PaintDeviceMetric metric) const {
    switch (metric) {
    case PdmWidth:
        return m_size.width();
    case PdmHeight:
        return m_size.height();
    case PdmWidthMM:
        return static_cast<int>(std::lround(m_size.width() * 25.4 / dotsPerInch));
    case PdmHeightMM:
        return static_cast<int>(std::lround(m_size.height() * 25.4 / dotsPerInch));
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return dotsPerInch;
    case PdmNumColors:
        return INT_MAX;
    case PdmDepth:
        return 32;
    case PdmDevicePixelRatio:
        return 1;
    default:
        return QPaintDevice::metric(metric);
    }
}

} // namespace meshwright
