// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_layout.h"

#include "controls/folding_column.h"
#include "settings.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QScrollArea>
#include <QTimer>

#include <utility>

namespace meshwright {

namespace {

constexpr int minSideWidth = 272;
constexpr int usualSideWidth = 304;
constexpr int maxSideWidth = 480;
constexpr int usualFrom = 1560; ///< minimum window width for side panels of the usual width
constexpr int frameHeight = 28 + 48 + 24; ///< pixels for menu, header and status bar
constexpr QSize firstSize{1440, 900};

QScrollArea *scrolling(QWidget *content) {
    auto *area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setMinimumWidth(minSideWidth);
    area->setMaximumWidth(maxSideWidth);
    return area;
}

int sideWidthIn(int window) {
    return window < usualFrom ? minSideWidth : usualSideWidth;
}

} // namespace

WindowLayout::WindowLayout(QMainWindow &window, Settings &settings, FoldingColumn *panels, FoldingColumn *details)
    : QObject(&window)
    , m_window(window)
    , m_settings(settings)
    , m_panels(panels)
    , m_details(details)
    , m_left(addDock(Qt::LeftDockWidgetArea, QStringLiteral("panels"), tr("Plan"), panels))
    , m_right(addDock(Qt::RightDockWidgetArea, QStringLiteral("details"), tr("Details"), details)) {
    addActions();
    connect(m_panels, &FoldingColumn::foldedByHandChanged, this, &WindowLayout::rememberFolding);
    connect(m_details, &FoldingColumn::foldedByHandChanged, this, &WindowLayout::rememberFolding);
}

QDockWidget *WindowLayout::addDock(Qt::DockWidgetArea area, const QString &name, const QString &title,
                                   QWidget *content) {
    auto *dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name);
    dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
    dock->setTitleBarWidget(new QWidget(dock)); // hides the title bar, because the sections have headings
    dock->setWidget(scrolling(content));
    m_window.addDockWidget(area, dock);
    return dock;
}

void WindowLayout::addActions() {
    m_panelsAction = new QAction(tr("&Plan Panels"), this);
    m_panelsAction->setCheckable(true);
    m_panelsAction->setShortcut(QKeySequence(Qt::Key_F9));
    m_detailsAction = new QAction(tr("&Details"), this);
    m_detailsAction->setCheckable(true);
    m_detailsAction->setShortcut(QKeySequence(Qt::Key_F10));
    connect(m_panelsAction, &QAction::triggered, this, [this](bool on) {
        (m_docks == View::Docks::Hidden ? m_panelsShown : m_panelsWanted) = on;
        apply();
    });
    connect(m_detailsAction, &QAction::triggered, this, [this](bool on) {
        const bool gives = m_docks != View::Docks::Both;
        (gives ? m_detailsShown : m_detailsWanted) = on;
        if (!gives)
            m_detailsHere = on && m_compact;
        apply();
    });
}

void WindowLayout::restore() {
    const QByteArray geometry = m_settings.value(Setting::Geometry).toByteArray();
    if (geometry.isEmpty() || !m_window.restoreGeometry(geometry))
        m_window.resize(firstSize);
    const QByteArray layout = m_settings.value(Setting::Layout).toByteArray();
    m_panels->setFoldedByHand(m_settings.value(Setting::FoldedPanels).toMap());
    m_details->setFoldedByHand(m_settings.value(Setting::FoldedDetails).toMap());
    // Without a stored window layout of this version, use the default one.
    if (!layout.isEmpty() && m_window.restoreState(layout, Settings::LayoutVersion)) {
        m_panelsWanted = m_settings.value(Setting::PanelsShown).toBool();
        m_detailsWanted = m_settings.value(Setting::DetailsShown).toBool();
        m_sideWidth = sideWidthIn(m_window.width()); // keep widths that the user has set
    }
    m_compact = m_window.width() < CompactBelow;
    apply();
}

void WindowLayout::save() {
    m_settings.set(Setting::Geometry, m_window.saveGeometry());
    m_settings.set(Setting::Layout, m_window.saveState(Settings::LayoutVersion));
    m_settings.set(Setting::PanelsShown, m_panelsWanted);
    m_settings.set(Setting::DetailsShown, m_detailsWanted);
}

void WindowLayout::reset() {
    m_settings.remove(Setting::Layout);
    m_settings.remove(Setting::FoldedPanels);
    m_settings.remove(Setting::FoldedDetails);
    m_panels->setFoldedByHand({});
    m_details->setFoldedByHand({});
    m_panelsWanted = m_detailsWanted = true;
    m_detailsHere = false;
    m_window.addDockWidget(Qt::LeftDockWidgetArea, m_left);
    m_window.addDockWidget(Qt::RightDockWidgetArea, m_right);
    apply();
    m_sideWidth = 0;
    adaptSides();
    foldToHeight();
}

void WindowLayout::adaptSides() {
    const int width = sideWidthIn(m_window.width());
    if (width == std::exchange(m_sideWidth, width))
        return;
    // Deferred: during a resize event the window would redo its layout and discard the width.
    QTimer::singleShot(0, this, [this, width] {
        m_window.resizeDocks({m_left, m_right}, {width, width}, Qt::Horizontal);
    });
}

void WindowLayout::adapt() {
    const bool compact = m_window.width() < CompactBelow;
    if (compact != m_compact) {
        m_compact = compact;
        m_detailsHere = false;
        apply();
    }
    adaptSides();
    if (m_window.height() != m_height) {
        m_height = m_window.height();
        foldToHeight();
    }
}

void WindowLayout::rememberFolding() {
    m_settings.set(Setting::FoldedPanels, m_panels->foldedByHand());
    m_settings.set(Setting::FoldedDetails, m_details->foldedByHand());
}

void WindowLayout::foldToHeight() {
    m_panels->foldToHeight(m_window.height() - frameHeight);
    m_details->foldToHeight(m_window.height() - frameHeight);
}

void WindowLayout::makeRoom(View::Docks docks) {
    if (docks == m_docks)
        return;
    m_docks = docks;
    apply();
}

void WindowLayout::apply() {
    const bool panels = m_docks == View::Docks::Hidden ? m_panelsShown : m_panelsWanted;
    const bool details =
        m_docks == View::Docks::Both ? m_detailsWanted && (!m_compact || m_detailsHere) : m_detailsShown;
    m_left->setVisible(panels);
    m_right->setVisible(details);
    m_panelsAction->setChecked(panels);
    m_detailsAction->setChecked(details);
}

} // namespace meshwright
