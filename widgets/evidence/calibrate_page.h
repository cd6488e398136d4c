// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"
#include "evidence/machine_calibrator.h"
#include "formulas/derivation.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <QWidget>

#include <optional>

#include <nlohmann/json_fwd.hpp>

class QPushButton;
class QTableView;

namespace meshwright {

class Card;
class FittedConstantsModel;
class MachineRunsModel;
class RunEntry;
class Segmented;
class FigureSentence;
class TextLabel;
class XyChart;
struct PresetName;

/// Measured runs of the user's own machine and the constants fitted to them. Runs are read from CSV files or typed in.
/// The constants can be used in the plan or saved as a preset.
class CalibratePage : public QWidget {
    Q_OBJECT

public:
    explicit CalibratePage(QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    void addFile(const RunFile &file);
    /// The fit as a preset of the selected kind. @pre hasFit()
    nlohmann::ordered_json preset(const PresetName &name) const;
    bool hasFit() const { return m_answer.fit != nullptr; }
    bool isBusy() const { return m_calibrator->isBusy(); }
    const CalibrationAnswer &answer() const { return m_answer; }
    std::optional<Derivation> derivationOf(const QString &figure) const;
    /// The plan with which a figure of this page is calculated; see machinePlan().
    std::optional<Plan> planOf(const QString &name) const;

    MachineRunsModel *runs() const { return m_runsModel; }
    FittedConstantsModel *constants() const { return m_constantsModel; }
    XyChart *chart() const { return m_chart; }
    /// The problem if there is one, otherwise the notes on the fit.
    QString words() const;

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    void fileWanted();
    void templateWanted();
    /// Emitted if the user wants to save the fit as a preset of this kind.
    void presetWanted(meshwright::PresetKind kind);

private:
    Card *newRuns();
    Card *newConstants();
    QWidget *newSide();
    Card *newOutcome();
    void ask();
    void receive(const CalibrationAnswer &answer);
    void removeRows();
    void clear();
    void use();
    void showOutcome();
    void showChart();
    /// Reason why the fit cannot be used in the plan; empty if it can.
    QString obstacle() const;

    MachineCalibrator *m_calibrator;
    MachineRunsModel *m_runsModel;
    FittedConstantsModel *m_constantsModel;
    RunEntry *m_entry;
    QTableView *m_runs;
    QTableView *m_constants;
    QPushButton *m_remove;
    QPushButton *m_clear;
    Segmented *m_metric;
    XyChart *m_chart;
    FigureSentence *m_headline;
    TextLabel *m_words;
    QPushButton *m_use;
    Segmented *m_kind;
    QPushButton *m_save;
    TextLabel *m_obstacle;
    Card *m_runsCard = nullptr;
    PlanView m_view;
    CalibrationAnswer m_answer;
    QVector<RunFile> m_files;
};

} // namespace meshwright
