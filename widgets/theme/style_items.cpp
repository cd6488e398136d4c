// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/icon.h"
#include "theme/meshwright_style.h"
#include "theme/style_interaction.h"
#include "theme/surfaces.h"

#include <QHeaderView>
#include <QListView>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace meshwright {

namespace {

struct StandardLook {
    QStyle::StandardPixmap pixmap;
    const char *name;
    ColourRole colour;
};

constexpr StandardLook standardLooks[] = {
    {QStyle::SP_MessageBoxQuestion, "why", ColourRole::Accent},
    {QStyle::SP_MessageBoxInformation, "info", ColourRole::Accent},
    {QStyle::SP_MessageBoxWarning, "warn", ColourRole::Warn},
    {QStyle::SP_MessageBoxCritical, "err", ColourRole::Bad},
    {QStyle::SP_LineEditClearButton, "close", ColourRole::Text2},
    {QStyle::SP_ToolBarHorizontalExtensionButton, "chevr", ColourRole::Text2},
    {QStyle::SP_ToolBarVerticalExtensionButton, "chev", ColourRole::Text2},
    {QStyle::SP_ArrowBack, "chevl", ColourRole::Text2},
    {QStyle::SP_FileDialogBack, "chevl", ColourRole::Text2},
    {QStyle::SP_ArrowForward, "chevr", ColourRole::Text2},
    {QStyle::SP_FileDialogToParent, "chevup", ColourRole::Text2},
    {QStyle::SP_FileDialogNewFolder, "plus", ColourRole::Text2},
    {QStyle::SP_FileDialogListView, "plan", ColourRole::Text2},
    {QStyle::SP_FileDialogDetailedView, "batch", ColourRole::Text2},
    {QStyle::SP_DirIcon, "open", ColourRole::Text2},
    {QStyle::SP_DirOpenIcon, "open", ColourRole::Text2},
    {QStyle::SP_DirClosedIcon, "open", ColourRole::Text2},
    {QStyle::SP_DirLinkIcon, "open", ColourRole::Text2},
    {QStyle::SP_DirHomeIcon, "open", ColourRole::Text2},
    {QStyle::SP_FileIcon, "pdf", ColourRole::Text2},
    {QStyle::SP_FileLinkIcon, "pdf", ColourRole::Text2},
    {QStyle::SP_ComputerIcon, "chip", ColourRole::Text2},
    {QStyle::SP_DriveHDIcon, "mem", ColourRole::Text2},
};

} // namespace

QIcon MeshwrightStyle::standardIcon(StandardPixmap pixmap, const QStyleOption *option, const QWidget *widget) const {
    for (const StandardLook &look : standardLooks)
        if (look.pixmap == pixmap)
            return icons::icon(QLatin1String(look.name), look.colour);
    return QProxyStyle::standardIcon(pixmap, option, widget);
}

void MeshwrightStyle::drawMenuItem(const QStyleOption *option, QPainter *painter, const QWidget *widget) const {
    const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
    if (!item)
        return;
    const Theme &theme = Theme::of(widget);
    const QRect rect = option->rect;
    if (item->menuItemType == QStyleOptionMenuItem::Separator) {
        painter->fillRect(QRect(rect.x() + 8, rect.center().y(), rect.width() - 16, 1), theme.colour(ColourRole::Line));
        return;
    }
    const bool enabled = option->state & State_Enabled;
    const bool selected = option->state & State_Selected && enabled;
    painter->save();
    if (selected)
        surfaces::rounded(*painter, rect, Theme::radius(Corner::Field) - 2, theme.colour(ColourRole::Raised));
    const QRect mark(rect.x() + 8, rect.center().y() - 7, 16, 16);
    if (item->checked)
        icons::paint(*painter, mark, QStringLiteral("ok"), theme.colour(ColourRole::Accent));
    else if (!item->icon.isNull())
        item->icon.paint(painter, mark, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    const QString label = item->text.section(QLatin1Char('\t'), 0, 0);
    const QString shortcut = item->text.section(QLatin1Char('\t'), 1);
    const QColor ink = theme.colour(enabled ? ColourRole::Text : ColourRole::Text3);
    painter->setFont(item->font);
    painter->setPen(enabled ? ink : mixed(ink, theme.colour(ColourRole::Card), 0.35));
    const QRect text = rect.adjusted(32, 0, -12, 0);
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic | Qt::TextSingleLine, label);
    if (!shortcut.isEmpty()) {
        painter->setPen(theme.colour(ColourRole::Text3));
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, shortcut);
    }
    if (item->menuItemType == QStyleOptionMenuItem::SubMenu)
        icons::paint(*painter, QRectF(rect.right() - 20, rect.center().y() - 6, 14, 14), QStringLiteral("chevr"),
                     theme.colour(ColourRole::Text3));
    painter->restore();
}

void MeshwrightStyle::drawMenuBarItem(const QStyleOption *option, QPainter *painter, const QWidget *widget) const {
    const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
    if (!item)
        return;
    const Theme &theme = Theme::of(widget);
    painter->fillRect(option->rect, theme.colour(ColourRole::Panel));
    if (option->state & (State_Selected | State_Sunken) && option->state & State_Enabled)
        surfaces::rounded(*painter, QRectF(option->rect).adjusted(1, 1, -1, -1), 4, theme.colour(ColourRole::Raised));
    painter->setPen(theme.colour(ColourRole::Text2));
    painter->drawText(option->rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine, item->text);
}

void MeshwrightStyle::drawTab(const QStyleOption *option, QPainter *painter, const QWidget *widget) const {
    const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option);
    if (!tab)
        return;
    const Theme &theme = Theme::of(widget);
    const bool selected = option->state & State_Selected;
    const QRect rect = option->rect;
    painter->save();
    QFont font = painter->font();
    font.setWeight(selected ? QFont::DemiBold : QFont::Normal);
    painter->setFont(font);
    const bool hovered = option->state & State_MouseOver;
    painter->setPen(theme.colour(selected || hovered ? ColourRole::Text : ColourRole::Text3));
    painter->drawText(rect, Qt::AlignCenter | Qt::TextShowMnemonic, tab->text);
    if (selected)
        surfaces::rounded(*painter, QRectF(rect.x() + 8, rect.bottom() - 1, rect.width() - 16, 2), 1,
                          theme.colour(ColourRole::Accent));
    if (interactionOf(option).focused)
        surfaces::focusRing(*painter, QRectF(rect).adjusted(1, 1, -1, -1), Theme::radius(Corner::Field), theme);
    painter->restore();
}

void MeshwrightStyle::drawHeaderSection(const QStyleOption *option, QPainter *painter, const QWidget *widget) const {
    const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option);
    if (!header)
        return;
    const Theme &theme = Theme::of(widget);
    painter->save();
    QFont font = theme.font(TypeRole::Caption);
    if (header->sortIndicator != QStyleOptionHeader::None)
        font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    painter->setPen(
        theme.colour(header->sortIndicator != QStyleOptionHeader::None ? ColourRole::Text : ColourRole::Text3));
    const bool sorted = header->sortIndicator != QStyleOptionHeader::None;
    const QRect text = option->rect.adjusted(8, 0, sorted ? -22 : -8, 0);
    painter->drawText(text, int(header->textAlignment | Qt::AlignVCenter),
                      QFontMetrics(font).elidedText(header->text, Qt::ElideRight, text.width()));
    if (sorted)
        icons::paint(*painter, QRectF(option->rect.right() - 18, option->rect.center().y() - 5, 12, 12),
                     header->sortIndicator == QStyleOptionHeader::SortDown ? QStringLiteral("chev")
                                                                           : QStringLiteral("chevup"),
                     theme.colour(ColourRole::Text2));
    if (header->orientation == Qt::Horizontal)
        painter->fillRect(QRect(option->rect.x(), option->rect.bottom(), option->rect.width(), 1),
                          theme.colour(ColourRole::Line));
    painter->restore();
}

void MeshwrightStyle::drawItemRow(const QStyleOption *option, QPainter *painter, const QWidget *widget) const {
    const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option);
    const Theme &theme = Theme::of(widget);
    if (item && item->backgroundBrush.style() != Qt::NoBrush)
        painter->fillRect(option->rect, item->backgroundBrush);
    if (!(option->state & (State_Selected | State_MouseOver)) || !(option->state & State_Enabled))
        return;
    const QColor fill = theme.colour(option->state & State_Selected ? ColourRole::AccentSoft : ColourRole::Raised);
    const bool alone =
        qobject_cast<const QListView *>(widget) || (item && item->viewItemPosition == QStyleOptionViewItem::OnlyOne);
    // Only a row with a single cell has rounded corners; table cells must join.
    surfaces::rounded(*painter, option->rect, alone ? 4 : 0, fill);
}

} // namespace meshwright
