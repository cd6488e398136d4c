// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QString>
#include <QVariant>

#include <memory>

namespace meshwright {

/// Everything that the program remembers between two starts. Names and defaults are in one table in settings.cpp.
enum class Setting {
    Theme, ///< ThemeMode as an int
    Geometry, ///< of the window
    Layout, ///< docks, QMainWindow::saveState
    PanelsShown, ///< the left dock
    DetailsShown, ///< the right dock, where there is room
    FoldedPanels, ///< panels the user has folded or opened by hand
    FoldedDetails, ///< the same of the right dock
    RecentFiles, ///< newest first
    LastFolder, ///< of the last file dialog
    ColumnMappings, ///< of tables of measured runs, newest first
    Calculators, ///< those that are open, with what stands in their fields
};

class Settings {
public:
    /// The user's own settings.
    Settings();
    /// Settings in one file, for tests.
    explicit Settings(const QString &file);

    QVariant value(Setting setting) const;
    void set(Setting setting, const QVariant &value);
    void remove(Setting setting);
    /// Writes what has changed now.
    void sync();

    /// Version of what QMainWindow::saveState holds; raised when docks are added or renamed.
    static constexpr int LayoutVersion = 1;

private:
    std::unique_ptr<QSettings> m_store;
};

} // namespace meshwright
