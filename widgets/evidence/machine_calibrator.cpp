// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/machine_calibrator.h"

#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "input/diagnostic.h"

#include <QFileInfo>

#include <filesystem>
#include <iterator>

namespace meshwright {

namespace {

void readFile(const QString &file, CalibrationAnswer &answer) {
    const std::string name = QFileInfo(file).fileName().toStdString();
    try {
        const std::vector<MeasuredRun> rows =
            measured_runs(read_csv(read_preset_text(std::filesystem::path(file.toStdString()))));
        MachineRuns read = machine_runs(rows, RunRules::standard(), Library::standard());
        MachineRuns all = answer.runs;
        std::move(read.runs.begin(), read.runs.end(), std::back_inserter(all.runs));
        std::move(read.skipped.begin(), read.skipped.end(), std::back_inserter(all.skipped));
        // A table that cannot be used leaves the runs as they were.
        check_machine_runs(all);
        answer.runs = std::move(all);
    } catch (const InputError &error) {
        answer.problem = QString::fromStdString(one_line(name, error.diagnostics()));
    } catch (const FileError &error) {
        answer.problem = QString::fromUtf8(error.what());
    }
}

CalibrationAnswer answerTo(const CalibrationQuestion &question, const std::stop_token &stop) {
    CalibrationAnswer answer{.runs = question.runs, .fit = {}, .problem = {}};
    for (const QString &file : question.files)
        readFile(file, answer);
    if (answer.runs.runs.empty())
        return answer;
    try {
        answer.fit = std::make_shared<const MachineFit>(fit_machine(answer.runs, machine_parameters(), stop));
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        answer.problem = QStringLiteral("%1: %2; %3")
                             .arg(QString::fromStdString(first.fields.front()).mid(1),
                                  QString::fromStdString(first.message), QString::fromStdString(first.expected));
    } catch (const FileError &error) {
        answer.problem = QString::fromUtf8(error.what());
    }
    return answer;
}

} // namespace

MachineCalibrator::MachineCalibrator(QObject *parent)
    : QObject(parent)
    , m_worker(this, answerTo, [this](const CalibrationAnswer &answer) { Q_EMIT answered(answer); }) { }

} // namespace meshwright
