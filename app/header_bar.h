// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QMenu;
class QPushButton;
class QToolButton;

namespace meshwright {

class TextLabel;

/// The line under the menu: which plan this is and how it stands, undo and redo, find, theme, export.
class HeaderBar : public QWidget {
    Q_OBJECT

public:
    static constexpr int Height = 48;

    struct Actions {
        QAction *undo = nullptr;
        QAction *redo = nullptr;
        QAction *find = nullptr;
        QMenu *exportMenu = nullptr;
    };
    explicit HeaderBar(const Actions &actions, QWidget *parent = nullptr);

    void setPlan(const QString &name, const QString &state);
    void setExportEnabled(bool enabled);
    /// Also the way back from a theme that suits nobody: one click moves on to the next.
    void setTheme(const QString &iconName, const QString &description);

Q_SIGNALS:
    void nextThemeWanted();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    TextLabel *m_name;
    TextLabel *m_state;
    QToolButton *m_theme;
    QPushButton *m_export;
};

} // namespace meshwright
