// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"
#include "view_table.h"

#include <QMenu>

#include <functional>

namespace meshwright {

class Prompts;
class Settings;

class ViewMenu : public QMenu {
    Q_OBJECT

public:
    ViewMenu(Settings &settings, Prompts &prompts, QWidget *window);

    /// @param view  returns the current view  @param name  returns the plan's name, for file names
    void setView(std::function<QWidget *()> view, std::function<QString()> name);
    void setTable(std::function<ViewTable()> table);

Q_SIGNALS:
    void noticed(meshwright::Tone tone, const QString &text);
    void written(const QString &path);

private:
    void addPicture();
    void addTable();
    QAction *add(const QString &id, const QString &text, const std::function<void()> &run);
    void write(const QString &suffix, const QString &filter, const std::function<QByteArray()> &content);
    void copyPicture();
    /// Shows a message to the user if the table is empty.
    ViewTable table();
    void copyTable();
    void writeTable();

    Settings &m_settings;
    Prompts &m_prompts;
    QWidget *m_window;
    std::function<QWidget *()> m_view;
    std::function<QString()> m_name;
    std::function<ViewTable()> m_table;
    QList<QAction *> m_ofTable;
};

} // namespace meshwright
