// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_ref.h"

#include <array>

namespace meshwright {

namespace {

constexpr QLatin1String changed("changed_"); ///< prefix for figures of a changed plan; see explain_change()
constexpr QLatin1Char separator('@');
constexpr QLatin1Char count('#');
constexpr QLatin1Char plan('%');
constexpr QLatin1Char between('/');
constexpr std::array<QLatin1String, 7> viewNames{
    QLatin1String("search"),  QLatin1String("evidence"), QLatin1String("memory"), QLatin1String("sites"),
    QLatin1String("sliders"), QLatin1String("start"),    QLatin1String("compare")};

QString textOf(FigureView view) {
    return viewNames.at(static_cast<std::size_t>(view));
}
FigureView viewOf(const QString &text) {
    return static_cast<FigureView>(std::find(viewNames.begin(), viewNames.end(), text) - viewNames.begin());
}

/// Parses a reference written by referenceTo().
FigureRef fromReference(const std::string &reference) {
    const QString text = QString::fromStdString(reference);
    const QString name = text.section(separator, 0, 0);
    const QString of = text.section(separator, 1);
    if (of.isEmpty())
        return name;
    if (of.startsWith(count))
        return FigureRef::ofView(name, viewOf(of.mid(1)));
    if (of.startsWith(plan))
        return FigureRef::ofPlan(name, viewOf(of.mid(1).section(between, 0, 0)), of.section(between, 1));
    return {name, scope::Change{of}};
}

} // namespace

std::string referenceTo(const FigureRef &figure) {
    QString text = figure.name();
    if (const auto *const change = figure.of<scope::Change>())
        text += separator + change->patch;
    else if (const auto *const counted = figure.of<scope::Count>())
        text += separator + count + textOf(counted->view);
    else if (const auto *const known = figure.of<scope::ViewPlan>())
        text += separator + plan + textOf(known->view) + between + known->name;
    return text.toStdString();
}

namespace scope {

Of::Of(const FigureRef &figure)
    : m_figure(std::make_shared<const FigureRef>(figure)) { }

bool Of::operator==(const Of &other) const {
    return *m_figure == *other.m_figure;
}
std::strong_ordering Of::operator<=>(const Of &other) const {
    return *m_figure <=> *other.m_figure;
}

} // namespace scope

FigureRef::FigureRef(QString name, FigureScope of)
    : m_name(std::move(name))
    , m_scope(std::move(of)) { }
FigureRef::FigureRef(QLatin1String name)
    : m_name(name) { }
FigureRef::FigureRef(const char *name)
    : m_name(QLatin1String(name)) { }

FigureRef FigureRef::ofChanged(const QString &name, const QString &patch) {
    return {changed + name, scope::Change{patch}};
}
FigureRef FigureRef::shareGained(const QString &name, const QString &patch) {
    return {QLatin1String("gain_share_") + name, scope::Change{patch}};
}

bool FigureRef::isOfChanged() const {
    return m_name.startsWith(changed);
}

const FigureRef &innermost(const FigureRef &figure) {
    if (const auto *const varied = figure.of<scope::Variation>())
        return innermost(*varied->figure);
    if (const auto *const grown = figure.of<scope::Growth>())
        return innermost(*grown->figure);
    return figure;
}

bool isOfPresentPlan(const FigureRef &figure) {
    const FigureScope &scope = innermost(figure).scope();
    return std::holds_alternative<scope::Result>(scope) || std::holds_alternative<scope::Sites>(scope)
        || std::holds_alternative<scope::Count>(scope);
}

bool refersWithin(const FigureRef &figure) {
    return !figure.of<scope::Count>() && !figure.of<scope::Growth>();
}

FigureRef referredFrom(const FigureRef &figure, const std::string &reference) {
    if (const auto *const grown = figure.of<scope::Growth>())
        return referredFrom(*grown->figure, reference);
    if (figure.of<scope::Count>())
        return fromReference(reference);
    const FigureRef named = figure.named(QString::fromStdString(reference));
    // Names without "changed_" refer to the plan before the change.
    return figure.of<scope::Change>() && !named.isOfChanged() ? FigureRef(named.name()) : named;
}

} // namespace meshwright
