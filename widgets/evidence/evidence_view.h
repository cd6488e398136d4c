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

/// How far the model is to be trusted: what it says of measured runs, and the constants that it stands on.
class EvidenceView : public View {
    Q_OBJECT

public:
    explicit EvidenceView(QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;
    /// Adds a table of measured runs of the user's own: to the page on this machine where that is in sight, else to the
    /// runs. One that is there already is read again.
    /// @param mapping  of its columns; left out: they are the program's, or guessed
    void addFile(const QString &path, const std::optional<ColumnMapping> &mapping = {});
    void setFieldQuestion(const std::function<bool(const QString &)> &hasField);
    /// Whether a plan field is a constant of the registry.
    static bool hasConstant(const QString &pointer);
    /// Shows the constant of "/assumptions/…"; false where there is none.
    bool showConstant(const QString &pointer);
    /// How what is shown of the measured runs comes about.
    std::optional<Derivation> derivationOf(const QString &figure) const override;
    /// The plan of a measured run as it is predicted: "row.17" of the tables, and
    /// those of machineDerivation().
    std::optional<Plan> planOf(const QString &name) const override;
    /// Whether an answer is on its way.
    bool isBusy() const;

    RunsPage *runs() const { return m_runs; }
    AssumptionsPage *assumptions() const { return m_assumptions; }
    CalibratePage *calibration() const { return m_calibrate; }
    AccuracyStrip *accuracy() const { return m_accuracy; }
    ProblemsCard *problems() const override;
    QLineEdit *filterField() const override { return m_filter; }

Q_SIGNALS:
    /// A measured run is to be opened as a plan.
    void planWanted(const nlohmann::ordered_json &document);
    /// A table is to be chosen.
    void fileWanted();
    void templateWanted();
    /// What was fitted to a machine is to be kept as a preset.
    void presetWanted(meshwright::PresetKind kind);
    /// One line on what became of the rows of a file.
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
    QWidget *m_rowControls = nullptr; ///< those that only the runs have
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
    std::shared_ptr<const Result> m_asked; ///< the result that was asked for last
    bool m_isAsked = false;
    QVector<RunFile> m_ownFiles;
    int m_readings = 0; ///< of files
    EvidenceSetPointer m_set;
    EvidenceSetPointer m_unchanged; ///< the same without the plan's own constants
    EvidenceSlice m_slice; ///< rows that the accuracy is of
    EvidenceSlice m_unchangedSlice;
};

} // namespace meshwright
