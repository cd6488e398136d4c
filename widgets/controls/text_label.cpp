// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/text_label.h"

#include "theme/theme.h"

#include <QPainter>

namespace meshwright {

TextLabel::TextLabel(const QString &text, TypeRole type, ColourRole colour, TextWeight weight, QWidget *parent)
    : QLabel(text, parent)
    , m_type(type)
    , m_weight(weight)
    , m_colour(colour) {
    setTextFormat(Qt::PlainText); // names come from documents and must not be read as markup
    applyTheme();
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &TextLabel::applyTheme);
}

void TextLabel::setType(TypeRole type, TextWeight weight) {
    m_type = type;
    m_weight = weight;
    applyTheme();
}

void TextLabel::setColour(ColourRole colour) {
    if (colour == m_colour)
        return; // setting a palette triggers a layout and a repaint
    m_colour = colour;
    applyTheme();
}

void TextLabel::setElided(bool elided) {
    m_elided = elided;
    setSizePolicy(elided ? QSizePolicy::Ignored : QSizePolicy::Preferred, QSizePolicy::Preferred);
    updateGeometry();
    update();
}

QSize TextLabel::minimumSizeHint() const {
    const QSize hint = QLabel::minimumSizeHint();
    return m_elided ? QSize(fontMetrics().horizontalAdvance(QStringLiteral("mm")), hint.height()) : hint;
}

void TextLabel::paintEvent(QPaintEvent *event) {
    if (!m_elided) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    const QRect area = contentsRect();
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, area.width());
    if ((shown == text()) == (toolTip() == text()) && !text().isEmpty())
        setToolTip(shown == text() ? QString() : text());
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(area, int(alignment()) | Qt::TextSingleLine, shown);
}

void TextLabel::applyTheme() {
    const Theme &theme = Theme::of(this);
    setFont(theme.font(m_type, m_weight));
    QPalette own = palette();
    own.setColor(QPalette::All, QPalette::WindowText, theme.colour(m_colour));
    own.setColor(QPalette::All, QPalette::Link, theme.colour(ColourRole::Accent));
    setPalette(own);
}

} // namespace meshwright
