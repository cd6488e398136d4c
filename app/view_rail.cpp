// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_rail.h"

#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/theme.h"
#include "views/view.h"

#include <QAction>
#include <QActionGroup>
#include <QLayout>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>

namespace meshwright {

namespace {
constexpr int margin = 6;
constexpr int buttonHeight = 48;
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

void ViewRail::add(View *view) {
    const View::Face &face = view->face();
    QAction *action = addAction(icons::icon(face.icon), face.title);
    action->setCheckable(true);
    action->setShortcut(face.keys.isEmpty() ? QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + m_numbered++))
                                            : face.keys);
    action->setChecked(m_views.isEmpty());
    action->setToolTip(tr("%1 (%2)").arg(face.title, action->shortcut().toString(QKeySequence::NativeText)));
    m_views.append(view);
    m_stack->addWidget(view);
    m_group->addAction(action);
    connect(action, &QAction::triggered, this, [this, view] { show(view); });
    auto *button = qobject_cast<QToolButton *>(widgetForAction(action));
    button->setObjectName(face.name + QStringLiteral("Button"));
    button->setAccessibleName(face.title);
    button->setFont(Theme::current().font(TypeRole::Caption));
    button->setFocusPolicy(Qt::TabFocus);
    setButtonRole(button, ButtonRole::Flat);
    setCompact(toolButtonStyle() == Qt::ToolButtonIconOnly);
}

View *ViewRail::current() const {
    return m_views.at(m_stack->currentIndex());
}

void ViewRail::show(View *view) {
    m_group->actions().at(m_views.indexOf(view))->setChecked(true);
    if (m_stack->currentWidget() == view)
        return;
    m_stack->setCurrentWidget(view);
    Q_EMIT viewChanged(view);
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
