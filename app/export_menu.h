// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QMenu>

#include <memory>

namespace meshwright {

class Prompts;
class Settings;
struct Result;

/// What the present result can be written to. Disabled until there is one.
class ExportMenu : public QMenu {
    Q_OBJECT

public:
    ExportMenu(Settings &settings, Prompts &prompts, QWidget *window);

    /// @param name  of the plan, for the file's
    void setResult(std::shared_ptr<const Result> result, const QString &name);

Q_SIGNALS:
    void noticed(meshwright::Tone tone, const QString &text);

private:
    using Writer = QByteArray (*)(const Result &);
    void add(const QString &text, const QString &suffix, const QString &filter, Writer writer);
    void write(const QString &suffix, const QString &filter, Writer writer);

    Settings &m_settings;
    Prompts &m_prompts;
    QWidget *m_window;
    std::shared_ptr<const Result> m_result;
    QString m_name;
};

} // namespace meshwright
