// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <compare>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace meshwright {

class FigureRef;

/// Views that have figures or plans of their own.
enum class FigureView { search, evidence, memory, sites, sliders, start };

// The comparisons that the compiler writes hold a 0 that the check takes for a pointer.
// NOLINTBEGIN(modernize-use-nullptr)

/// What a figure is a figure of.
namespace scope {

/// The plan's own result.
struct Result {
    std::strong_ordering operator<=>(const Result &) const = default;
};
/// The plan as it was opened; "gain_" and "gain_share_" before the figure's name are what has changed since.
struct Opened {
    std::strong_ordering operator<=>(const Opened &) const = default;
};
/// The runs that were simulated of the sites.
struct Sites {
    std::strong_ordering operator<=>(const Sites &) const = default;
};
/// A schedule by name, which the plan's pipeline is executed with.
struct Schedule {
    QString name;
    std::strong_ordering operator<=>(const Schedule &) const = default;
};
/// A change of the plan as a JSON merge patch: the figure's own change is meant, or with "changed_" before its name
/// what it comes to.
struct Change {
    QString patch;
    std::strong_ordering operator<=>(const Change &) const = default;
};
/// What a view itself has counted or measured.
struct Count {
    FigureView view = FigureView::search;
    std::strong_ordering operator<=>(const Count &) const = default;
};
/// A plan that a view knows beside the present one, by the view's name for it.
struct ViewPlan {
    FigureView view = FigureView::search;
    QString name;
    std::strong_ordering operator<=>(const ViewPlan &) const = default;
};

/// The figure that something is done to.
class Of {
public:
    Of(const FigureRef &figure); // NOLINT(google-explicit-constructor): it is that figure
    const FigureRef &operator*() const { return *m_figure; }
    bool operator==(const Of &other) const;
    std::strong_ordering operator<=>(const Of &other) const;

private:
    std::shared_ptr<const FigureRef> m_figure;
};
/// How much a figure changes with an input, by whole evaluations of its plan.
struct Variation {
    QString pointer; ///< JSON pointer of the input
    QString from; ///< "8"
    QString to;
    Of figure;
    std::strong_ordering operator<=>(const Variation &) const = default;
};
/// How much a figure changes where one of its nodes is 10 % larger, by its formulas alone.
struct Growth {
    QStringList nodes; ///< names from the figure down to the node
    bool everywhere = false; ///< also at the other places where the same quantity stands
    Of figure;
    std::strong_ordering operator<=>(const Growth &) const = default;
};

} // namespace scope

using FigureScope = std::variant<scope::Result, scope::Opened, scope::Sites, scope::Schedule, scope::Change,
                                 scope::Count, scope::ViewPlan, scope::Variation, scope::Growth>;

/// Names a figure that a widget shows: its path in a result's JSON ("step.seconds") or the name of a node, and what it
/// is a figure of. Empty where there is none.
class FigureRef {
public:
    FigureRef() = default;
    FigureRef(QString name, FigureScope of = scope::Result()); // NOLINT(google-explicit-constructor): of the result
    FigureRef(QLatin1String name); // NOLINT(google-explicit-constructor): of the result
    FigureRef(const char *name); // NOLINT(google-explicit-constructor): of the result
    static FigureRef ofView(const QString &name, FigureView view) { return {name, scope::Count{view}}; }
    static FigureRef ofPlan(const QString &name, FigureView view, const QString &plan) {
        return {name, scope::ViewPlan{view, plan}};
    }
    /// What a figure comes to in the plan that a merge patch makes of the present one.
    static FigureRef ofChanged(const QString &name, const QString &patch);
    /// What it gains by that.
    static FigureRef gainOf(const QString &name, const QString &patch) { return {name, scope::Change{patch}}; }
    /// The same as a share of what it was.
    static FigureRef shareGained(const QString &name, const QString &patch);

    /// How much a figure changes where a part of it grows.
    static FigureRef effectOf(scope::Growth growth) { return {QStringLiteral("effect"), std::move(growth)}; }

    const QString &name() const { return m_name; }
    const FigureScope &scope() const { return m_scope; }
    bool isEmpty() const { return m_name.isEmpty(); }
    template <typename Scope>
    const Scope *of() const {
        return std::get_if<Scope>(&m_scope);
    }
    /// Another figure of the same.
    FigureRef named(const QString &name) const { return {name, m_scope}; }
    /// Whether it is a figure of a plan after its change, not what it gains.
    bool isOfChanged() const;

    bool operator==(const FigureRef &) const = default;
    std::strong_ordering operator<=>(const FigureRef &) const = default;

private:
    QString m_name;
    FigureScope m_scope;
};
// NOLINTEND(modernize-use-nullptr)

/// What is varied or grown in the end; the figure itself where that is nothing.
const FigureRef &innermost(const FigureRef &figure);
/// Whether all plan fields that it goes back to are those of the plan that is shown.
bool isOfPresentPlan(const FigureRef &figure);
/// Whether its derivation refers to figures of its own tree by name, not to figures of others.
bool refersWithin(const FigureRef &figure);

/// How a view's derivation refers to a figure of the plan, of a changed one, of a plan that a view knows, or to another
/// count, where a derivation holds but a name.
std::string referenceTo(const FigureRef &figure);
/// What the derivation of a figure refers to by the name or reference of one of its nodes.
FigureRef referredFrom(const FigureRef &figure, const std::string &reference);

/// A field of the plan that is shown, by its JSON pointer.
struct PlanField {
    explicit PlanField(QString place)
        : pointer(std::move(place)) { }
    explicit PlanField(const char *place)
        : pointer(QLatin1String(place)) { }
    QString pointer;
    bool operator==(const PlanField &) const = default;
};
/// What a place opens: how a figure comes about, or the field that it is.
using FigureTarget = std::variant<FigureRef, PlanField>;
/// Whether there is anything to open.
inline bool opens(const FigureTarget &target) {
    const auto *const figure = std::get_if<FigureRef>(&target);
    return figure == nullptr || !figure->isEmpty();
}
/// Empty for a field.
inline FigureRef figureOf(const FigureTarget &target) {
    const auto *const figure = std::get_if<FigureRef>(&target);
    return figure != nullptr ? *figure : FigureRef();
}

} // namespace meshwright

Q_DECLARE_METATYPE(meshwright::FigureRef)
