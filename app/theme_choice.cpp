// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme_choice.h"

#include "settings.h"
#include "theme/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMenu>

#include <algorithm>

namespace meshwright {

namespace {
constexpr int modes = static_cast<int>(ThemeMode::Dark) + 1;
}

ThemeChoice::ThemeChoice(Settings &settings, QObject *parent)
    : QObject(parent)
    , m_settings(settings)
    , m_actions(new QActionGroup(this)) {
    const QStringList names{tr("&System"), tr("&Light"), tr("&Dark")};
    for (int mode = 0; mode < modes; ++mode) {
        QAction *action = m_actions->addAction(names.at(mode));
        action->setCheckable(true);
        action->setChecked(static_cast<ThemeMode>(mode) == Theme::mode());
        connect(action, &QAction::triggered, this, [this, mode] { choose(static_cast<ThemeMode>(mode)); });
    }
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &ThemeChoice::changed);
}

ThemeMode ThemeChoice::stored(const Settings &settings) {
    return static_cast<ThemeMode>(std::clamp(settings.value(Setting::Theme).toInt(), 0, modes - 1));
}

void ThemeChoice::fill(QMenu *menu) {
    menu->addActions(m_actions->actions());
}

void ThemeChoice::choose(ThemeMode mode) {
    m_settings.set(Setting::Theme, static_cast<int>(mode));
    m_actions->actions().at(static_cast<int>(mode))->setChecked(true);
    Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), mode);
    Q_EMIT changed();
}

void ThemeChoice::next() {
    choose(static_cast<ThemeMode>((static_cast<int>(Theme::mode()) + 1) % modes));
}

QString ThemeChoice::iconName() const {
    return Theme::current().isDark() ? QStringLiteral("moon") : QStringLiteral("sun");
}

QString ThemeChoice::description() const {
    switch (Theme::mode()) {
    case ThemeMode::Light:
        return tr("Theme: light");
    case ThemeMode::Dark:
        return tr("Theme: dark");
    case ThemeMode::System:
        break;
    }
    return tr("Theme: system");
}

} // namespace meshwright
