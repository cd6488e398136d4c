// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/machine_calibrator.h"

#include "catalog/library.h"
#include "input/diagnostic.h"

#include <QCoreApplication>

#include <algorithm>
#include <exception>
#include <iterator>

namespace meshwright {

namespace {

/// Adds runs. A new run replaces the run of the same name if that is among the first `before` runs. @returns number of
/// replaced runs
std::size_t takeRuns(std::vector<MachineRun> read, std::vector<MachineRun> &all, std::size_t before) {
    std::size_t replaced = 0;
    for (MachineRun &run : read) {
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(before);
        const auto same = std::find_if(all.begin(), end, [&](const MachineRun &each) { return each.name == run.name; });
        if (same == end) {
            all.push_back(std::move(run));
            continue;
        }
        *same = std::move(run);
        ++replaced;
    }
    return replaced;
}

void readFile(const RunFile &file, CalibrationAnswer &answer) {
    const std::string name = file.name().toStdString();
    try {
        const std::vector<MeasuredRun> rows = runsOf(file);
        MachineRuns read = machine_runs(rows, RunRules::standard(), Library::standard());
        MachineRuns all = answer.runs;
        const std::size_t before = all.runs.size();
        const std::size_t replaced = takeRuns(std::move(read.runs), all.runs, before);
        std::move(read.skipped.begin(), read.skipped.end(), std::back_inserter(all.skipped));
        // Throws if the table cannot be used, before the runs are changed.
        check_machine_runs(all);
        answer.runs = std::move(all);
        if (replaced > 0)
            answer.note =
                QCoreApplication::translate("MachineCalibrator", "%1: %2 runs replaced earlier runs with the same id.")
                    .arg(QString::fromStdString(name))
                    .arg(replaced);
    } catch (const InputError &error) {
        answer.problem = QString::fromStdString(one_line(name, error.diagnostics()));
    } catch (const std::exception &error) { // a bad file must not end the program
        answer.problem = QString::fromUtf8(error.what());
    }
}

CalibrationAnswer answerTo(const CalibrationQuestion &question, const std::stop_token &stop) {
    CalibrationAnswer answer{.runs = question.runs, .fit = {}, .note = {}, .problem = {}};
    for (const RunFile &file : question.files)
        readFile(file, answer);
    if (answer.runs.runs.empty())
        return answer;
    try {
        answer.fit = std::make_shared<const MachineFit>(fit_machine(answer.runs, machine_parameters(), stop));
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        answer.problem =
            QStringLiteral("%1: %2; %3")
                .arg(QString::fromStdString(first.fields.front()).mid(1), QString::fromStdString(first.message.text),
                     QString::fromStdString(first.expected.text));
    } catch (const std::exception &error) {
        answer.problem = QString::fromUtf8(error.what());
    }
    return answer;
}

} // namespace

MachineCalibrator::MachineCalibrator(QObject *parent)
    : QObject(parent)
    , m_worker(this, answerTo, [this](const CalibrationAnswer &answer) { Q_EMIT answered(answer); }) { }

} // namespace meshwright
