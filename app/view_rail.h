// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolBar>

class QActionGroup;
class QStackedWidget;

namespace meshwright {

/// The views of the window, one of which is shown: icons with names under them, without the names in a compact window.
class ViewRail : public QToolBar {
    Q_OBJECT

public:
    static constexpr int Width = 64;
    static constexpr int CompactWidth = 44;

    /// @param stack  whose pages are the views
    explicit ViewRail(QStackedWidget *stack, QWidget *parent = nullptr);

    /// Puts the start page before all views. @pre there is no view yet
    QAction *addHome(QWidget *page, const QString &name, const QString &icon);
    /// Puts a page into the stack and an action on the rail: Ctrl+1 for the first view, and so on.
    QAction *addView(QWidget *page, const QString &name, const QString &icon);
    void show(QWidget *page);
    QWidget *current() const;
    void setCompact(bool compact);

Q_SIGNALS:
    void viewChanged(QWidget *page);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QAction *add(QWidget *page, const QString &name, const QString &icon, const QKeySequence &keys);

    QStackedWidget *m_stack;
    QActionGroup *m_group;
    int m_homes = 0; ///< pages before the first view
};

} // namespace meshwright
