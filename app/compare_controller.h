// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/plan_comparison.h"
#include "theme/roles.h"

#include <QObject>
#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <vector>

class QAction;
class QMenu;

namespace meshwright {

class CompareView;
class ConfigurationSelection;
class FileController;
class PlanSession;
class Prompts;
class Settings;

/// Supplies the compare view with plans from files, presets, pinned search results, snapshots and the undo history of
/// the current plan.
class CompareController : public QObject {
    Q_OBJECT

public:
    struct Sources {
        PlanSession *session;
        FileController *files;
        const ConfigurationSelection *searched; ///< source of the pinned configurations
        Settings *settings;
        Prompts *prompts;
    };

    /// All arguments must outlive this controller.
    CompareController(CompareView *view, const Sources &sources);

    bool addFile(const QString &path);
    /// The plans that a report compares with the current one: those in the compare view or, if it has none, the pinned
    /// search results.
    std::vector<NamedPlan> plansForReport() const;

Q_SIGNALS:
    void noticed(meshwright::Tone tone, const QString &text);

private:
    void fill();
    void fillPins();
    void fillSnapshots();
    void fillHistory();
    void chooseFile();
    void addPreset(const QString &id);
    bool addDocument(const nlohmann::ordered_json &document, const QString &name, const QString &origin);
    void open(int plan);

    CompareView *m_view;
    Sources m_from;
    QMenu *m_pins;
    QMenu *m_snapshots;
    QMenu *m_history;
    QAction *m_opened;
};

} // namespace meshwright
