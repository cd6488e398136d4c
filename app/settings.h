// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QString>
#include <QVariant>

#include <memory>

namespace meshwright {

/// Everything that the program remembers between starts. settings.cpp lists the names and defaults.
enum class Setting {
    Theme, ///< ThemeMode as an integer
    Geometry,
    Layout, ///< positions of docks, from QMainWindow::saveState
    PanelsShown,
    DetailsShown, ///< whether the right dock is visible when there is space
    FoldedPanels, ///< names of the panels that the user collapsed or expanded
    FoldedDetails, ///< names of the right dock's sections that the user collapsed or expanded
    RecentFiles, ///< most recently opened first
    LastFolder,
    ColumnMappings, ///< column mappings of measured-run tables, newest first
    Calculators,
    ReportSections, ///< names of the sections of the last report, separated by commas
    ReportPaper, ///< paper size of the report: "a4" or "letter"
    LessonProgress, ///< the user's progress in the lessons, as JSON
};

class Settings {
public:
    Settings();
    /// Settings in one file, for tests.
    explicit Settings(const QString &file);

    QVariant value(Setting setting) const;
    void set(Setting setting, const QVariant &value);
    void remove(Setting setting);
    /// Writes changed settings to the file immediately.
    void sync();

    /// Version for QMainWindow::saveState; increased when docks are added or renamed.
    static constexpr int LayoutVersion = 1;

private:
    std::unique_ptr<QSettings> m_store;
};

} // namespace meshwright
