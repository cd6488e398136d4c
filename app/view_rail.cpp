// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_rail.h"

#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QLayout>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>

namespace meshwright {

namespace {
constexpr int margin = 6;
constexpr int buttonHeight = 52;
} // namespace

ViewRail::ViewRail(QStackedWidget *stack, QWidget *parent)
    : QToolBar(tr("Views"), parent)
    , m_stack(stack)
    , m_group(new QActionGroup(this)) {
    setObjectName(QStringLiteral("viewRail"));
    setAccessibleName(tr("Views"));
    setOrientation(Qt::Vertical);
    setMovable(false);
    setFloatable(false);
    layout()->setContentsMargins(margin, margin, margin, margin);
    layout()->setSpacing(2);
    setCompact(false);
}

QAction *ViewRail::addHome(QWidget *page, const QString &name, const QString &icon) {
    m_homes = 1;
    return add(page, name, icon, QKeySequence(Qt::ALT | Qt::Key_Home)); // as in a browser
}

QAction *ViewRail::addView(QWidget *page, const QString &name, const QString &icon) {
    const int number = m_stack->count() - m_homes;
    return add(page, name, icon, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + number)));
}

QAction *ViewRail::add(QWidget *page, const QString &name, const QString &icon, const QKeySequence &keys) {
    const int number = m_stack->addWidget(page);
    QAction *action = addAction(icons::icon(icon), name);
    action->setCheckable(true);
    action->setShortcut(keys);
    action->setChecked(number == 0);
    action->setToolTip(tr("%1 (%2)").arg(name, action->shortcut().toString(QKeySequence::NativeText)));
    m_group->addAction(action);
    connect(action, &QAction::triggered, this, [this, page] { show(page); });
    auto *button = qobject_cast<QToolButton *>(widgetForAction(action));
    button->setObjectName(page->objectName() + QStringLiteral("Button"));
    button->setAccessibleName(name);
    button->setFont(Theme::current().font(TypeRole::Caption));
    button->setFocusPolicy(Qt::TabFocus);
    setButtonRole(button, ButtonRole::Flat);
    setCompact(toolButtonStyle() == Qt::ToolButtonIconOnly);
    return action;
}

QWidget *ViewRail::current() const {
    return m_stack->currentWidget();
}

void ViewRail::show(QWidget *page) {
    m_group->actions().at(m_stack->indexOf(page))->setChecked(true);
    if (m_stack->currentWidget() == page)
        return;
    m_stack->setCurrentWidget(page);
    Q_EMIT viewChanged(page);
}

void ViewRail::setCompact(bool compact) {
    setToolButtonStyle(compact ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextUnderIcon);
    const int width = compact ? CompactWidth : Width;
    setFixedWidth(width);
    const int side = width - 2 * margin;
    for (QAction *action : actions())
        widgetForAction(action)->setFixedSize(side, compact ? side : buttonHeight);
}

void ViewRail::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.colour(ColourRole::Panel));
    painter.fillRect(QRect(width() - 1, 0, 1, height()), theme.colour(ColourRole::Line));
}

} // namespace meshwright
