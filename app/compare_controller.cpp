// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_controller.h"

#include "catalog/library.h"
#include "compare/compare_view.h"
#include "file_controller.h"
#include "import_controller.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "input_problem.h"
#include "plan/plan_json.h"
#include "plan_session.h"
#include "preset_menu.h"
#include "prompts.h"
#include "search/configuration_selection.h"
#include "settings.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

constexpr int maxHistory = 20; ///< maximum number of undo steps in the menu; older plans are reached only by undoing
constexpr qsizetype longestMenuText = 60;

/// Escapes ampersands in names, because in a menu they mark mnemonics.
QString menuText(QString text) {
    text = text.simplified();
    if (text.size() > longestMenuText)
        text = text.left(longestMenuText - 1) + QStringLiteral("…");
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace

CompareController::CompareController(CompareView *view, const Sources &sources)
    : QObject(view)
    , m_view(view)
    , m_from(sources) {
    QMenu *menu = view->addMenu();
    QAction *file = menu->addAction(tr("From a &File …"));
    file->setObjectName(QStringLiteral("compareFile"));
    connect(file, &QAction::triggered, this, &CompareController::chooseFile);
    m_opened = menu->addAction(tr("This Plan as &Opened"));
    m_opened->setObjectName(QStringLiteral("compareOpened"));
    connect(m_opened, &QAction::triggered, this,
            [this] { addDocument(m_from.session->document()->documentAt(0), tr("As opened"), tr("undo history")); });
    menu->addSeparator();
    auto *presets = new PresetMenu(sources.session->library(), menu);
    presets->setObjectName(QStringLiteral("comparePresets"));
    connect(presets, &PresetMenu::chosen, this, &CompareController::addPreset);
    connect(presets, &PresetMenu::cardChosen, this,
            [this] { Q_EMIT noticed(Tone::Warn, tr("Too little has been disclosed about this run to evaluate it.")); });
    menu->addMenu(presets);
    m_pins = menu->addMenu(tr("&Search Results"));
    m_snapshots = menu->addMenu(tr("S&napshots"));
    m_history = menu->addMenu(tr("&Undo History"));
    connect(menu, &QMenu::aboutToShow, this, &CompareController::fill);
    connect(view, &CompareView::openWanted, this, &CompareController::open);
    fill();
}

std::vector<NamedPlan> CompareController::plansForReport() const {
    std::vector<NamedPlan> plans;
    for (const ComparedPlan &other : m_view->others())
        plans.push_back({.name = other.name.toStdString(), .plan = other.plan});
    if (!plans.empty())
        return plans;
    for (const LayoutRow &row : m_from.searched->rows())
        if (!row.pin.isEmpty())
            plans.push_back({.name = tr("Pin %1").arg(row.pin).toStdString(), .plan = row.entry.plan});
    return plans;
}

void CompareController::fill() {
    m_opened->setEnabled(m_from.session->document()->undoStack()->index() > 0);
    fillPins();
    fillSnapshots();
    fillHistory();
}

void CompareController::fillPins() {
    m_pins->clear();
    const auto add = [this](const QString &text, const QString &name, const Plan &plan) {
        connect(m_pins->addAction(text), &QAction::triggered, this,
                [this, name, plan] { m_view->add({.name = name, .origin = tr("search"), .plan = plan}); });
    };
    const auto &rows = m_from.searched->rows();
    if (const int best = m_from.searched->offered(); best >= 0)
        add(tr("&Best Found"), tr("Best found"), rows[static_cast<std::size_t>(best)].entry.plan);
    for (const auto &row : rows)
        if (!row.pin.isEmpty())
            add(tr("Pin &%1").arg(row.pin), tr("Pin %1").arg(row.pin), row.entry.plan);
    m_pins->setEnabled(!m_pins->isEmpty());
}

void CompareController::fillSnapshots() {
    m_snapshots->clear();
    for (const PlanSnapshot &snapshot : m_from.session->document()->snapshots())
        connect(m_snapshots->addAction(menuText(snapshot.name)), &QAction::triggered, this,
                [this, snapshot] { addDocument(*snapshot.plan, snapshot.name, tr("snapshot")); });
    m_snapshots->setEnabled(!m_snapshots->isEmpty());
}

void CompareController::fillHistory() {
    m_history->clear();
    PlanDocument *document = m_from.session->document();
    const QUndoStack *stack = document->undoStack();
    for (int steps = stack->count(); steps >= std::max(0, stack->count() - maxHistory); --steps) {
        if (steps == stack->index())
            continue; // the menu lists no entry for the current plan
        const QString name = steps == 0 ? tr("As opened") : tr("After %1").arg(stack->text(steps - 1));
        connect(m_history->addAction(menuText(name)), &QAction::triggered, this,
                [this, document, steps, name] { addDocument(document->documentAt(steps), name, tr("undo history")); });
    }
    m_history->setEnabled(!m_history->isEmpty());
}

void CompareController::chooseFile() {
    const QString path = m_from.prompts->fileToOpen(m_view->window(), tr("Compare with a plan"),
                                                    m_from.settings->value(Setting::LastFolder).toString(),
                                                    FileController::openFilter());
    if (!path.isEmpty())
        addFile(path);
}

bool CompareController::addFile(const QString &path) {
    const QFileInfo file(path);
    try {
        try {
            return addDocument(PlanDocument::read(path), file.completeBaseName(), file.fileName());
        } catch (const InputError &) {
            const LaunchFile launch{.name = file.fileName().toStdString(),
                                    .text = read_file(std::filesystem::path(path.toStdString()))};
            if (!ImportController::recognizes(launch))
                throw;
            const Imported imported = import_files({launch}, {}, m_from.session->library());
            if (imported.what != "plan")
                throw;
            return addDocument(imported.document, file.completeBaseName(), file.fileName());
        }
    } catch (const FileError &error) {
        Q_EMIT noticed(Tone::Bad, QString::fromUtf8(error.what()));
    } catch (const InputError &error) {
        Q_EMIT noticed(Tone::Bad, tr("%1: %2").arg(file.fileName(), inputProblem(error)));
    }
    return false;
}

void CompareController::addPreset(const QString &id) {
    try {
        addDocument(m_from.session->library().json(PresetKind::plan, id.toStdString()), id, tr("preset"));
    } catch (const std::exception &error) {
        Q_EMIT noticed(Tone::Bad, QString::fromUtf8(error.what()));
    }
}

bool CompareController::addDocument(const ordered_json &document, const QString &name, const QString &origin) {
    const PlanReading reading = read_plan(document, m_from.session->library());
    const bool isOfThis = origin == tr("undo history") || origin == tr("snapshot");
    const QString own = QString::fromStdString(reading.plan.name).simplified();
    const QString shown = own.isEmpty() || isOfThis ? name.simplified() : own;
    if (!reading.valid()) {
        Q_EMIT noticed(Tone::Bad,
                       tr("%1 cannot be evaluated: %2")
                           .arg(shown, QString::fromStdString(one_line(origin.toStdString(), reading.diagnostics))));
        return false;
    }
    m_view->add({.name = shown, .origin = origin, .plan = reading.plan});
    return true;
}

/// Swaps the compared plan with the current plan.
void CompareController::open(int plan) {
    const ComparedPlan chosen = m_view->others().at(plan - 1);
    const PlanView before = m_from.session->view();
    if (!m_from.files->openDocument(to_json(chosen.plan)))
        return;
    if (before.valid)
        m_view->replace(
            plan, {.name = QString::fromStdString(before.plan.name), .origin = tr("before"), .plan = before.plan});
}

} // namespace meshwright
