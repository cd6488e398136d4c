// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QMenu>

#include <functional>
#include <memory>
#include <utility>

namespace meshwright {

class Prompts;
class Settings;
struct Result;

/// What the present result can be written to, and what the present view can: its table, its picture. Disabled until
/// there is a result.
class ExportMenu : public QMenu {
    Q_OBJECT

public:
    ExportMenu(Settings &settings, Prompts &prompts, QWidget *window);

    /// The view that is shown, whenever it is asked for.
    void setView(std::function<QWidget *()> view) { m_view = std::move(view); }
    /// @param name  of the plan, for the file's
    void setResult(std::shared_ptr<const Result> result, const QString &name);

Q_SIGNALS:
    void noticed(meshwright::Tone tone, const QString &text);
    /// A file is there.
    void written(const QString &path);

private:
    using Writer = QByteArray (*)(const Result &);
    void add(const QString &id, const QString &text, const QString &suffix, const QString &filter, Writer writer);
    void addOfView();
    void write(const QString &suffix, const QString &filter, Writer writer);
    /// Asks for the file. @param make  called only once there is one
    void writeTo(const QString &suffix, const QString &filter, const std::function<QByteArray()> &make);
    void writeTable();
    void copyPicture();

    Settings &m_settings;
    Prompts &m_prompts;
    QWidget *m_window;
    std::shared_ptr<const Result> m_result;
    QString m_name;
    std::function<QWidget *()> m_view;
    QAction *m_table = nullptr;
};

} // namespace meshwright
