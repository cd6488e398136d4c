// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class QMenu;

namespace meshwright {

class Settings;

/// Recently opened or saved plans, newest first. Stored in the settings and listed in a menu.
class RecentFiles : public QObject {
    Q_OBJECT

public:
    static constexpr int Most = 10;

    explicit RecentFiles(Settings &settings, QObject *parent = nullptr);

    QStringList files() const;
    void add(const QString &path);
    void forget(const QString &path);
    /// Fills the menu each time it opens.
    void attach(QMenu *menu);

Q_SIGNALS:
    void chosen(const QString &path);

private:
    void fill(QMenu *menu);

    Settings &m_settings;
};

} // namespace meshwright
