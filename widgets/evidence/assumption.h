// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/constants.h"
#include "catalog/stack_fields.h"
#include "formulas/derivation.h"
#include "views/plan_edit.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <string>

namespace meshwright {

struct Plan;
struct PlanView;

/// One assumption of the model: a constant of the registry, or a field of the training software. Stores no value: the
/// functions read it from the plan that they receive.
class Assumption {
public:
    /// Number of assumptions: the registry's constants, followed by the software's fields.
    static int count();
    static Assumption at(int row);
    /// Row of a JSON pointer "/assumptions/…" or "/stack/…"; -1 for any other.
    static int rowOf(const QString &pointer);

    bool isOfSoftware() const { return m_field != nullptr; }
    QString name() const; ///< name in plan files
    QString pointer() const; ///< JSON pointer of the plan's field
    QString title() const;
    QString meaning() const;
    QString rangeText() const;
    /// Accepted input, for messages: "between 0 and 1".
    QString limits() const;
    QStringList choices() const;

    /// Value in this plan; for an enumeration the index into choices().
    double value(const Plan &plan) const;
    QString text(double value) const;
    /// Text for an editor, which read() converts back to the same value.
    QString typed(double value) const;
    /// Empty if the text is not a value in range.
    std::optional<double> read(const QString &typed) const;

    QString source(const Plan &plan) const;
    /// Origin of the value in one or two words.
    QString origin(const Plan &plan) const;
    /// Whether the plan overrides the value of the registry, of its machine or of its software preset.
    bool isOverridden(const Plan &plan) const;
    /// Whether the value is changed by the plan, or by the constants fitted to measured runs of its machine.
    bool isChanged(const Plan &plan) const;
    /// Value without the plan's override.
    double shipped(const Plan &plan) const;
    /// Sets the value in the plan; without a value, removes the override. @pre in range
    PlanEdit edit(const PlanView &view, std::optional<double> value) const;
    Derivation derivation(const Plan &plan) const;

private:
    Assumption() = default;
    std::string constantPatch(std::optional<double> value) const;
    std::string fieldPatch(const PlanView &view, std::optional<double> value) const;
    std::shared_ptr<const Stack> preset(const Plan &plan) const;

    const Constant *m_constant = nullptr; ///< the constant; exactly one of this and m_field is set
    const StackField *m_field = nullptr;
};

/// Title of a constant: "Matrix efficiency FP8 Hopper" for "matrix-efficiency-fp8-hopper".
QString constantTitle(const Constant &constant);
/// A constant's value with its unit: "0.645", "40 µs", "34 bytes".
QString constantText(const Constant &constant, double value);
QString provenanceText(Provenance provenance);

} // namespace meshwright
