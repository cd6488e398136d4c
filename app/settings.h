// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QString>
#include <QVariant>

#include <memory>

namespace meshwright {

/// Everything that the program remembers between starts. The table in settings.cpp has the names and defaults.
enum class Setting {
    Theme, ///< ThemeMode as an int
    Geometry, ///< window geometry
    Layout, ///< window layout: docks, QMainWindow::saveState
    PanelsShown, ///< whether the left dock is visible
    DetailsShown, ///< whether the right dock is visible when there is space
    FoldedPanels, ///< panels that the user has collapsed or expanded
    FoldedDetails, ///< sections of the right dock that the user has collapsed or expanded
    RecentFiles, ///< newest first
    LastFolder, ///< folder of the last file dialog
    ColumnMappings, ///< column mappings of measured-run tables, newest first
    Calculators, ///< open calculators with their field values
    ReportSections, ///< names of the sections of the last report, separated by commas
    ReportPaper, ///< "a4" or "letter"
    LessonProgress, ///< the user's progress in the lessons, as JSON
};

class Settings {
public:
    /// The user's settings.
    Settings();
    /// Settings in one file, for tests.
    explicit Settings(const QString &file);

    QVariant value(Setting setting) const;
    void set(Setting setting, const QVariant &value);
    void remove(Setting setting);
    /// Writes changes immediately.
    void sync();

    /// Version for QMainWindow::saveState; increased when docks are added or renamed.
    static constexpr int LayoutVersion = 1;

private:
    std::unique_ptr<QSettings> m_store;
};

} // namespace meshwright
