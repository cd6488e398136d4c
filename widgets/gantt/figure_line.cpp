// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/figure_line.h"

#include "theme/theme.h"

#include <QPainter>

#include <cmath>

namespace meshwright {
namespace {

constexpr qreal PairGap = 5;
constexpr qreal FigureGap = 16;

} // namespace

FigureLine::FigureLine(QWidget *parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &FigureLine::updateGeometry);
}

void FigureLine::setTitle(const QString &title) {
    m_title = title;
    describe();
}

void FigureLine::setFigures(const QVector<QPair<QString, QString>> &figures) {
    m_figures = figures;
    describe();
}

void FigureLine::describe() {
    QStringList parts;
    for (const auto &[name, value] : m_figures)
        parts.append(name + QLatin1Char(' ') + value);
    setAccessibleName(m_title);
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
    setToolTip(parts.join(QStringLiteral("\n")));
    updateGeometry();
    update();
}

QSize FigureLine::sizeHint() const {
    const Theme &theme = Theme::of(this);
    const QFontMetricsF quiet(theme.font(TypeRole::Body));
    const QFontMetricsF strong(theme.font(TypeRole::Body, TextWeight::SemiBold));
    qreal width = strong.horizontalAdvance(m_title);
    for (const auto &[name, value] : m_figures)
        width += FigureGap + quiet.horizontalAdvance(name) + PairGap + strong.horizontalAdvance(value);
    return {static_cast<int>(std::ceil(width)) + 2, 20};
}

QSize FigureLine::minimumSizeHint() const {
    const QFontMetricsF strong(Theme::of(this).font(TypeRole::Body, TextWeight::SemiBold));
    return {static_cast<int>(std::ceil(strong.horizontalAdvance(m_title))) + 2, 20};
}

void FigureLine::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    const QFont quietFont = theme.font(TypeRole::Body);
    const QFont strongFont = theme.font(TypeRole::Body, TextWeight::SemiBold);
    const QFontMetricsF quiet(quietFont);
    const QFontMetricsF strong(strongFont);
    const qreal baseline = std::round(height() / 2.0 + (strong.ascent() - strong.descent()) / 2);
    painter.setFont(strongFont);
    painter.setPen(theme.colour(ColourRole::Text));
    painter.drawText(QPointF(0, baseline), m_title);
    qreal x = strong.horizontalAdvance(m_title) + FigureGap;
    for (const auto &[name, value] : m_figures) {
        const qreal nameWidth = quiet.horizontalAdvance(name);
        const qreal valueWidth = strong.horizontalAdvance(value);
        if (x + nameWidth + PairGap + valueWidth > width())
            break;
        painter.setFont(quietFont);
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(x, baseline), name);
        painter.setFont(strongFont);
        painter.setPen(theme.colour(ColourRole::Text));
        painter.drawText(QPointF(x + nameWidth + PairGap, baseline), value);
        x += nameWidth + PairGap + valueWidth + FigureGap;
    }
}

} // namespace meshwright
