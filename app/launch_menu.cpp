// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch_menu.h"

#include "catalog/library.h"
#include "exchange/plan_command.h"
#include "exchange/plan_text.h"
#include "format_title.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "input_problem.h"
#include "launch/export_question.h"
#include "plan/plan_json.h"
#include "plan_session.h"
#include "prompts.h"
#include "settings.h"
#include "theme/icon.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

/// Traces are not previewed as text; the Export menu writes them to a file.
constexpr std::string_view traceTarget = "perfetto";

QString valueIn(const ordered_json &document, const std::string &pointer) {
    constexpr qsizetype longest = 120;
    try {
        const ordered_json::json_pointer at(pointer);
        if (!document.contains(at))
            return {};
        const ordered_json &value = document.at(at);
        const QString text = QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
        return text.size() > longest ? text.left(longest - 1) + QStringLiteral("…") : text;
    } catch (const ordered_json::exception &) {
        return {}; // the field is in a preset, to which the plan refers only by id
    }
}

} // namespace

LaunchMenu::LaunchMenu(PlanSession &session, Settings &settings, Prompts &prompts, QWidget *window)
    : QMenu(tr("&Launch Configuration"), window)
    , m_session(session)
    , m_settings(settings)
    , m_prompts(prompts)
    , m_window(window)
    , m_worker(
          this,
          [&session](const Wanted &wanted, const std::stop_token &) {
              Prepared prepared{.wanted = wanted, .exported = {}, .problem = {}};
              try {
                  prepared.exported = wanted.target->write(*wanted.result, session.library());
              } catch (const InputError &error) {
                  prepared.problem = inputProblem(error);
              }
              return prepared;
          },
          [this](const Prepared &prepared) { receive(prepared); }) {
    addTargets();
    addSeparator();
    addPlan();
}

void LaunchMenu::addTargets() {
    for (const ExportTarget &target : export_targets()) {
        if (target.id == traceTarget)
            continue;
        QAction *action = addAction(tr("%1 …").arg(formatTitle(target.id, target.title)));
        action->setObjectName(QStringLiteral("export.launch.")
                              + QString::fromUtf8(target.id.data(), static_cast<qsizetype>(target.id.size())));
        connect(action, &QAction::triggered, this, [this, &target] { prepare(target); });
    }
}

void LaunchMenu::addPlan() {
    QAction *text = addAction(icons::icon(QStringLiteral("copy")), tr("Copy Plan as &Text"));
    text->setObjectName(QStringLiteral("export.planText"));
    text->setToolTip(tr("One line of compressed text; paste it into another window of this program"));
    connect(text, &QAction::triggered, this, &LaunchMenu::copyText);
    QAction *command = addAction(icons::icon(QStringLiteral("copy")), tr("Copy Plan as &Command Line"));
    command->setObjectName(QStringLiteral("export.planCommand"));
    command->setToolTip(tr("The meshwright-cli command that evaluates this plan"));
    connect(command, &QAction::triggered, this, &LaunchMenu::copyCommand);
}

void LaunchMenu::prepare(const ExportTarget &target) {
    const PlanView &view = m_session.view();
    if (!view.valid || view.result == nullptr) {
        Q_EMIT noticed(Tone::Warn, tr("A plan with errors cannot be exported. Fix them first."));
        return;
    }
    m_worker.ask({.result = view.result, .target = &target});
}

void LaunchMenu::receive(const Prepared &prepared) {
    const QString title = formatTitle(prepared.wanted.target->id, prepared.wanted.target->title);
    if (!prepared.problem.isEmpty()) {
        Q_EMIT noticed(Tone::Bad, tr("%1: %2").arg(title, prepared.problem));
        return;
    }
    ExportQuestion question{.title = title,
                            .plan = QString::fromStdString(prepared.wanted.result->plan.name).simplified(),
                            .exported = prepared.exported,
                            .valueOf = {},
                            .save = {}};
    const auto document = std::make_shared<const ordered_json>(to_json(prepared.wanted.result->plan));
    question.valueOf = [document](const std::string &pointer) { return valueIn(*document, pointer); };
    question.save = [this, exported = prepared.exported](QWidget *dialog, int file) {
        return save(dialog, exported, file);
    };
    m_prompts.showExport(m_window, question);
}

QString LaunchMenu::save(QWidget *dialog, const LaunchExport &exported, int file) {
    const QString last = m_settings.value(Setting::LastFolder).toString();
    const bool all = file < 0;
    const QString path = all
        ? m_prompts.folderToSave(dialog, tr("Save the files to a folder"), last)
        : m_prompts.fileToSave(
            dialog, tr("Save the file"),
            QDir(last).filePath(QString::fromStdString(exported.files[static_cast<std::size_t>(file)].name)),
            tr("All files (*)"));
    if (path.isEmpty())
        return {};
    const std::filesystem::path chosen(path.toStdString());
    try {
        for (std::size_t i = 0; i < exported.files.size(); ++i)
            if (all || static_cast<int>(i) == file)
                write_file_atomically(all ? chosen / exported.files[i].name : chosen, exported.files[i].text());
    } catch (const FileError &error) {
        return QString::fromUtf8(error.what());
    }
    m_settings.set(Setting::LastFolder, all ? path : QFileInfo(path).absolutePath());
    return all ? tr("Saved %1 files to %2").arg(exported.files.size()).arg(QDir::toNativeSeparators(path))
               : tr("Saved as %1").arg(QDir::toNativeSeparators(path));
}

void LaunchMenu::copyText() {
    QGuiApplication::clipboard()->setText(QString::fromStdString(plan_text(*m_session.document()->json())));
    Q_EMIT noticed(Tone::Good, tr("Plan copied as text. Paste it into another window of this program."));
}

void LaunchMenu::copyCommand() {
    try {
        const std::string line = plan_command(*m_session.document()->json(), m_session.library());
        QGuiApplication::clipboard()->setText(QString::fromStdString(line));
        Q_EMIT noticed(Tone::Good, tr("Command line copied."));
    } catch (const InputError &error) {
        Q_EMIT noticed(Tone::Warn,
                       tr("A plan with errors cannot be turned into a command line: %1").arg(inputProblem(error)));
    }
}

} // namespace meshwright
