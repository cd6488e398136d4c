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

/// The docks left and right of the centre: what of them is in sight at which window size, and what is kept of it from
/// one start to the next. In a narrow window the right one gives way unless it is asked for there and then.
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
    /// Another view is in sight.
    void makeRoom(View::Beside beside);
    /// The window has another size.
    void adapt();
    /// Another plan has other sections.
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
    bool m_detailsHere = false; ///< asked for although the window is compact
    bool m_compact = false;
    View::Beside m_beside = View::Beside::Docks;
    bool m_panelsBeside = false; ///< asked for beside a view that has the whole width
    bool m_detailsBeside = false;
    int m_height = 0;
    int m_sideWidth = 0; ///< what the docks were last given; 0 before the first time
};

} // namespace meshwright
