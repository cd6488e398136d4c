// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/imported.h"
#include "launch/importers.h"
#include "models/latest_worker.h"
#include "theme/roles.h"

#include <QObject>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <vector>

namespace meshwright {

class FileController;
class PlanSession;
class Prompts;
struct ImportAnswer;

/// Imports launch configurations, logs and traces from files and from the clipboard: reads them on another thread,
/// shows their content, and adds the result to the plan or the machine's runs, or opens it as a new plan.
class ImportController : public QObject {
    Q_OBJECT

public:
    /// All arguments must outlive this controller.
    ImportController(PlanSession &session, FileController &files, Prompts &prompts, QWidget *window);

    /// Whether an importer recognizes a file. Model configurations are not launch files: FileController adopts them.
    static bool recognizes(const LaunchFile &file);

    /// Imports files that belong together, such as a script and its DeepSpeed JSON.
    void importFiles(const QStringList &paths);
    /// Imports a plan in text form, a command line that evaluates a plan, a plan's JSON, or a launch configuration.
    void importText(const QString &text);
    /// Imports the clipboard's content: text, or files copied in a file manager.
    void paste();
    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    void noticed(meshwright::Tone tone, const QString &text);
    void planOpened();
    /// Emitted after a measured run has been imported; `rows` is a table.
    void runImported(const QString &name, const std::string &rows);
    /// Emitted for files that must be opened instead of imported.
    void filesWanted(const QStringList &paths);

private:
    struct Reading {
        QString names;
        std::shared_ptr<const Imported> imported; ///< null if there is a problem
        QString problem;
    };
    void receive(const Reading &reading);
    void apply(const Imported &imported, const ImportAnswer &answer, const QString &names);
    void openPlan(const Imported &imported, nlohmann::ordered_json document, const QString &names);
    void applyTier(const nlohmann::ordered_json &tier, int index);
    void applyNode(const nlohmann::ordered_json &node);
    void replaceCluster(const nlohmann::ordered_json &cluster, const QString &subject, const QString &to);
    bool openDocument(const nlohmann::ordered_json &document);
    int likelyTier(const nlohmann::ordered_json &measured) const;

    PlanSession &m_session;
    FileController &m_files;
    Prompts &m_prompts;
    QWidget *m_window;
    /// Declared last, so that its thread stops before the other members are destroyed.
    LatestWorker<std::vector<LaunchFile>, Reading> m_worker;
};

} // namespace meshwright
