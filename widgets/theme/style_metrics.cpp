// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/compositing.h"
#include "theme/control_states.h"
#include "theme/meshwright_style.h"
#include "theme/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QStyleOption>
#include <QTabBar>

#include <algorithm>

namespace meshwright {
namespace {

constexpr int RowHeight = 24;
constexpr int ButtonHeight = 26;
constexpr int ScrollBarWidth = 8;
constexpr int ChevronWidth = 24;
constexpr int FieldPadding = 8;

// Popups and text fields need a margin between content and rounded corners.
bool framed(const QWidget *widget) {
    return widget
        && (qobject_cast<const QMenu *>(widget) || widget->inherits("QComboBoxPrivateContainer")
            || widget->inherits("QTextEdit") || widget->inherits("QPlainTextEdit"));
}

} // namespace

int MeshwrightStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const {
    switch (metric) {
    case PM_ScrollBarExtent:
        return ScrollBarWidth;
    case PM_ScrollBarSliderMin:
        return 32;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_TabBarIconSize:
    case PM_ListViewIconSize:
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 16;
    case PM_ToolBarIconSize:
        return 20;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
    case PM_ToolBarItemSpacing:
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return 8;
    case PM_DefaultFrameWidth:
    case PM_ToolBarFrameWidth:
    case PM_ToolBarHandleExtent:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_DockWidgetFrameWidth:
    case PM_FocusFrameVMargin:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarBaseOverlap:
    case PM_MenuBarPanelWidth:
        return framed(widget) ? 4 : 0;
    case PM_FocusFrameHMargin:
        // Distance between an item and the edge of its cell. Qt adds a pixel, which aligns items with the headings.
        return 7;
    case PM_SplitterWidth:
    case PM_DockWidgetSeparatorExtent:
        return 1;
    case PM_MenuPanelWidth:
    case PM_MenuVMargin:
    case PM_MenuHMargin:
        return metric == PM_MenuPanelWidth ? 0 : 4;
    case PM_MenuBarHMargin:
        return 8;
    case PM_MenuBarVMargin:
        return 2;
    case PM_MenuBarItemSpacing:
        return 0;
    case PM_ToolBarSeparatorExtent:
        return 17;
    case PM_LayoutLeftMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutBottomMargin:
        return 16;
    case PM_ToolTipLabelFrameWidth:
        return 8;
    case PM_TreeViewIndentation:
        return 16;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int MeshwrightStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                               QStyleHintReturn *returnData) const {
    switch (hint) {
    case SH_ComboBox_Popup:
        // Show a list below the field, not a menu over it, because a list scrolls and never hides the field.
        return 0;
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton;
    case SH_EtchDisabledText:
    case SH_ScrollView_FrameOnlyAroundContents:
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_UnderlineShortcut:
        return hint == SH_UnderlineShortcut;
    case SH_ToolTip_WakeUpDelay:
        return 500;
    case SH_ScrollBar_Transient:
        return 0;
    case SH_Widget_Animation_Duration:
        return Theme::duration(Motion::Hover);
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_ItemView_ActivateItemOnSingleClick:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

QSize MeshwrightStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                        const QWidget *widget) const {
    switch (type) {
    case CT_PushButton: {
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        const bool iconOnly = button && button->text.isEmpty();
        return {size.width() + (iconOnly ? 10 : 24), std::max(ButtonHeight, size.height() + 8)};
    }
    case CT_ToolButton: {
        const QSize base(size.width() + 12, size.height() + 12);
        return base.expandedTo(QSize(28, 28));
    }
    case CT_LineEdit:
    case CT_SpinBox:
        return {size.width() + 2 * FieldPadding, std::max(RowHeight, size.height())};
    case CT_ComboBox:
        return {size.width() + FieldPadding + ChevronWidth, std::max(RowHeight, size.height() + 4)};
    case CT_CheckBox:
    case CT_RadioButton: {
        const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
        return {base.width() + 4, std::max(RowHeight, base.height())};
    }
    case CT_MenuBarItem:
        return {size.width() + 20, RowHeight};
    case CT_MenuItem: {
        const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
        if (item && item->menuItemType == QStyleOptionMenuItem::Separator)
            return {size.width(), 9};
        return {size.width() + 8 + 28 + 32 + (item ? item->reservedShortcutWidth / 4 : 0), 28};
    }
    case CT_TabBarTab:
        return {size.width() + 8, std::max(32, size.height())};
    case CT_ItemViewItem: {
        const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
        return {base.width(), std::max(RowHeight, base.height())};
    }
    case CT_HeaderSection:
        return QProxyStyle::sizeFromContents(type, option, size, widget).expandedTo(QSize(0, 28));
    default:
        return QProxyStyle::sizeFromContents(type, option, size, widget);
    }
}

QRect MeshwrightStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl subControl,
                                      const QWidget *widget) const {
    const QRect rect = option->rect;
    if (control == CC_ComboBox) {
        switch (subControl) {
        case SC_ComboBoxEditField:
            return visualRect(option->direction, rect, rect.adjusted(FieldPadding - 2, 0, -ChevronWidth, 0));
        case SC_ComboBoxArrow:
            return visualRect(option->direction, rect,
                              QRect(rect.right() + 1 - ChevronWidth, rect.y(), ChevronWidth, rect.height()));
        case SC_ComboBoxListBoxPopup:
            return rect.adjusted(0, 0, 0, 4);
        default:
            return rect;
        }
    }
    if (control == CC_SpinBox) {
        const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
        const int buttons = spin && spin->buttonSymbols != QAbstractSpinBox::NoButtons ? 20 : 0;
        const QRect column(rect.right() + 1 - buttons, rect.y(), buttons, rect.height());
        switch (subControl) {
        case SC_SpinBoxEditField:
            return visualRect(option->direction, rect,
                              rect.adjusted(FieldPadding - 2, 0, buttons ? -buttons : 2 - FieldPadding, 0));
        case SC_SpinBoxUp:
            return visualRect(option->direction, rect, column.adjusted(0, 2, -2, -rect.height() / 2));
        case SC_SpinBoxDown:
            return visualRect(option->direction, rect, column.adjusted(0, rect.height() / 2, -2, -2));
        default:
            return rect;
        }
    }
    if (control == CC_ScrollBar) {
        // Geometry of Fusion's scroll bar, but without buttons, so that the groove fills the bar.
        const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        if (bar && (subControl == SC_ScrollBarAddLine || subControl == SC_ScrollBarSubLine))
            return {};
        if (bar) {
            const bool horizontal = bar->orientation == Qt::Horizontal;
            const int length = horizontal ? rect.width() : rect.height();
            const qint64 range = qint64(bar->maximum) - bar->minimum;
            int slider = length;
            if (range > 0)
                slider = std::clamp(int(qint64(bar->pageStep) * length / (range + bar->pageStep)),
                                    std::min(pixelMetric(PM_ScrollBarSliderMin, option, widget), length), length);
            const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - slider,
                                                      bar->upsideDown);
            const auto span = [&](int from, int size) {
                return horizontal ? QRect(rect.x() + from, rect.y(), size, rect.height())
                                  : QRect(rect.x(), rect.y() + from, rect.width(), size);
            };
            switch (subControl) {
            case SC_ScrollBarGroove:
                return rect;
            case SC_ScrollBarSlider:
                return span(start, slider);
            case SC_ScrollBarSubPage:
                return span(0, start);
            case SC_ScrollBarAddPage:
                return span(start + slider, length - start - slider);
            default:
                break;
            }
        }
    }
    return QProxyStyle::subControlRect(control, option, subControl, widget);
}

QRect MeshwrightStyle::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const {
    if (element == SE_LineEditContents) {
        const auto *edit = qobject_cast<const QLineEdit *>(widget);
        const QWidget *parent = widget ? widget->parentWidget() : nullptr;
        const bool outlined = (!edit || edit->hasFrame()) && !qobject_cast<const QAbstractSpinBox *>(parent)
            && !qobject_cast<const QComboBox *>(parent);
        return outlined ? option->rect.adjusted(FieldPadding - 2, 0, 2 - FieldPadding, 0) : option->rect;
    }
    return QProxyStyle::subElementRect(element, option, widget);
}

void MeshwrightStyle::polish(QWidget *widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget)
        || qobject_cast<QScrollBar *>(widget) || qobject_cast<QAbstractSpinBox *>(widget)
        || qobject_cast<QTabBar *>(widget) || widget->inherits("QLineEdit") || widget->inherits("QSplitterHandle"))
        widget->setAttribute(Qt::WA_Hover);
    if (widget->inherits("QMenu") || widget->inherits("QTipLabel"))
        widget->setAttribute(Qt::WA_TranslucentBackground, screenComposites());
    // Tool tips and message boxes quote documents, so their text must not be read as markup.
    if (auto *label = qobject_cast<QLabel *>(widget); label && label->textFormat() == Qt::AutoText)
        label->setTextFormat(Qt::PlainText);
    if (auto *header = qobject_cast<QHeaderView *>(widget)) {
        header->setHighlightSections(false);
        if (header->orientation() == Qt::Horizontal)
            header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (auto *view = qobject_cast<QAbstractItemView *>(widget)) {
        view->setAttribute(Qt::WA_Hover);
        view->viewport()->setAttribute(Qt::WA_Hover);
        view->viewport()->setAutoFillBackground(false);
    }
    if (auto *tabs = qobject_cast<QTabBar *>(widget)) {
        tabs->setExpanding(false);
        tabs->setDrawBase(false);
    }
    if (widget->inherits("QComboBoxPrivateContainer"))
        widget->setAttribute(Qt::WA_TranslucentBackground, screenComposites());
}

} // namespace meshwright
