// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QApplication;

namespace meshwright {

/// Follows the platform's light or dark mode while the theme mode is ThemeMode::System. Qt has no
/// QStyleHints::colorScheme() before 6.5, so this watches the platform's palette.
class SystemThemeWatcher : public QObject {
    Q_OBJECT

public:
    /// Installs one watcher per application; later calls do nothing.
    static void install(QApplication &application);

    /// While an instance exists, palette changes are treated as the program's own rather than the platform's.
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
