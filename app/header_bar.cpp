// SPDX-License-Identifier: GPL-3.0-or-later
#include "header_bar.h"

#include "controls/text_label.h"
#include "plan_title.h"
#include "theme/icon.h"
#include "theme/surfaces.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace meshwright {

namespace {

QToolButton *iconButton(QAction *action, QWidget *parent) {
    auto *button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setFocusPolicy(Qt::TabFocus);
    button->setFixedSize(32, 32);
    setButtonRole(button, ButtonRole::Flat);
    return button;
}

/// A button that opens the command palette and looks like a search field.
QPushButton *findButton(QAction *action, QWidget *parent) {
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    auto *button =
        new QPushButton(action->icon(), HeaderBar::tr("Find a formula, field or action    %1").arg(keys), parent);
    button->setObjectName(QStringLiteral("findButton"));
    button->setAccessibleName(HeaderBar::tr("Find a formula, field or action"));
    button->setFixedHeight(32);
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    return button;
}

} // namespace

HeaderBar::HeaderBar(const Actions &actions, QWidget *parent)
    : QWidget(parent)
    , m_title(new PlanTitle(this))
    , m_state(new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this))
    , m_theme(new QToolButton(this))
    , m_export(new QPushButton(icons::icon(QStringLiteral("export")), tr("Export"), this)) {
    setFixedHeight(Height);
    m_state->setObjectName(QStringLiteral("planState"));
    m_state->setTextFormat(Qt::PlainText);
    auto *texts = new QVBoxLayout;
    texts->setSpacing(0);
    texts->addStretch(1);
    texts->addWidget(m_title, 0, Qt::AlignLeft);
    texts->addWidget(m_state);
    texts->addStretch(1);

    connect(m_title, &PlanTitle::renamed, this, &HeaderBar::renamed);
    m_theme->setObjectName(QStringLiteral("themeButton"));
    m_theme->setFixedSize(32, 32);
    m_theme->setFocusPolicy(Qt::TabFocus);
    setButtonRole(m_theme, ButtonRole::Flat);
    connect(m_theme, &QToolButton::clicked, this, &HeaderBar::nextThemeWanted);

    m_export->setObjectName(QStringLiteral("exportButton"));
    m_export->setFixedHeight(32);
    setButtonRole(m_export, ButtonRole::Outline);
    // Not setMenu(), because it adds an arrow that takes space from the text.
    connect(m_export, &QPushButton::clicked, this, [this, menu = actions.exportMenu] {
        menu->popup(m_export->mapToGlobal(QPoint(0, m_export->height() + 4)));
    });

    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 0, 16, 0);
    row->setSpacing(8);
    row->addLayout(texts);
    row->addSpacing(8);
    row->addWidget(iconButton(actions.undo, this));
    row->addWidget(iconButton(actions.redo, this));
    row->addStretch(1);
    row->addWidget(findButton(actions.find, this));
    row->addWidget(m_theme);
    row->addWidget(m_export);
}

void HeaderBar::setPlan(const QString &name, const QString &state, const QString &notes) {
    m_title->showName(name, notes);
    m_state->setText(state);
}

void HeaderBar::editName() {
    m_title->edit();
}

void HeaderBar::setExportEnabled(bool enabled) {
    m_export->setEnabled(enabled);
    m_export->setToolTip(enabled ? QString() : tr("Available once the plan is valid"));
}

void HeaderBar::setTheme(const QString &iconName, const QString &description) {
    m_theme->setIcon(icons::icon(iconName));
    m_theme->setToolTip(description);
    m_theme->setAccessibleName(description);
}

void HeaderBar::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.colour(ColourRole::Panel));
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.colour(ColourRole::Line));
}

} // namespace meshwright
