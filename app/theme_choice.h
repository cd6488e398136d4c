// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QObject>

class QActionGroup;
class QMenu;

namespace meshwright {

class Settings;

/// Light, dark, or as the system has it; kept in the settings.
class ThemeChoice : public QObject {
    Q_OBJECT

public:
    explicit ThemeChoice(Settings &settings, QObject *parent = nullptr);

    /// What was chosen last; for the start, before any window.
    static ThemeMode stored(const Settings &settings);

    void fill(QMenu *menu);
    void choose(ThemeMode mode);
    /// System, light, dark, and round again.
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
