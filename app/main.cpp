// SPDX-License-Identifier: GPL-3.0-or-later
#include "application.h"
#include "autosave.h"
#include "catalog/library.h"
#include "cli/command_line.h"
#include "cli/documents.h"
#include "cli/failure.h"
#include "exercise/exercise_engine.h"
#include "file_controller.h"
#include "freed_memory.h"
#include "kept_memory.h"
#include "main_window.h"
#include "picture_command.h"
#include "prompts.h"
#include "report_command.h"
#include "settings.h"
#include "termination.h"
#include "theme/icon.h"
#include "theme/theme.h"
#include "theme_choice.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace {

using namespace meshwright;

/// Checks for a display. Without this, Qt would abort with its own message and a core dump.
void requireDisplay() {
    const bool has = !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY")
        || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
    if (!has)
        throw Failure(ExitStatus::usage,
                      "meshwright: usage: no display for the window; expected a graphical session (the command "
                      "'meshwright report' works without one)");
}

int showWindow(const PlanArgument &plan, int &argc, char **argv) {
    requireDisplay();
    Application application(argc, argv);
    QApplication::setWindowIcon(icons::icon(QStringLiteral("meshwright")));
    Settings settings;
    Theme::apply(application, ThemeChoice::stored(settings));
    DialogPrompts prompts;
    MainWindow window(Library::standard(), settings, prompts, Autosave::standardFolder());
    const bool asNamed = plan.sets.empty() && plan.name != "-";
    if (asNamed)
        window.openAtStart(QString::fromStdString(plan.name));
    else
        window.session()->document()->recover(loadPlan(plan, Library::standard()), {});
    const Termination termination;
    QObject::connect(&termination, &Termination::requested, &window, &MainWindow::endKeepingWork);
    keep_freed_memory();
    const FreedMemory freed;
    window.show();
    window.offerRecovery();
    window.files()->settleFolders();
    return QApplication::exec();
}

} // namespace

int main(int argc, char **argv) {
    if (asksForExercise(argc, argv))
        return runExercise(argv);
    QApplication::setApplicationName(QStringLiteral("meshwright"));
    QApplication::setApplicationDisplayName(QStringLiteral("Meshwright"));
    QApplication::setApplicationVersion(QString::fromUtf8(programVersion.data(), qsizetype(programVersion.size())));
    QApplication::setDesktopFileName(QStringLiteral("org.meshwright.Meshwright"));

    CLI::App program("Plan a distributed training run and see its predicted memory, speed and cost.", "meshwright");
    program.set_version_flag("--version", "meshwright " + std::string(programVersion));
    PlanArgument plan;
    addPlanArgument(program, plan, PlanNeed::optional);
    addReport(program, argc, argv);
    addPicture(program, argc, argv);
    addTable(program, argc, argv);
    int status = 0;
    program.callback([&] {
        if (!program.get_subcommands().empty())
            return;
        if (plan.name.empty() && !plan.sets.empty())
            throw Failure(ExitStatus::usage, "meshwright: usage: --set changes a plan; expected PLAN");
        status = showWindow(plan, argc, argv);
    });
    const int failed = runCommandLine(program, argc, argv);
    return failed != 0 ? failed : status;
}
