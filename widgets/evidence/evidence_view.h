// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"
#include "evidence/evidence_runner.h"
#include "formulas/derivation.h"
#include "views/view.h"

#include <QVector>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>

class QLineEdit;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace meshwright {

class AccuracyStrip;
class AssumptionsPage;
class CalibratePage;
class PlanErrors;
class ProblemsCard;
class RunsPage;
class Segmented;
class TextLabel;
class ToggleSwitch;

/// Shows how accurate the model is: its predictions for measured runs, and the constants that it uses.
class EvidenceView : public View {
    Q_OBJECT

public:
    explicit EvidenceView(QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;
    /// Adds a CSV file of the user's measured runs to the calibration page if that page is shown, otherwise to the
    /// table of runs. Adding the same file again reloads it.
    /// @param mapping  mapping of its columns; if empty, a known or guessed mapping is used
    void addFile(const QString &path, const std::optional<ColumnMapping> &mapping = {});
    /// Shows the calibration page and adds the rows of a table to it, given as text.
    void addMachineRows(const QString &name, const std::string &rows);
    void setFieldQuestion(const std::function<bool(const QString &)> &hasField);
    /// Whether a plan field is an assumption: a constant of the registry or a field of the software.
    static bool hasConstant(const QString &pointer);
    /// Shows the constant of a JSON pointer "/assumptions/…"; false if there is none.
    bool showConstant(const QString &pointer);
    std::optional<Derivation> derivationOf(const QString &figure) const override;
    /// Plan from which a measured run is predicted: "row.17" of the table, or a name of machinePlan().
    std::optional<Plan> planOf(const QString &name) const override;
    bool isBusy() const;

    RunsPage *runs() const { return m_runs; }
    AssumptionsPage *assumptions() const { return m_assumptions; }
    CalibratePage *calibration() const { return m_calibrate; }
    AccuracyStrip *accuracy() const { return m_accuracy; }
    ProblemsCard *problems() const override;
    QLineEdit *filterField() const override { return m_filter; }

Q_SIGNALS:
    void planWanted(const nlohmann::ordered_json &document);
    void fileWanted();
    void templateWanted();
    void presetWanted(meshwright::PresetKind kind);
    /// Emitted after rows of a file have replaced other rows. @param note  states this in one line
    void rowsReplaced(const QString &note);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *newToolbar();
    void ask();
    void receive(const EvidenceAnswer &answer);
    void openRow(std::size_t row);
    void showFilter();
    void showAccuracy();

    EvidenceRunner *m_runner;
    Segmented *m_pages;
    Segmented *m_metric;
    QWidget *m_rowControls = nullptr;
    QLineEdit *m_filter;
    ToggleSwitch *m_near;
    QPushButton *m_add;
    TextLabel *m_files;
    PlanErrors *m_errors;
    AccuracyStrip *m_accuracy;
    QStackedWidget *m_stack;
    RunsPage *m_runs;
    AssumptionsPage *m_assumptions;
    CalibratePage *m_calibrate;
    PlanView m_view;
    std::shared_ptr<const Result> m_asked;
    bool m_isAsked = false;
    QVector<RunFile> m_ownFiles;
    int m_readings = 0;
    EvidenceSetPointer m_set;
    EvidenceSetPointer m_unchanged; ///< evidence as in m_set, but without the plan's overrides
    EvidenceSlice m_slice; ///< rows that the accuracy strip covers
    EvidenceSlice m_unchangedSlice;
};

} // namespace meshwright
