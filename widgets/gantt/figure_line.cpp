// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/figure_line.h"

#include "figures/figure_event.h"
#include "figures/figure_keys.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal PairGap = 5;
constexpr qreal FigureGap = 16;
constexpr int LineHeight = 22;
constexpr int Halo = 5; ///< pixels around the text of the hovered figure
constexpr int Radius = 4;

} // namespace

FigureLine::FigureLine(QWidget *parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &FigureLine::updateGeometry);
}

void FigureLine::setTitle(const QString &title) {
    m_title = title;
    describe();
}

void FigureLine::setEntries(const QVector<Entry> &entries) {
    m_entries = entries;
    m_pointed = -1;
    if (m_current >= m_entries.size() || (m_current >= 0 && m_entries[m_current].figure.isEmpty()))
        m_current = -1;
    setFocusPolicy(figures().isEmpty() ? Qt::NoFocus : Qt::TabFocus);
    describe();
}

QString FigureLine::spoken() const {
    QStringList parts;
    for (const Entry &entry : m_entries)
        parts.append(entry.name + QLatin1Char(' ') + entry.value);
    return parts.join(QStringLiteral(", "));
}

void FigureLine::describe() {
    setAccessibleName(m_title);
    setAccessibleDescription(spoken());
    showToolTip();
    updateGeometry();
    update();
}

void FigureLine::setExplanation(const QString &explanation) {
    m_explanation = explanation;
    showToolTip();
}

void FigureLine::showToolTip() {
    QStringList parts;
    if (!m_explanation.isEmpty())
        parts.append(m_explanation);
    if (width() < sizeHint().width()) // not all entries fit the width
        parts.append(spoken());
    setToolTip(parts.join(QStringLiteral("\n")));
}

void FigureLine::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    showToolTip();
}

void FigureLine::focusInEvent(QFocusEvent *event) {
    QWidget::focusInEvent(event);
    if (m_current < 0)
        move(1);
}

QList<FigureRef> FigureLine::figures() const {
    QList<FigureRef> all;
    for (const Entry &entry : m_entries)
        if (!entry.figure.isEmpty())
            all << entry.figure;
    return all;
}

FigureRef FigureLine::figureAt(const QPoint &place) const {
    const int entry = entryAt(place);
    return entry < 0 ? FigureRef() : m_entries[entry].figure;
}

FigureRef FigureLine::currentFigure() const {
    return m_current < 0 ? FigureRef() : m_entries[m_current].figure;
}

bool FigureLine::isScaleAt(const QPoint &place) const {
    const QFontMetricsF strong(Theme::of(this).font(TypeRole::Body, TextWeight::SemiBold));
    return place.x() < strong.horizontalAdvance(m_title);
}

QRect FigureLine::areaOf(int entry) const {
    const Theme &theme = Theme::of(this);
    const QFontMetricsF quiet(theme.font(TypeRole::Body));
    const QFontMetricsF strong(theme.font(TypeRole::Body, TextWeight::SemiBold));
    qreal x = strong.horizontalAdvance(m_title) + FigureGap;
    for (int i = 0; i <= entry; ++i) {
        const qreal pair =
            quiet.horizontalAdvance(m_entries[i].name) + PairGap + strong.horizontalAdvance(m_entries[i].value);
        if (x + pair > width())
            return {};
        if (i == entry)
            return QRectF(x, 0, pair, height()).toAlignedRect();
        x += pair + FigureGap;
    }
    return {};
}

int FigureLine::entryAt(const QPoint &place) const {
    for (int i = 0; i < m_entries.size(); ++i)
        if (areaOf(i).adjusted(-Halo, 0, Halo, 0).contains(place))
            return i;
    return -1;
}

QSize FigureLine::sizeHint() const {
    const Theme &theme = Theme::of(this);
    const QFontMetricsF quiet(theme.font(TypeRole::Body));
    const QFontMetricsF strong(theme.font(TypeRole::Body, TextWeight::SemiBold));
    qreal width = strong.horizontalAdvance(m_title);
    for (const Entry &entry : m_entries)
        width += FigureGap + quiet.horizontalAdvance(entry.name) + PairGap + strong.horizontalAdvance(entry.value);
    return {static_cast<int>(std::ceil(width)) + Halo, LineHeight};
}

QSize FigureLine::minimumSizeHint() const {
    const QFontMetricsF strong(Theme::of(this).font(TypeRole::Body, TextWeight::SemiBold));
    return {static_cast<int>(std::ceil(strong.horizontalAdvance(m_title))) + 2, LineHeight};
}

void FigureLine::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    const QFont quiet = theme.font(TypeRole::Body);
    const QFont strong = theme.font(TypeRole::Body, TextWeight::SemiBold);
    const QFontMetricsF metrics(strong);
    const qreal baseline = std::round(height() / 2.0 + (metrics.ascent() - metrics.descent()) / 2);
    painter.setFont(strong);
    painter.setPen(theme.colour(ColourRole::Text));
    painter.drawText(QPointF(0, baseline), m_title);
    for (int i = 0; i < m_entries.size(); ++i) {
        const QRect area = areaOf(i);
        if (area.isEmpty())
            break;
        const bool pointed = i == m_pointed && !m_entries[i].figure.isEmpty();
        const QRect halo = area.adjusted(-Halo, 1, Halo, -1);
        if (pointed)
            surfaces::rounded(painter, halo, Radius, theme.colour(ColourRole::Raised));
        painter.setFont(quiet);
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(area.left(), baseline), m_entries[i].name);
        painter.setFont(strong);
        painter.setPen(theme.colour(pointed ? ColourRole::Accent : ColourRole::Text));
        const qreal nameWidth = QFontMetricsF(quiet).horizontalAdvance(m_entries[i].name);
        painter.drawText(QPointF(area.left() + nameWidth + PairGap, baseline), m_entries[i].value);
        if (i == m_current && showsFocusRing(this))
            surfaces::focusRing(painter, halo, Radius, theme);
    }
}

void FigureLine::point(int entry) {
    if (entry == m_pointed)
        return;
    m_pointed = entry;
    const bool opens = entry >= 0 && !m_entries[entry].figure.isEmpty();
    setCursor(opens ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void FigureLine::mouseMoveEvent(QMouseEvent *event) {
    point(entryAt(event->pos()));
}

void FigureLine::leaveEvent(QEvent *) {
    point(-1);
}

void FigureLine::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        wantFigure(this, figureAt(event->pos()));
}

void FigureLine::move(int step) {
    int to = m_current;
    do {
        to += step;
    } while (to >= 0 && to < m_entries.size() && (m_entries[to].figure.isEmpty() || areaOf(to).isEmpty()));
    if (to >= 0 && to < m_entries.size())
        m_current = to;
    update();
}

void FigureLine::keyPressEvent(QKeyEvent *event) {
    const auto open = [this] { wantFigure(this, currentFigure()); };
    if (!walkFigures(
            *event, [this](int step) { move(step); }, open))
        QWidget::keyPressEvent(event);
}

} // namespace meshwright
