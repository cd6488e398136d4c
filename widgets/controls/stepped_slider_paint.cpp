// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/label_layout.h"
#include "controls/plain_numbers.h"
#include "controls/stepped_slider.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <limits>

namespace meshwright {
namespace {

constexpr qreal CurveTop = 4;
constexpr qreal CurveBottom = 22;
constexpr qreal Knob = 14;

struct Bounds {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    void include(const QVector<std::optional<double>> &values) {
        for (const std::optional<double> &value : values) {
            if (value) {
                low = std::min(low, *value);
                high = std::max(high, *value);
            }
        }
    }
    qreal yOf(double value) const {
        const double range = high - low;
        return CurveBottom - 4 - (range > 0 ? (value - low) / range : 0.5) * (CurveBottom - 6 - CurveTop);
    }
};

} // namespace

void SteppedSlider::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    if (!m_curve.isEmpty() && m_curve.size() == m_stops.size())
        paintCurve(painter, theme);
    paintRail(painter, theme);
    paintLabels(painter, theme);
}

void SteppedSlider::paintCurve(QPainter &painter, const Theme &theme) const {
    Bounds bounds;
    bounds.include(m_curve);
    if (m_hollowCurve.size() == m_curve.size())
        bounds.include(m_hollowCurve);
    const QColor line = theme.colour(ColourRole::Accent);
    QColor area = line;
    area.setAlphaF(theme.isDark() ? 0.12f : 0.14f);
    const qreal half = m_stops.size() > 1 ? (positionOf(1) - positionOf(0)) / 2 : width() / 2.0;
    QPainterPath path;
    qreal start = 0;
    const auto finish = [&](qreal end) {
        if (path.elementCount() > 1) {
            QPainterPath closed = path;
            closed.lineTo(end, CurveBottom);
            closed.lineTo(start, CurveBottom);
            painter.fillPath(closed, area);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(line, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.drawPath(path);
        }
        path = QPainterPath();
    };
    for (int i = 0; i < m_curve.size(); ++i) {
        const qreal x = positionOf(i);
        if (m_curve[i]) {
            const QPointF point(x, bounds.yOf(*m_curve[i]));
            if (path.elementCount() == 0) {
                path.moveTo(point);
                start = x;
            } else {
                path.lineTo(point);
            }
            continue;
        }
        if (i > 0)
            finish(positionOf(i - 1));
        const qreal gap = 2;
        const QRectF cell(QPointF(std::max<qreal>(0, x - half + gap), CurveTop),
                          QPointF(std::min<qreal>(width(), x + half - gap), CurveBottom));
        surfaces::hatch(painter, cell,
                        mixed(theme.colour(ColourRole::LineStrong), theme.colour(ColourRole::Panel), 0.6));
        if (i < m_hollowCurve.size() && m_hollowCurve[i]) {
            painter.setPen(QPen(theme.colour(ColourRole::Text3), 1.25));
            painter.setBrush(theme.colour(ColourRole::Panel));
            painter.drawEllipse(QPointF(x, bounds.yOf(*m_hollowCurve[i])), 2.5, 2.5);
        }
    }
    finish(positionOf(int(m_curve.size()) - 1));
    painter.setPen(Qt::NoPen);
    for (int i = 0; i < m_curve.size(); ++i) {
        if (!m_curve[i])
            continue;
        const bool best = m_best == i;
        painter.setBrush(theme.colour(best ? ColourRole::Good : ColourRole::Accent));
        painter.drawEllipse(QPointF(positionOf(i), bounds.yOf(*m_curve[i])), best ? 3.5 : 2, best ? 3.5 : 2);
    }
}

void SteppedSlider::paintRail(QPainter &painter, const Theme &theme) const {
    const qreal middle = railMiddle();
    const qreal left = positionOf(0);
    const qreal right = m_stops.size() > 1 ? positionOf(int(m_stops.size()) - 1) : width() - left;
    const bool off = isOffList();
    const qreal knob = positionOfValue(m_stop);
    surfaces::rounded(painter, QRectF(QPointF(left, middle - 1.5), QPointF(right, middle + 1.5)), 1.5,
                      theme.colour(ColourRole::Raised));
    const QColor done = !isEnabled() ? theme.colour(ColourRole::LineStrong)
        : off                        ? theme.colour(ColourRole::Warn)
                                     : theme.colour(ColourRole::AccentFill);
    surfaces::rounded(painter, QRectF(QPointF(left, middle - 1.5), QPointF(knob, middle + 1.5)), 1.5, done);
    const QColor tick = mixed(theme.colour(ColourRole::LineStrong), theme.colour(ColourRole::Panel), 0.3);
    for (int i = 0; i < m_stops.size(); ++i)
        painter.fillRect(QRectF(positionOf(i) - 0.5, middle + 5, 1, 3), tick);
    if (m_stops.isEmpty())
        return;
    if (m_hovered >= 0 && m_hovered < m_stops.size() && isEnabled() && !isSliderDown()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.colour(ColourRole::Accent));
        painter.drawEllipse(QPointF(positionOf(m_hovered), middle), 3, 3);
    }
    QRectF circle(0, 0, Knob, Knob);
    circle.moveCenter({knob, middle});
    if (hasFocus() && isEnabled())
        surfaces::rounded(painter, circle.adjusted(-2, -2, 2, 2), Knob, {}, theme.colour(ColourRole::Focus), 1.5);
    const QColor ring = !isEnabled() ? theme.colour(ColourRole::LineStrong)
        : off                        ? theme.colour(ColourRole::Warn)
                                     : theme.colour(ColourRole::Accent);
    const QColor inside = off ? theme.colour(ColourRole::Panel)
        : isSliderDown()      ? theme.colour(ColourRole::AccentSoft)
        : theme.isDark()      ? theme.colour(ColourRole::Window)
                              : theme.colour(ColourRole::Card);
    const QRectF face = hasFocus() ? circle.adjusted(1, 1, -1, -1) : circle;
    surfaces::rounded(painter, face, Knob / 2, inside, ring, 2);
}

void SteppedSlider::paintLabels(QPainter &painter, const Theme &theme) const {
    const QFont plain = theme.font(TypeRole::Caption);
    const QFont strong = theme.font(TypeRole::Caption, TextWeight::SemiBold);
    const qreal baseline = railMiddle() + 20;
    const bool off = isOffList() && !m_stops.isEmpty();
    QStringList texts = m_labels;
    QVector<LabelSpan> spans;
    for (int i = 0; i < m_stops.size(); ++i) {
        const bool current = m_stops[i] == m_stop;
        const qreal width = QFontMetricsF(current ? strong : plain).horizontalAdvance(m_labels[i]);
        spans.append(centredWithin(positionOf(i), width, 0, this->width()));
    }
    int current = int(m_stops.indexOf(m_stop));
    if (off) {
        texts.append(plain_numbers::text(m_stop));
        current = int(texts.size()) - 1;
        spans.append(
            centredWithin(positionOfValue(m_stop), QFontMetricsF(strong).horizontalAdvance(texts.last()), 0, width()));
    }
    const QVector<bool> shown = labelsThatFit(spans, 6, {current, 0, int(m_stops.size()) - 1});
    for (int i = 0; i < spans.size(); ++i) {
        if (!shown[i])
            continue;
        painter.setFont(i == current ? strong : plain);
        const ColourRole role = i != current ? ColourRole::Text3 : off ? ColourRole::Warn : ColourRole::Text;
        painter.setPen(theme.colour(role));
        painter.drawText(QPointF(spans[i].left, baseline), texts[i]);
    }
}

} // namespace meshwright
