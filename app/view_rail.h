// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolBar>
#include <QVector>

class QActionGroup;
class QStackedWidget;

namespace meshwright {

class View;

/// Tool bar to switch views: icons with names, or only icons in a compact window.
class ViewRail : public QToolBar {
    Q_OBJECT

public:
    static constexpr int Width = 64;
    static constexpr int CompactWidth = 44;

    explicit ViewRail(QStackedWidget *stack, QWidget *parent = nullptr);

    /// Adds a view to the stack and an action to the rail. Views without their own shortcut get Ctrl+1, Ctrl+2 and so
    /// on.
    void add(View *view);
    const QVector<View *> &views() const { return m_views; }
    void show(View *view);
    View *current() const;
    void setCompact(bool compact);

Q_SIGNALS:
    void viewChanged(meshwright::View *view);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QStackedWidget *m_stack;
    QActionGroup *m_group;
    QVector<View *> m_views;
    int m_numbered = 0; ///< number of views with a numbered shortcut
};

} // namespace meshwright
