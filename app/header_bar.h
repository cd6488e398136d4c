// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QMenu;
class QPushButton;
class QToolButton;

namespace meshwright {

class PlanTitle;
class TextLabel;

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

    /// @param notes  notes on the plan; may be empty
    void setPlan(const QString &name, const QString &state, const QString &notes);
    void editName();
    void setExportEnabled(bool enabled);
    /// @param description  tool tip of the button that switches to the next theme
    void setTheme(const QString &iconName, const QString &description);

Q_SIGNALS:
    void nextThemeWanted();
    void renamed(const QString &name);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    PlanTitle *m_title;
    TextLabel *m_state;
    QToolButton *m_theme;
    QPushButton *m_export;
};

} // namespace meshwright
