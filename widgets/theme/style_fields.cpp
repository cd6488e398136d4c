// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/icon.h"
#include "theme/meshwright_style.h"
#include "theme/style_interaction.h"
#include "theme/surfaces.h"

#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace meshwright {

void MeshwrightStyle::drawComboBox(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const {
    const Theme &theme = Theme::of(widget);
    surfaces::Interaction interaction = interactionOf(option);
    interaction.focused = option->state & State_HasFocus;
    surfaces::field(*painter, option->rect, theme, fieldState(widget), interaction);
    const QRectF column = proxy()->subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
    QRectF arrow(0, 0, 14, 14);
    arrow.moveCenter(column.center());
    icons::paint(*painter, arrow, QStringLiteral("chev"), theme.colour(ColourRole::Text3));
}

void MeshwrightStyle::drawSpinBox(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const {
    const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
    const Theme &theme = Theme::of(widget);
    surfaces::Interaction interaction = interactionOf(option);
    interaction.focused = option->state & State_HasFocus;
    surfaces::field(*painter, option->rect, theme, fieldState(widget), interaction);
    if (!spin || spin->buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    for (const auto &[control, name] :
         {std::pair{SC_SpinBoxUp, QStringLiteral("chevup")}, std::pair{SC_SpinBoxDown, QStringLiteral("chev")}}) {
        const QRectF area = proxy()->subControlRect(CC_SpinBox, option, control, widget);
        const bool active = option->activeSubControls & control && option->state & State_MouseOver;
        QRectF arrow(0, 0, 12, 12);
        arrow.moveCenter(area.center());
        icons::paint(*painter, arrow, name, theme.colour(active ? ColourRole::Text : ColourRole::Text3));
    }
}

void MeshwrightStyle::drawScrollBar(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const {
    const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (!bar || bar->maximum <= bar->minimum)
        return;
    const Theme &theme = Theme::of(widget);
    const QRectF handle = proxy()->subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
    const bool active = option->state & (State_Sunken | State_MouseOver);
    const QColor colour =
        mixed(theme.colour(ColourRole::LineStrong), theme.colour(ColourRole::Panel), active ? 0.1 : 0.5);
    surfaces::rounded(*painter, handle.adjusted(2, 2, -2, -2), 4, colour);
}

void MeshwrightStyle::drawSlider(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const {
    const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (!slider || slider->orientation != Qt::Horizontal) {
        QProxyStyle::drawComplexControl(CC_Slider, option, painter, widget);
        return;
    }
    const Theme &theme = Theme::of(widget);
    const QRectF knob = proxy()->subControlRect(CC_Slider, option, SC_SliderHandle, widget);
    const qreal middle = QRectF(option->rect).center().y();
    const QRectF rail(option->rect.x() + 6, middle - 1.5, option->rect.width() - 12, 3);
    surfaces::rounded(*painter, rail, 2, theme.colour(ColourRole::Raised));
    surfaces::rounded(*painter, QRectF(rail.topLeft(), QPointF(knob.center().x(), rail.bottom())), 2,
                      theme.colour(ColourRole::AccentFill));
    QRectF circle(0, 0, 14, 14);
    circle.moveCenter({knob.center().x(), middle});
    if (interactionOf(option).focused)
        surfaces::focusRing(*painter, circle.adjusted(-3, -3, 3, 3), 10, theme);
    surfaces::rounded(*painter, circle, 7, theme.colour(ColourRole::Card), theme.colour(ColourRole::Accent), 2);
}

void MeshwrightStyle::drawPushButtonLabel(const QStyleOption *option, QPainter *painter, const QWidget *widget) const {
    const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
    if (!button)
        return;
    const Theme &theme = Theme::of(widget);
    const surfaces::Interaction interaction = interactionOf(option);
    const QColor ink = surfaces::buttonInk(theme, buttonRole(widget), interaction);
    const int gap = button->text.isEmpty() || button->icon.isNull() ? 0 : 6;
    const int iconSide = button->icon.isNull() ? 0 : std::min(button->iconSize.width(), 16);
    painter->save();
    QFont font = painter->font();
    font.setWeight(QFont::Medium);
    painter->setFont(font);
    const int chevron = button->features & QStyleOptionButton::HasMenu ? 16 : 0;
    const int textWidth = QFontMetrics(font).size(Qt::TextShowMnemonic, button->text).width();
    const int start = option->rect.x() + (option->rect.width() - iconSide - gap - textWidth - chevron) / 2;
    const QRect iconRect(start, option->rect.y() + (option->rect.height() - iconSide) / 2, iconSide, iconSide);
    if (iconSide > 0) {
        const QIcon::Mode mode = interaction.enabled ? QIcon::Normal : QIcon::Disabled;
        button->icon.paint(painter, iconRect, Qt::AlignCenter, mode, interaction.checked ? QIcon::On : QIcon::Off);
    }
    painter->setPen(ink);
    const QRect text(start + iconSide + gap, option->rect.y(), textWidth + 1, option->rect.height());
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic, button->text);
    if (chevron)
        icons::paint(*painter, QRectF(text.right() + 3, option->rect.center().y() - 6, 13, 13), QStringLiteral("chev"),
                     ink);
    painter->restore();
}

void MeshwrightStyle::drawToolButtonLabel(const QStyleOption *option, QPainter *painter, const QWidget *widget) const {
    const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
    if (!button)
        return;
    const Theme &theme = Theme::of(widget);
    const surfaces::Interaction interaction = interactionOf(option);
    QColor ink = surfaces::buttonInk(theme, buttonRole(widget), interaction);
    if (interaction.enabled && !interaction.checked && buttonRole(widget) == ButtonRole::Flat && !interaction.hovered)
        ink = theme.colour(ColourRole::Text2);
    if (button->toolButtonStyle != Qt::ToolButtonTextUnderIcon) {
        QStyleOptionToolButton copy(*button);
        copy.palette.setColor(QPalette::ButtonText, ink);
        QProxyStyle::drawControl(CE_ToolButtonLabel, &copy, painter, widget);
        return;
    }
    // Centers icon and text together, because Qt would align the icon with the top.
    painter->save();
    painter->setFont(button->font);
    const QFontMetrics metrics(button->font);
    const int side = button->iconSize.height();
    const int gap = 4;
    const int top = option->rect.y() + (option->rect.height() - side - gap - metrics.height()) / 2;
    const QRect icon(option->rect.x() + (option->rect.width() - side) / 2, top, side, side);
    const QIcon::Mode mode = !interaction.enabled ? QIcon::Disabled
        : interaction.hovered                     ? QIcon::Active
                                                  : QIcon::Normal;
    button->icon.paint(painter, icon, Qt::AlignCenter, mode, interaction.checked ? QIcon::On : QIcon::Off);
    painter->setPen(ink);
    painter->drawText(QRect(option->rect.x(), top + side + gap, option->rect.width(), metrics.height()),
                      Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine, button->text);
    painter->restore();
}

void MeshwrightStyle::drawProgressBar(const QStyleOption *option, QPainter *painter, const QWidget *widget) const {
    const auto *progress = qstyleoption_cast<const QStyleOptionProgressBar *>(option);
    if (!progress)
        return;
    const Theme &theme = Theme::of(widget);
    QRectF rail = option->rect;
    rail.setHeight(4);
    rail.moveCenter(QRectF(option->rect).center());
    surfaces::rounded(*painter, rail, 2, theme.colour(ColourRole::Raised));
    if (progress->maximum > progress->minimum) {
        const qreal share = qreal(progress->progress - progress->minimum) / (progress->maximum - progress->minimum);
        rail.setWidth(rail.width() * std::clamp<qreal>(share, 0, 1));
        surfaces::rounded(*painter, rail, 2, theme.colour(ColourRole::AccentFill));
    } else {
        surfaces::hatch(*painter, rail, theme.colour(ColourRole::Accent));
    }
}

} // namespace meshwright
