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

/// One assumption that the model stands on, as a plan takes it: a constant of the registry, or a field of the training
/// software. A handle; what it says of a plan is read from that plan.
class Assumption {
public:
    /// The registry's constants, then the software's fields.
    static int count();
    static Assumption at(int row);
    /// The row of "/assumptions/…" or "/stack/…"; -1 for none.
    static int rowOf(const QString &pointer);

    bool isOfSoftware() const { return m_field != nullptr; }
    QString name() const; ///< as plans spell it
    QString pointer() const; ///< of the plan's field
    QString title() const;
    QString meaning() const;
    QString rangeText() const;
    /// What may be typed, for messages: "between 0 and 1".
    QString limits() const;
    /// The words that it may hold; none for a number.
    QStringList choices() const;

    /// A word as its place among the choices.
    double value(const Plan &plan) const;
    QString text(double value) const;
    /// For an editing field; read() gives the same value.
    QString typed(double value) const;
    /// Nothing if it is not a value in range.
    std::optional<double> read(const QString &typed) const;

    QString source(const Plan &plan) const;
    /// Where the value comes from, in a word or two.
    QString origin(const Plan &plan) const;
    /// Whether the plan sets it otherwise than the registry, its machine or the preset of its software.
    bool isOverridden(const Plan &plan) const;
    /// The same, or by measured runs of its machine.
    bool isChanged(const Plan &plan) const;
    /// What it is without that.
    double shipped(const Plan &plan) const;
    /// Sets it in the plan, or takes the plan's own value back. @pre in range
    PlanEdit edit(const PlanView &view, std::optional<double> value) const;
    /// How the value comes about.
    Derivation derivation(const Plan &plan) const;

private:
    Assumption() = default;
    std::string constantPatch(std::optional<double> value) const;
    std::string fieldPatch(const PlanView &view, std::optional<double> value) const;
    std::shared_ptr<const Stack> preset(const Plan &plan) const;

    const Constant *m_constant = nullptr; ///< or
    const StackField *m_field = nullptr;
};

/// "Matrix efficiency FP8 Hopper" of "matrix-efficiency-fp8-hopper".
QString constantTitle(const Constant &constant);
/// A constant's value with its unit: "0.645", "40 µs", "34 bytes".
QString constantText(const Constant &constant, double value);
QString provenanceText(Provenance provenance);

} // namespace meshwright
