// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/view.h"

#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;
class QWidget;

namespace meshwright {

class FoldingColumn;
class Settings;

/// Shows or hides the left and right docks by window size, and remembers the user's choice across sessions. In a
/// compact window the right dock is hidden unless the user shows it.
class WindowLayout : public QObject {
    Q_OBJECT

public:
    /// Below this width the window is compact.
    static constexpr int CompactBelow = 1400;

    WindowLayout(QMainWindow &window, Settings &settings, FoldingColumn *panels, FoldingColumn *details);

    QAction *panelsAction() const { return m_panelsAction; }
    QAction *detailsAction() const { return m_detailsAction; }

    void restore();
    void save();
    void reset();
    void makeRoom(View::Docks docks);
    void adapt();
    /// Collapses sections to fit the height of the dock, after another plan was opened.
    void foldToHeight();

private:
    QDockWidget *addDock(Qt::DockWidgetArea area, const QString &name, const QString &title, QWidget *content);
    void addActions();
    void apply();
    void adaptSides();
    void rememberFolding();

    QMainWindow &m_window;
    Settings &m_settings;
    FoldingColumn *m_panels;
    FoldingColumn *m_details;
    QDockWidget *m_left;
    QDockWidget *m_right;
    QAction *m_panelsAction = nullptr;
    QAction *m_detailsAction = nullptr;
    bool m_panelsWanted = true;
    bool m_detailsWanted = true;
    bool m_detailsHere = false; ///< whether the user shows the right dock in a compact window
    bool m_compact = false;
    View::Docks m_docks = View::Docks::Both;
    bool m_panelsShown = false; ///< whether the user shows the left dock next to a full-width view
    bool m_detailsShown = false;
    int m_height = 0;
    int m_sideWidth = 0; ///< last width of the docks; 0 initially
};

} // namespace meshwright
