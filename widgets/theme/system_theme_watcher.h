// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QApplication;

namespace meshwright {

/// Follows the platform between light and dark while the mode is ThemeMode::System. Qt before 6.5 has no
/// QStyleHints::colorScheme(), so it listens for the platform's palette instead.
class SystemThemeWatcher : public QObject {
    Q_OBJECT

public:
    /// One watcher for each application; later calls do nothing.
    static void install(QApplication &application);

    /// While one lives, palette changes are our own and not the platform's.
    class Pause {
    public:
        Pause();
        ~Pause();
        Pause(const Pause &) = delete;
        Pause &operator=(const Pause &) = delete;
    };

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    explicit SystemThemeWatcher(QApplication &application);

    QApplication &m_application;
};

} // namespace meshwright
