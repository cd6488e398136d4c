// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QObject>

class QActionGroup;
class QMenu;

namespace meshwright {

class Settings;

class ThemeChoice : public QObject {
    Q_OBJECT

public:
    explicit ThemeChoice(Settings &settings, QObject *parent = nullptr);

    /// The stored theme, for use at startup before any window exists.
    static ThemeMode stored(const Settings &settings);

    void fill(QMenu *menu);
    void choose(ThemeMode mode);
    /// Switches the theme from system to light to dark and back.
    void next();
    QString iconName() const;
    QString description() const;

Q_SIGNALS:
    void changed();

private:
    Settings &m_settings;
    QActionGroup *m_actions;
};

} // namespace meshwright
