// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"
#include "models/latest_worker.h"
#include "theme/roles.h"

#include <QMenu>

#include <memory>

namespace meshwright {

class PlanSession;
class Prompts;
class Settings;
struct ExportQuestion;
struct Result;

/// Menu of launch files: previews the files for each launcher, copies and saves them. Also copies the plan as text and
/// as a command line.
class LaunchMenu : public QMenu {
    Q_OBJECT

public:
    /// All arguments must outlive this menu.
    LaunchMenu(PlanSession &session, Settings &settings, Prompts &prompts, QWidget *window);

    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    void noticed(meshwright::Tone tone, const QString &text);

private:
    struct Wanted {
        std::shared_ptr<const Result> result;
        const ExportTarget *target = nullptr;
    };
    struct Prepared {
        Wanted wanted;
        LaunchExport exported;
        QString problem; ///< reason why there are no files; empty if there are files
    };
    void addTargets();
    void addPlan();
    void prepare(const ExportTarget &target);
    void receive(const Prepared &prepared);
    QString save(QWidget *dialog, const LaunchExport &exported, int file);
    void copyText();
    void copyCommand();

    PlanSession &m_session;
    Settings &m_settings;
    Prompts &m_prompts;
    QWidget *m_window;
    /// Declared last, so that its thread stops before the other members are destroyed.
    LatestWorker<Wanted, Prepared> m_worker;
};

} // namespace meshwright
