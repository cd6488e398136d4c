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

/// Views that provide figures or plans in addition to those of the current plan.
enum class FigureView { search, evidence, memory, sites, sliders, start, compare };

// The compiler's default comparisons contain a 0 that clang-tidy mistakes for a null pointer.
// NOLINTBEGIN(modernize-use-nullptr)

namespace scope {

/// The result of the current plan.
struct Result {
    std::strong_ordering operator<=>(const Result &) const = default;
};
/// The plan as opened. The prefixes "gain_" and "gain_share_" of a figure's name mean the figure's change since then.
struct Opened {
    std::strong_ordering operator<=>(const Opened &) const = default;
};
/// The simulated runs of the sites.
struct Sites {
    std::strong_ordering operator<=>(const Sites &) const = default;
};
/// The plan's pipeline executed with another schedule, given by name.
struct Schedule {
    QString name;
    std::strong_ordering operator<=>(const Schedule &) const = default;
};
/// A change of the plan as a JSON merge patch. The figure is the gain, or with the prefix "changed_" the value after
/// the change.
struct Change {
    QString patch;
    std::strong_ordering operator<=>(const Change &) const = default;
};
/// A number that a view has counted or measured itself. It is not part of any plan's result.
struct Count {
    FigureView view = FigureView::search;
    std::strong_ordering operator<=>(const Count &) const = default;
};
/// A plan that a view shows in addition to the current one, identified by the view's name for it.
struct ViewPlan {
    FigureView view = FigureView::search;
    QString name;
    std::strong_ordering operator<=>(const ViewPlan &) const = default;
};

/// The figure inside a scope. It is stored in a shared pointer, because the types are recursive.
class Of {
public:
    Of(const FigureRef &figure); // NOLINT(google-explicit-constructor): a figure is a valid Of
    const FigureRef &operator*() const { return *m_figure; }
    bool operator==(const Of &other) const;
    std::strong_ordering operator<=>(const Of &other) const;

private:
    std::shared_ptr<const FigureRef> m_figure;
};
/// The effect of an input on a figure, from complete evaluations of the plan.
struct Variation {
    QString pointer; ///< JSON pointer of the input
    QString from; ///< "8"
    QString to;
    Of figure;
    std::strong_ordering operator<=>(const Variation &) const = default;
};
/// The effect on a figure of a 10% increase of one node in its derivation, calculated from formulas alone.
struct Growth {
    QStringList nodes; ///< names from the figure down to the node
    bool everywhere = false; ///< whether the increase applies to all nodes of the same quantity
    Of figure;
    std::strong_ordering operator<=>(const Growth &) const = default;
};

} // namespace scope

using FigureScope = std::variant<scope::Result, scope::Opened, scope::Sites, scope::Schedule, scope::Change,
                                 scope::Count, scope::ViewPlan, scope::Variation, scope::Growth>;

/// Identifies a figure that a widget shows: its path in a result's JSON ("step.seconds") or the name of a derivation
/// node, and its scope. Empty for no figure.
class FigureRef {
public:
    FigureRef() = default;
    FigureRef(QString name, FigureScope of = scope::Result()); // NOLINT(google-explicit-constructor): a name is enough
    FigureRef(QLatin1String name); // NOLINT(google-explicit-constructor): a name is enough
    FigureRef(const char *name); // NOLINT(google-explicit-constructor): a name is enough
    static FigureRef ofView(const QString &name, FigureView view) { return {name, scope::Count{view}}; }
    static FigureRef ofPlan(const QString &name, FigureView view, const QString &plan) {
        return {name, scope::ViewPlan{view, plan}};
    }
    /// The value of a figure in the current plan with a merge patch applied.
    static FigureRef ofChanged(const QString &name, const QString &patch);
    /// The change of a figure due to a merge patch.
    static FigureRef gainOf(const QString &name, const QString &patch) { return {name, scope::Change{patch}}; }
    /// The change due to a merge patch, as a fraction of the value before the change.
    static FigureRef shareGained(const QString &name, const QString &patch);

    static FigureRef effectOf(scope::Growth growth) { return {QStringLiteral("effect"), std::move(growth)}; }

    const QString &name() const { return m_name; }
    const FigureScope &scope() const { return m_scope; }
    bool isEmpty() const { return m_name.isEmpty(); }
    template <typename Scope>
    const Scope *of() const {
        return std::get_if<Scope>(&m_scope);
    }
    FigureRef named(const QString &name) const { return {name, m_scope}; }
    /// Whether the figure is a value after a change ("changed_"), not a gain.
    bool isOfChanged() const;

    bool operator==(const FigureRef &) const = default;
    std::strong_ordering operator<=>(const FigureRef &) const = default;

private:
    QString m_name;
    FigureScope m_scope;
};
// NOLINTEND(modernize-use-nullptr)

/// The figure inside all variations and increases; `figure` itself if there are none.
const FigureRef &innermost(const FigureRef &figure);
/// Whether the figure depends only on fields of the current plan.
bool isOfPresentPlan(const FigureRef &figure);
/// Whether the figure's derivation refers to other figures of the same result by name.
bool refersWithin(const FigureRef &figure);

/// Encodes a figure of the plan, of a changed plan or of a view as a single name, for references in a view's
/// derivation.
std::string referenceTo(const FigureRef &figure);
/// The figure to which a node's name or reference refers within the derivation of `figure`.
FigureRef referredFrom(const FigureRef &figure, const std::string &reference);

/// A field of the current plan, by its JSON pointer.
struct PlanField {
    explicit PlanField(QString place)
        : pointer(std::move(place)) { }
    explicit PlanField(const char *place)
        : pointer(QLatin1String(place)) { }
    QString pointer;
    bool operator==(const PlanField &) const = default;
};
struct TermRef {
    explicit TermRef(QString term)
        : id(std::move(term)) { }
    QString id;
    bool operator==(const TermRef &) const = default;
};
/// Target of a clickable place in a widget: a figure's derivation, a plan field, or the definition of a term.
using FigureTarget = std::variant<FigureRef, PlanField, TermRef>;
inline bool opens(const FigureTarget &target) {
    const auto *const figure = std::get_if<FigureRef>(&target);
    return figure == nullptr || !figure->isEmpty();
}
/// The figure of a target; empty for a plan field and a term.
inline FigureRef figureOf(const FigureTarget &target) {
    const auto *const figure = std::get_if<FigureRef>(&target);
    return figure != nullptr ? *figure : FigureRef();
}

} // namespace meshwright

Q_DECLARE_METATYPE(meshwright::FigureRef)
