// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_derivation.h"

#include "figures/figure_ref.h"

#include <algorithm>

namespace meshwright {

namespace {

/// The cause, and its part, that a derivation named "cause.INDEX.PART" refers to.
struct NamedCause {
    const ComparedCause *cause = nullptr;
    std::size_t index = 0;
    QString part;
};

NamedCause causeNamed(const QString &name, const PlanComparison &comparison) {
    bool isNumber = false;
    const std::size_t index = name.section(QLatin1Char('.'), 1, 1).toULong(&isNumber);
    if (!name.startsWith(QLatin1String("cause.")) || !isNumber || index >= comparison.causes.size())
        return {};
    return {&comparison.causes[index], index, name.section(QLatin1Char('.'), 2)};
}

class CauseDerivations {
public:
    CauseDerivations(const NamedCause &named, const PlanComparison &comparison)
        : m_named(named)
        , m_cause(*named.cause) {
        const auto figure = std::find_if(comparison.figures.begin(), comparison.figures.end(),
                                         [this](const auto &each) { return each.path == m_cause.figure; });
        if (figure != comparison.figures.end())
            m_figure = &*figure;
    }

    std::optional<Derivation> make() const {
        if (m_figure == nullptr)
            return std::nullopt;
        if (m_named.part == QLatin1String("in_order"))
            return inOrder(name("in_order"));
        if (!m_cause.alone)
            return std::nullopt;
        if (m_named.part == QLatin1String("alone"))
            return alone(name("alone"));
        if (m_named.part == QLatin1String("interaction"))
            return derived(
                {name("interaction"), title("interaction of %s with the changes before it"), m_figure->quantity},
                *m_cause.interaction(), "in_order - alone", "definition", {inOrder("in_order"), alone("alone")});
        return std::nullopt;
    }

private:
    std::string name(const char *part) const { return "cause_" + std::to_string(m_named.index) + "_" + part; }
    std::string title(const char *pattern) const {
        return QString::asprintf(pattern, m_cause.title.c_str()).toStdString();
    }
    Derivation ofPlan(const char *part, const char *input, std::string described, double value) const {
        const QString plan = QStringLiteral("cause.%1.%2").arg(m_named.index).arg(QLatin1String(part));
        const FigureRef figure = FigureRef::ofPlan(QString::fromStdString(m_cause.figure), FigureView::compare, plan);
        return reference_to(referenceTo(figure), {input, std::move(described), m_figure->quantity}, value);
    }
    Derivation inOrder(std::string own) const {
        return derived({std::move(own), title("effect of %s on top of the preceding changes"), m_figure->quantity},
                       m_cause.in_order, "after - before", "two evaluations of the whole plan",
                       {ofPlan("after", "after", m_figure->title + " after the change", m_cause.after),
                        ofPlan("before", "before", m_figure->title + " with the preceding changes", m_cause.before)});
    }
    Derivation alone(std::string own) const {
        const double first = m_figure->values.front().value_or(0);
        return derived({std::move(own), title("effect of %s alone"), m_figure->quantity}, *m_cause.alone,
                       "changed - first", "two evaluations of the whole plan",
                       {ofPlan("changed", "changed", m_figure->title + " of plan A with this change alone",
                               first + *m_cause.alone),
                        ofPlan("first", "first", m_figure->title + " of plan A", first)});
    }

    const NamedCause &m_named;
    const ComparedCause &m_cause;
    const ComparedFigure *m_figure = nullptr;
};

} // namespace

std::optional<Derivation> causeDerivation(const QString &figure, const PlanComparison &comparison) {
    const NamedCause named = causeNamed(figure, comparison);
    return named.cause == nullptr ? std::nullopt : CauseDerivations(named, comparison).make();
}

std::optional<Plan> causePlan(const QString &name, const PlanComparison &comparison) {
    const NamedCause named = causeNamed(name, comparison);
    if (named.cause == nullptr)
        return std::nullopt;
    if (named.part == QLatin1String("first"))
        return comparison.results.front()->plan;
    const std::shared_ptr<const Plan> &plan = named.part == QLatin1String("before") ? named.cause->plan_before
        : named.part == QLatin1String("after")                                      ? named.cause->plan_after
        : named.part == QLatin1String("changed")                                    ? named.cause->plan_alone
                                                                                    : nullptr;
    return plan == nullptr ? std::nullopt : std::optional(*plan);
}

} // namespace meshwright
