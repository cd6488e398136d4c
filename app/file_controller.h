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

/// Opening, saving and everything that would throw unsaved edits away. Asks through Prompts; says what went wrong in a
/// notice, never in a dialog.
class FileController : public QObject {
    Q_OBJECT

public:
    FileController(PlanSession &session, Settings &settings, Prompts &prompts, QWidget *window);

    RecentFiles *recentFiles() const { return m_recent; }

    /// A file of any kind that the planner knows: a plan is opened; a model, a cluster or a Hugging Face config.json
    /// becomes part of the present plan, as one edit.
    bool openFile(const QString &path);
    bool openPreset(const QString &id);
    /// A plan that lies in no file.
    bool openDocument(const nlohmann::ordered_json &document);
    void newPlan();
    void chooseFile();
    /// Takes a table of the inter-site link's rate over time into the plan, as one edit.
    void chooseRateTrace();
    bool openRateTrace(const QString &path);
    bool save();
    bool saveAs();
    /// Takes what another program has written in the plan's file.
    bool reload();
    /// True if nothing is lost by going on.
    bool mayDiscard();

    /// Clears away what killed programs left next to the plans that were opened and saved last; in the background.
    void settleFolders() const;

    static QString planFilter();

Q_SIGNALS:
    void noticed(meshwright::Tone tone, const QString &text);
    /// Another plan is shown: what was said of the old one no longer holds.
    void planOpened();

private:
    bool openPlan(const QString &path);
    bool adopt(const QString &path);
    bool write(const QString &path);
    /// Nothing if the file may be replaced. Else whether the plan was saved in another way.
    /// @throws InputError for a file that is no plan, FileError
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
