// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/system_theme_watcher.h"

#include "theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QTimer>

namespace meshwright {
namespace {

int s_pauses = 0;
bool s_refreshPending = false;

} // namespace

SystemThemeWatcher::Pause::Pause() {
    ++s_pauses;
}

SystemThemeWatcher::Pause::~Pause() {
    --s_pauses;
}

SystemThemeWatcher::SystemThemeWatcher(QApplication &application)
    : QObject(&application)
    , m_application(application) {
    application.installEventFilter(this);
}

void SystemThemeWatcher::install(QApplication &application) {
    if (!application.findChild<SystemThemeWatcher *>(QString(), Qt::FindDirectChildrenOnly))
        new SystemThemeWatcher(application);
}

bool SystemThemeWatcher::eventFilter(QObject *watched, QEvent *event) {
    const bool platformChange = event->type() == QEvent::ThemeChange
        || (event->type() == QEvent::ApplicationPaletteChange && watched == &m_application);
    if (platformChange && s_pauses == 0 && !s_refreshPending && Theme::mode() == ThemeMode::System) {
        s_refreshPending = true;
        // While Qt handles a palette change, no palette may be set.
        QTimer::singleShot(0, this, [] {
            s_refreshPending = false;
            Theme::refresh();
        });
    }
    return false;
}

} // namespace meshwright
