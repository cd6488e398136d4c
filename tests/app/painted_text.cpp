// SPDX-License-Identifier: GPL-3.0-or-later
#include "painted_text.h"

#include <QPaintDevice>
#include <QPaintEngine>
#include <QRegularExpression>
#include <QWidget>

namespace meshwright {

namespace {

/// Records only the texts that are drawn.
class TextEngine : public QPaintEngine {
public:
    TextEngine()
        : QPaintEngine(AllFeatures) { }

    bool begin(QPaintDevice *) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState &now) override {
        if (now.state() & DirtyTransform)
            m_transform = now.transform();
    }
    void drawPixmap(const QRectF &, const QPixmap &, const QRectF &) override { }
    void drawImage(const QRectF &, const QImage &, const QRectF &, Qt::ImageConversionFlags) override { }
    void drawPath(const QPainterPath &) override { }
    void drawPolygon(const QPointF *, int, PolygonDrawMode) override { }
    void drawTextItem(const QPointF &at, const QTextItem &item) override {
        static const QRegularExpression number(QStringLiteral(R"((?<![\w.,/^])\d[\d,]*(\.\d+)?(e[+-]?\d+)?(?!\w))"));
        const QString text = item.text();
        const QFontMetricsF metrics(item.font());
        QRegularExpressionMatchIterator found = number.globalMatch(text);
        while (found.hasNext()) {
            const QRegularExpressionMatch match = found.next();
            const qreal left = metrics.horizontalAdvance(text.left(match.capturedStart()));
            const qreal middle = left + metrics.horizontalAdvance(match.captured()) / 2;
            numbers.append({match.captured(), text, text.mid(match.capturedEnd()),
                            m_transform.map(at + QPointF(middle, -metrics.ascent() / 2.5))});
        }
    }

    QVector<PaintedNumber> numbers;

private:
    QTransform m_transform;
};

class TextDevice : public QPaintDevice {
public:
    explicit TextDevice(const QWidget &widget)
        : m_widget(widget) { }

    QPaintEngine *paintEngine() const override { return &m_engine; }
    QVector<PaintedNumber> numbers() const { return m_engine.numbers; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
        case PdmWidth:
            return m_widget.width();
        case PdmHeight:
            return m_widget.height();
        case PdmDpiX:
        case PdmPhysicalDpiX:
            return m_widget.logicalDpiX();
        case PdmDpiY:
        case PdmPhysicalDpiY:
            return m_widget.logicalDpiY();
        case PdmDepth:
            return 32;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default:
            return 1;
        }
    }

private:
    const QWidget &m_widget;
    mutable TextEngine m_engine;
};

} // namespace

QVector<PaintedNumber> paintedNumbers(QWidget &widget) {
    TextDevice device(widget);
    widget.render(&device, {}, {}, {});
    return device.numbers();
}

} // namespace meshwright
