// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_label.h"

#include "figures/figure_event.h"
#include "theme/surfaces.h"

#include <QKeyEvent>
#include <QPainter>

#include <cmath>

namespace meshwright {

namespace {
constexpr int padding = 4;
constexpr int radius = 4;
} // namespace

FigureLabel::FigureLabel(TypeRole type, ColourRole colour, TextWeight weight, QWidget *parent)
    : QAbstractButton(parent)
    , m_type(type)
    , m_colour(colour)
    , m_weight(weight) {
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::NoFocus); // without a figure, the label takes no focus
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, this, [this] { wantFigure(this, m_figure); });
}

void FigureLabel::setFigure(const QString &text, const FigureRef &figure) {
    m_figure = figure;
    setText(text);
    setAccessibleName(text);
    setAccessibleDescription(figure.isEmpty() ? QString() : tr("Shows how this number is calculated"));
    setFocusPolicy(figure.isEmpty() ? Qt::NoFocus : Qt::TabFocus);
    setCursor(figure.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    updateGeometry();
    update();
}

void FigureLabel::setAlignment(Qt::Alignment alignment) {
    m_alignment = alignment;
    update();
}

void FigureLabel::setColour(ColourRole colour) {
    m_colour = colour;
    update();
}

QSize FigureLabel::sizeHint() const {
    const QFontMetricsF metrics(Theme::of(this).font(m_type, m_weight));
    // Round up, because a text that is a fraction of a pixel too wide is elided.
    return {int(std::ceil(metrics.horizontalAdvance(text()))) + 2 * padding, int(std::ceil(metrics.height()))};
}

QSize FigureLabel::minimumSizeHint() const {
    return {std::min(40, sizeHint().width()), sizeHint().height()};
}

void FigureLabel::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const bool pointedAt = !m_figure.isEmpty() && isEnabled() && (underMouse() || isDown());
    if (pointedAt)
        surfaces::rounded(painter, rect(), radius, theme.colour(ColourRole::Raised));
    // Paint the focus ring before the text, which it would otherwise cover.
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), radius, theme);
    const QColor ink = theme.colour(pointedAt ? ColourRole::Accent : m_colour);
    const QRect area = rect().adjusted(padding, 0, -padding, 0);
    painter.setFont(theme.font(m_type, m_weight));
    painter.setPen(isEnabled() ? ink : mixed(ink, theme.colour(ColourRole::Panel), 0.45));
    painter.drawText(area, int(m_alignment) | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, area.width()));
}

void FigureLabel::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

} // namespace meshwright
