// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "theme/roles.h"

#include <QMenu>
#include <QTimer>

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

    /// Whether a file is being written.
    bool isBusy() const { return m_worker.isBusy(); }
    /// What is being written is not; what was there stays.
    void stop();
    /// Lets what is being written end, if it does so within a moment; else it is stopped.
    void settle();

Q_SIGNALS:
    /// It takes so long that one wants to know, and may stop it.
    void writing(const QString &path);
    void noticed(meshwright::Tone tone, const QString &text);
    /// A file is there.
    void written(const QString &path);

private:
    using Writer = QByteArray (*)(const Result &);
    struct Wanted {
        std::shared_ptr<const Result> result;
        Writer writer = nullptr;
        QString path;
    };
    struct Written {
        QString path;
        QString problem; ///< empty where it was written
    };
    static Written write(const Wanted &wanted);
    void add(const QString &id, const QString &text, const QString &suffix, const QString &filter, Writer writer);
    void addOfView();
    void addStop();
    void write(const QString &suffix, const QString &filter, Writer writer);
    /// Asks for the file. @returns an empty path where none is wanted
    QString askForFile(const QString &suffix, const QString &filter);
    void receive(const Written &written);
    void writeTable();
    void copyPicture();

    Settings &m_settings;
    Prompts &m_prompts;
    QWidget *m_window;
    std::shared_ptr<const Result> m_result;
    QString m_name;
    QString m_path; ///< of the file that was written last, or is being
    std::function<QWidget *()> m_view;
    QAction *m_table = nullptr;
    QAction *m_stop = nullptr;
    QTimer m_slow; ///< runs while nobody need know yet that a file is being written
    LatestWorker<Wanted, Written> m_worker; ///< last: its thread ends before anything above goes
};

} // namespace meshwright
