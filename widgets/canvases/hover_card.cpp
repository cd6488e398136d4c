// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/hover_card.h"

#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr int ShadowSpread = 8;
constexpr int Padding = 12;
constexpr int RowHeight = 18;
constexpr int MaxWidth = 320;
constexpr int MinWidth = 160;

int footnoteHeight(const QString &footnote, const QFont &font, int width) {
    if (footnote.isEmpty())
        return 0;
    return QFontMetrics(font).boundingRect(0, 0, width, 1000, Qt::TextWordWrap, footnote).height() + 8;
}

} // namespace

QString HoverContent::spoken() const {
    QStringList parts{title};
    for (const auto &[name, value] : rows)
        parts.append(name + QLatin1Char(' ') + value);
    if (!footnote.isEmpty())
        parts.append(footnote);
    return parts.join(QStringLiteral(", "));
}

HoverCard::HoverCard(QWidget *window)
    : QFrame(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

QSize HoverCard::sizeHint() const {
    const Theme &theme = Theme::of(this);
    const QFontMetrics title(theme.font(TypeRole::Body, TextWeight::SemiBold));
    const QFontMetrics body(theme.font(TypeRole::Body));
    int width = std::max(MinWidth, title.horizontalAdvance(m_content.title) + (m_content.swatch ? 18 : 0));
    for (const auto &[name, value] : m_content.rows)
        width = std::max(width, body.horizontalAdvance(name) + 24 + title.horizontalAdvance(value));
    width = std::min(width + 1, MaxWidth);
    const int height = RowHeight * int(1 + m_content.rows.size()) + (m_content.rows.isEmpty() ? 0 : 4)
        + footnoteHeight(m_content.footnote, theme.font(TypeRole::Caption), width);
    return {width + 2 * (Padding + ShadowSpread), height + 2 * (Padding + ShadowSpread) - 4};
}

void HoverCard::showAt(const QPoint &at, const HoverContent &content) {
    if (!(content == m_content)) {
        m_content = content;
        update();
    }
    resize(sizeHint());
    const QSize room = parentWidget()->size();
    QPoint corner = at + QPoint(14 - ShadowSpread, 16 - ShadowSpread);
    if (corner.x() + width() > room.width())
        corner.setX(at.x() - width() - 6 + ShadowSpread);
    if (corner.y() + height() > room.height())
        corner.setY(at.y() - height() - 6 + ShadowSpread);
    move(std::max(0, corner.x()), std::max(0, corner.y()));
    show();
    raise();
}

void HoverCard::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const QRectF surface = QRectF(rect()).adjusted(ShadowSpread, ShadowSpread, -ShadowSpread, -ShadowSpread);
    surfaces::shadow(painter, surface, Theme::radius(Corner::Card), ShadowSpread - 2, theme);
    surfaces::rounded(painter, surface, Theme::radius(Corner::Card), theme.colour(ColourRole::Raised),
                      theme.colour(ColourRole::LineStrong));
    const QRectF area = surface.adjusted(Padding, Padding - 2, -Padding, 2 - Padding);
    const QFont body = theme.font(TypeRole::Body);
    const QFont strong = theme.font(TypeRole::Body, TextWeight::SemiBold);
    QRectF line(area.left(), area.top(), area.width(), RowHeight);
    painter.setFont(strong);
    painter.setPen(theme.colour(ColourRole::Text));
    if (m_content.swatch) {
        surfaces::rounded(painter, QRectF(line.left(), line.center().y() - 5, 10, 10), 2, *m_content.swatch);
        line.setLeft(line.left() + 18);
    }
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, m_content.title);
    line.setLeft(area.left());
    line.translate(0, 4);
    for (const auto &[name, value] : m_content.rows) {
        line.translate(0, RowHeight);
        painter.setFont(body);
        painter.setPen(theme.colour(ColourRole::Text2));
        const qreal room = line.width() - QFontMetricsF(strong).horizontalAdvance(value) - 12;
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         QFontMetricsF(body).elidedText(name, Qt::ElideRight, room));
        painter.setFont(strong);
        painter.setPen(theme.colour(ColourRole::Text));
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, value);
    }
    if (m_content.footnote.isEmpty())
        return;
    painter.setFont(theme.font(TypeRole::Caption));
    painter.setPen(theme.colour(ColourRole::Text2));
    painter.drawText(QRectF(area.left(), line.bottom() + 6, area.width(), 1000),
                     Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, m_content.footnote);
}

void HoverCardSlot::show(QWidget *canvas, const QPoint &at, const HoverContent &content) {
    QWidget *window = canvas->window();
    if (m_card && m_card->parentWidget() != window)
        delete m_card;
    if (!m_card)
        m_card = new HoverCard(window);
    m_card->showAt(canvas->mapTo(window, at), content);
}

void HoverCardSlot::hide() {
    if (m_card)
        m_card->hide();
}

HoverCardSlot::~HoverCardSlot() {
    delete m_card;
}

} // namespace meshwright
