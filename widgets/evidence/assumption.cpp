// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/assumption.h"

#include "catalog/library.h"
#include "figures/figure_text.h"
#include "views/plan_view.h"

#include <QCoreApplication>
#include <QLocale>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr auto constantPrefix = "/assumptions/";
constexpr auto fieldPrefix = "/stack/";

QString words(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString capitalised(QString text) {
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    return text;
}

QString say(const char *text) {
    return QCoreApplication::translate("Assumption", text);
}

/// Origin of a value, inferred from the first word of its source.
QString originOf(const QString &source) {
    if (source.startsWith(QStringLiteral("fitted")))
        return provenanceText(Provenance::fitted);
    if (source.isEmpty() || source.startsWith(QStringLiteral("assum")))
        return provenanceText(Provenance::assumed);
    return source.startsWith(QStringLiteral("published")) ? provenanceText(Provenance::published) : say("software");
}

} // namespace

QString constantTitle(const Constant &constant) {
    static const QStringList capitals{QStringLiteral("ampere"), QStringLiteral("hopper"), QStringLiteral("blackwell")};
    static const QStringList abbreviations{QStringLiteral("tpu"), QStringLiteral("ll")};
    QStringList parts = words(constant.name).split(QLatin1Char('-'));
    for (QString &part : parts) {
        const bool isName = std::any_of(part.cbegin(), part.cend(), [](QChar c) { return c.isDigit(); });
        if (isName || abbreviations.contains(part))
            part = part.toUpper();
        else if (capitals.contains(part) || &part == &parts.front())
            part[0] = part.at(0).toUpper();
    }
    return parts.join(QLatin1Char(' '));
}

QString constantText(const Constant &constant, double value) {
    if (constant.unit == "s")
        return figureText(value, Quantity::seconds);
    QString number = QString::number(value, 'g', 4);
    number.replace(QStringLiteral("e+"), QStringLiteral("e"));
    return constant.unit == "1" ? number : number + QLatin1Char(' ') + words(constant.unit);
}

QString provenanceText(Provenance provenance) {
    switch (provenance) {
    case Provenance::physics:
        return say("by definition");
    case Provenance::published:
        return say("published");
    case Provenance::fitted:
        return say("fitted");
    case Provenance::assumed:
        break;
    }
    return say("assumed");
}

int Assumption::count() {
    return static_cast<int>(constants().size() + stack_fields().size());
}

Assumption Assumption::at(int row) {
    Assumption one;
    const auto place = static_cast<std::size_t>(row);
    if (place < constants().size())
        one.m_constant = &constants().at(place);
    else
        one.m_field = &stack_fields().at(place - constants().size());
    return one;
}

int Assumption::rowOf(const QString &pointer) {
    if (pointer.startsWith(QLatin1String(constantPrefix))) {
        const Constant *const found = find_constant(pointer.mid(qstrlen(constantPrefix)).toStdString());
        return found == nullptr ? -1 : static_cast<int>(found - constants().data());
    }
    if (!pointer.startsWith(QLatin1String(fieldPrefix)))
        return -1;
    const StackField *const found = find_stack_field(pointer.mid(qstrlen(fieldPrefix)).toStdString());
    return found == nullptr ? -1
                            : static_cast<int>(constants().size()) + static_cast<int>(found - stack_fields().data());
}

QString Assumption::name() const {
    return words(m_constant != nullptr ? m_constant->name : m_field->key);
}

QString Assumption::pointer() const {
    return QLatin1String(m_constant != nullptr ? constantPrefix : fieldPrefix) + name();
}

QString Assumption::title() const {
    return m_constant != nullptr ? constantTitle(*m_constant)
                                 : say("Software: %1").arg(name().replace(QLatin1Char('_'), QLatin1Char(' ')));
}

QString Assumption::meaning() const {
    if (m_field != nullptr)
        return words(m_field->meaning);
    return capitalised(words(m_constant->meaning));
}

QString Assumption::rangeText() const {
    if (const QStringList all = choices(); !all.isEmpty())
        return all.size() == 2 ? all.join(say(" or ")) : say("%1 choices").arg(all.size());
    const Range range = m_constant != nullptr ? Range{m_constant->low, m_constant->high} : m_field->range;
    const QString low = text(range.low);
    const QString high = text(range.high);
    // Show the unit once if both ends of the range have the same unit.
    const bool isSame = range.low == 0 || low.section(QLatin1Char(' '), 1) == high.section(QLatin1Char(' '), 1);
    return QStringLiteral("%1 … %2").arg(isSame ? low.section(QLatin1Char(' '), 0, 0) : low, high);
}

QString Assumption::limits() const {
    if (const QStringList all = choices(); !all.isEmpty())
        return say("one of %1").arg(all.join(QStringLiteral(", ")));
    const Range range = m_constant != nullptr ? Range{m_constant->low, m_constant->high} : m_field->range;
    return say("between %1 and %2").arg(QString::number(range.low, 'g', 6), QString::number(range.high, 'g', 6));
}

QStringList Assumption::choices() const {
    QStringList all;
    if (m_field != nullptr)
        for (const std::string &word : m_field->words())
            all.push_back(QString::fromStdString(word));
    return all;
}

double Assumption::value(const Plan &plan) const {
    if (m_field != nullptr)
        return m_field->value(plan.stack);
    const auto own = plan.assumptions.find(std::string(m_constant->name));
    return own == plan.assumptions.end() ? m_constant->value : own->second;
}

QString Assumption::text(double value) const {
    if (m_constant != nullptr)
        return constantText(*m_constant, value);
    const QStringList all = choices();
    return all.isEmpty() ? figureText(value, m_field->quantity) : all.value(static_cast<int>(value));
}

QString Assumption::typed(double value) const {
    const QStringList all = choices();
    return all.isEmpty() ? QString::number(value, 'g', 12) : all.value(static_cast<int>(value));
}

std::optional<double> Assumption::read(const QString &typed) const {
    const QString trimmed = typed.trimmed();
    if (const QStringList all = choices(); !all.isEmpty()) {
        const auto place = all.indexOf(trimmed);
        return place < 0 ? std::nullopt : std::optional(static_cast<double>(place));
    }
    const bool isTime = m_constant != nullptr && m_constant->unit == "s";
    const Quantity quantity = m_field != nullptr ? m_field->quantity : isTime ? Quantity::seconds : Quantity::number;
    const std::optional<double> number = quantity_from(trimmed.toStdString(), quantity);
    const Range range = m_constant != nullptr ? Range{m_constant->low, m_constant->high} : m_field->range;
    const bool isIn = number && std::isfinite(*number) && *number >= range.low && *number <= range.high;
    return isIn ? number : std::nullopt;
}

QString Assumption::source(const Plan &plan) const {
    if (m_constant != nullptr) {
        const QString source = capitalised(words(m_constant->source));
        const QString from = capitalised(provenanceText(m_constant->provenance));
        return source.startsWith(from) ? source : QStringLiteral("%1. %2").arg(from, source);
    }
    const std::string *const found = plan.stack.sources.find(std::string(m_field->key));
    const QString software = QString::fromStdString(plan.stack.name);
    return found == nullptr ? say("%1 does not specify this value; the default for all software applies").arg(software)
                            : QStringLiteral("%1: %2").arg(software, QString::fromStdString(*found));
}

QString Assumption::origin(const Plan &plan) const {
    if (isOverridden(plan))
        return say("this plan");
    if (m_constant != nullptr)
        return isChanged(plan) ? say("this machine") : provenanceText(m_constant->provenance);
    const std::string *const found = plan.stack.sources.find(std::string(m_field->key));
    return originOf(found == nullptr ? QString() : QString::fromStdString(*found));
}

std::shared_ptr<const Stack> Assumption::preset(const Plan &plan) const {
    const Library &library = Library::standard();
    return library.find(PresetKind::stack, plan.stack.id) ? library.stack(plan.stack.id) : nullptr;
}

bool Assumption::isOverridden(const Plan &plan) const {
    if (m_constant != nullptr)
        return plan.own_assumptions().contains(std::string(m_constant->name));
    if (!plan.stack_id.empty()) // the plan uses an unchanged software preset
        return false;
    const std::shared_ptr<const Stack> shipped = preset(plan);
    return shipped != nullptr && m_field->value(*shipped) != m_field->value(plan.stack);
}

bool Assumption::isChanged(const Plan &plan) const {
    return m_constant != nullptr ? plan.assumptions.contains(std::string(m_constant->name)) : isOverridden(plan);
}

double Assumption::shipped(const Plan &plan) const {
    if (m_constant != nullptr) {
        const MeasuredConstants machine = measured_constants(plan.cluster);
        const auto own = machine.find(std::string(m_constant->name));
        return own == machine.end() ? m_constant->value : own->second;
    }
    const std::shared_ptr<const Stack> shipped = preset(plan);
    return m_field->value(shipped == nullptr ? plan.stack : *shipped);
}

PlanEdit Assumption::edit(const PlanView &view, std::optional<double> value) const {
    return {.field = pointer(),
            .subject = title(),
            .from = text(this->value(view.plan)),
            .to = text(value.value_or(shipped(view.plan))),
            .patch = m_constant != nullptr ? constantPatch(value) : fieldPatch(view, value)};
}

std::string Assumption::constantPatch(std::optional<double> value) const {
    using nlohmann::ordered_json;
    return ordered_json{
        {"assumptions", {{std::string(m_constant->name), value ? ordered_json(*value) : ordered_json()}}}}
        .dump();
}

/// If all fields have the preset's values again, the plan refers to the preset by its id.
std::string Assumption::fieldPatch(const PlanView &view, std::optional<double> value) const {
    Stack stack = view.plan.stack;
    m_field->set(stack, value.value_or(shipped(view.plan)));
    const std::shared_ptr<const Stack> own = preset(view.plan);
    using nlohmann::ordered_json;
    return patchReplacing(view, "stack", own != nullptr && stack == *own ? ordered_json(stack.id) : to_json(stack));
}

Derivation Assumption::derivation(const Plan &plan) const {
    if (m_constant != nullptr)
        return constant_value(m_constant->id, Assumptions(plan.assumptions));
    return software_fact({std::string(m_field->key), std::string(m_field->meaning), m_field->quantity}, value(plan),
                         source(plan).toStdString(), pointer().toStdString());
}

} // namespace meshwright
