// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/meshwright_style.h"

#include "theme/icon.h"
#include "theme/style_interaction.h"
#include "theme/surfaces.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPainter>
#include <QRadioButton>
#include <QStyleOption>

namespace meshwright {
namespace {

bool isInsideField(const QWidget *widget) {
    const QWidget *parent = widget ? widget->parentWidget() : nullptr;
    return qobject_cast<const QAbstractSpinBox *>(parent) || qobject_cast<const QComboBox *>(parent);
}

bool hasFrame(const QWidget *widget) {
    const auto *edit = qobject_cast<const QLineEdit *>(widget);
    return !edit || edit->hasFrame();
}

// Whether the style draws the focus ring around an item or its text. A check box has no space for a ring around its
// mark. All other widgets draw the ring on their own surface.
bool takesFocusRect(const QWidget *widget) {
    if (!widget || widget->inherits("QComboBoxListView"))
        return false;
    return qobject_cast<const QAbstractItemView *>(widget) || qobject_cast<const QCheckBox *>(widget)
        || qobject_cast<const QRadioButton *>(widget);
}

bool isTextArea(const QWidget *widget) {
    return widget && (widget->inherits("QTextEdit") || widget->inherits("QPlainTextEdit"));
}

void drawArrow(QPainter &painter, const QRectF &rect, const QString &icon, const Theme &theme) {
    QRectF arrow(0, 0, 14, 14);
    arrow.moveCenter(rect.center());
    icons::paint(painter, arrow, icon, theme.colour(ColourRole::Text3));
}

/// Draws the surface of a popup. The corners are square if the window is not translucent, because the areas outside
/// rounded corners would be black.
void drawFloating(QPainter &painter, const QRectF &rect, const Theme &theme, const QWidget *widget) {
    const bool blended = widget == nullptr || widget->testAttribute(Qt::WA_TranslucentBackground);
    surfaces::rounded(painter, rect, blended ? Theme::radius(Corner::Field) : 0, theme.colour(ColourRole::Card),
                      theme.colour(ColourRole::Line));
}

void drawFrame(QPainter &painter, const QRectF &rect, const Theme &theme, const QWidget *widget,
               surfaces::Interaction interaction) {
    if (isTextArea(widget)) {
        interaction.focused = widget->hasFocus();
        interaction.hovered = false;
        surfaces::field(painter, rect, theme, fieldState(widget), interaction);
        return;
    }
    // Views and scroll areas are on a card and need no frame. Only the list of a combo box floats.
    if (widget && widget->inherits("QComboBoxPrivateContainer"))
        drawFloating(painter, rect, theme, widget);
}

QRect separatorLine(const QStyleOption *option) {
    const QRect &rect = option->rect;
    return option->state & QStyle::State_Horizontal ? QRect(rect.center().x(), rect.y() + 8, 1, rect.height() - 16)
                                                    : QRect(rect.x() + 8, rect.center().y(), rect.width() - 16, 1);
}

} // namespace

MeshwrightStyle::MeshwrightStyle()
    : QProxyStyle(QStringLiteral("Fusion")) { }

QPalette MeshwrightStyle::standardPalette() const {
    return Theme::current().palette();
}

void MeshwrightStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                    const QWidget *widget) const {
    const Theme &theme = Theme::of(widget);
    const QRectF rect = option->rect;
    const surfaces::Interaction interaction = interactionOf(option);
    switch (element) {
    case PE_PanelButtonCommand:
    case PE_PanelButtonTool:
        surfaces::button(*painter, rect, theme, buttonRole(widget), interaction);
        return;
    case PE_PanelLineEdit:
        if (!isInsideField(widget) && hasFrame(widget)) {
            surfaces::Interaction field = interaction;
            field.focused = option->state & State_HasFocus;
            surfaces::field(*painter, rect, theme, fieldState(widget), field);
        }
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        surfaces::checkBox(*painter, rect, theme, interaction, option->state & State_NoChange);
        return;
    case PE_IndicatorRadioButton:
        surfaces::radioButton(*painter, rect, theme, interaction);
        return;
    case PE_FrameFocusRect:
        if ((option->state & State_KeyboardFocusChange) && takesFocusRect(widget))
            surfaces::focusRing(*painter, rect, 4, theme);
        return;
    case PE_FrameMenu:
    case PE_FrameTabBarBase:
    case PE_FrameLineEdit:
    case PE_FrameStatusBarItem:
    case PE_FrameDockWidget:
    case PE_FrameTabWidget:
    case PE_FrameGroupBox:
    case PE_IndicatorHeaderArrow:
    case PE_PanelItemViewRow:
    case PE_PanelScrollAreaCorner:
        return;
    case PE_PanelStatusBar:
        painter->fillRect(option->rect, theme.colour(ColourRole::Panel));
        painter->fillRect(QRectF(rect.left(), rect.top(), rect.width(), 1), theme.colour(ColourRole::Line));
        return;
    case PE_PanelMenu:
    case PE_PanelTipLabel:
        drawFloating(*painter, rect, theme, widget);
        return;
    case PE_Frame:
        drawFrame(*painter, rect, theme, widget, interaction);
        return;
    case PE_PanelItemViewItem:
        drawItemRow(option, painter, widget);
        return;
    case PE_IndicatorBranch:
        if (option->state & State_Children)
            drawArrow(*painter, rect, option->state & State_Open ? QStringLiteral("chev") : QStringLiteral("chevr"),
                      theme);
        return;
    case PE_IndicatorArrowDown:
        drawArrow(*painter, rect, QStringLiteral("chev"), theme);
        return;
    case PE_IndicatorArrowUp:
        drawArrow(*painter, rect, QStringLiteral("chevup"), theme);
        return;
    case PE_IndicatorArrowRight:
        drawArrow(*painter, rect, QStringLiteral("chevr"), theme);
        return;
    case PE_IndicatorDockWidgetResizeHandle:
        painter->fillRect(option->rect, theme.colour(ColourRole::Line));
        return;
    case PE_IndicatorToolBarSeparator:
        painter->fillRect(separatorLine(option), theme.colour(ColourRole::Line));
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void MeshwrightStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                                  const QWidget *widget) const {
    const Theme &theme = Theme::of(widget);
    switch (element) {
    case CE_PushButtonBevel:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            QStyleOptionButton bevel(*button);
            bevel.features &= ~QStyleOptionButton::HasMenu; // the label already has the chevron of the menu
            QProxyStyle::drawControl(element, &bevel, painter, widget);
        }
        return;
    case CE_PushButtonLabel:
        drawPushButtonLabel(option, painter, widget);
        return;
    case CE_ToolButtonLabel:
        drawToolButtonLabel(option, painter, widget);
        return;
    case CE_MenuItem:
        drawMenuItem(option, painter, widget);
        return;
    case CE_MenuBarItem:
        drawMenuBarItem(option, painter, widget);
        return;
    case CE_MenuBarEmptyArea:
    case CE_ToolBar:
        painter->fillRect(option->rect, theme.colour(ColourRole::Panel));
        return;
    case CE_Splitter:
        painter->fillRect(option->rect,
                          theme.colour(option->state & State_MouseOver ? ColourRole::Accent : ColourRole::Line));
        return;
    case CE_TabBarTab:
        drawTab(option, painter, widget);
        return;
    case CE_ProgressBar:
        drawProgressBar(option, painter, widget);
        return;
    case CE_Header:
        drawHeaderSection(option, painter, widget);
        return;
    case CE_HeaderEmptyArea:
        return;
    case CE_ItemViewItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option)) {
            // A selected row has a light tint, on which normal text is most legible.
            QStyleOptionViewItem copy(*item);
            copy.palette.setColor(QPalette::HighlightedText, theme.colour(ColourRole::Text));
            QProxyStyle::drawControl(element, &copy, painter, widget);
        }
        return;
    case CE_FocusFrame:
        surfaces::focusRing(*painter, option->rect, Theme::radius(Corner::Field), theme);
        return;
    default:
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void MeshwrightStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                                         const QWidget *widget) const {
    switch (control) {
    case CC_ComboBox:
        drawComboBox(option, painter, widget);
        return;
    case CC_SpinBox:
        drawSpinBox(option, painter, widget);
        return;
    case CC_ScrollBar:
        drawScrollBar(option, painter, widget);
        return;
    case CC_Slider:
        drawSlider(option, painter, widget);
        return;
    default:
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

} // namespace meshwright
