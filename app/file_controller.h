// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QObject>
#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <optional>

class QWidget;

namespace meshwright {

class PlanSession;
class Prompts;
class RecentFiles;
class Settings;

/// Opens and saves plans, and handles everything that would discard unsaved edits. Asks through Prompts; reports errors
/// in notices, never in dialogs.
class FileController : public QObject {
    Q_OBJECT

public:
    FileController(PlanSession &session, Settings &settings, Prompts &prompts, QWidget *window);

    RecentFiles *recentFiles() const { return m_recent; }

    /// Opens a file of any known kind. A plan replaces the current one; a model, a cluster or a Hugging Face
    /// config.json becomes part of the current plan, as one edit.
    bool openFile(const QString &path);
    bool openPreset(const QString &id);
    bool openDocument(const nlohmann::ordered_json &document);
    void newPlan();
    void chooseFile();
    /// Loads a table of the inter-site link rate over time into the plan, as one edit.
    void chooseRateTrace();
    bool openRateTrace(const QString &path);
    bool save();
    bool saveAs();
    bool reload();
    /// Asks about unsaved edits. @returns true if the plan may be replaced
    bool mayDiscard();

    /// Starts a background cleanup of temporary files that killed processes left next to recently used plans.
    void settleFolders() const;

    static QString planFilter();
    /// File filter of the open dialog: plans, and everything that can be imported.
    static QString openFilter();

Q_SIGNALS:
    void noticed(meshwright::Tone tone, const QString &text);
    /// Emitted when another plan is shown, which makes notices about the previous one obsolete.
    void planOpened();
    /// Emitted for files to import: launch configurations, logs or traces.
    void importWanted(const QStringList &paths);

private:
    bool openPlan(const QString &path);
    bool adopt(const QString &path);
    bool write(const QString &path);
    /// Asks what to do if another program has changed the file. Returns nothing if the file may be overwritten.
    /// Otherwise, the user chose another action; the value is true if that action saved the plan.
    /// @throws InputError for a file that is not a plan, FileError
    std::optional<bool> settleConflict(const QString &path);
    void nameAfter(const QString &path);
    void rememberFolder(const QString &path);

    PlanSession &m_session;
    Settings &m_settings;
    Prompts &m_prompts;
    QWidget *m_window;
    RecentFiles *m_recent;
};

} // namespace meshwright
