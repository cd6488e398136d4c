// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolBar>
#include <QVector>

class QActionGroup;
class QStackedWidget;

namespace meshwright {

class View;

/// The views of the window, one of which is shown: icons with names under them, without the names in a compact window.
class ViewRail : public QToolBar {
    Q_OBJECT

public:
    static constexpr int Width = 64;
    static constexpr int CompactWidth = 44;

    /// @param stack  whose pages are the views
    explicit ViewRail(QStackedWidget *stack, QWidget *parent = nullptr);

    /// Puts a view into the stack and an action on the rail: Ctrl+1 for the first that has no keys of its own, and so
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
    int m_numbered = 0; ///< views whose key is their number
};

} // namespace meshwright
