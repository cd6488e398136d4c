// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/formula_syntax.h"

namespace meshwright {

namespace {

using Form = FormulaPart::Kind;
using Node = Expression::Kind;

constexpr int choiceBinding = 0;
constexpr int comparisonBinding = 3;
constexpr int negationBinding = 6;
constexpr int atomBinding = 8;

QString asQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A unit that only gives a constant its dimension: the 1 byte in "2 * index * 1 byte".
bool isUnit(const Expression &expression) {
    return expression.kind() == Node::number && expression.number() == 1 && expression.quantity() != Quantity::number;
}

FormulaPart numberPart(const Expression &expression) {
    const QString text = asQString(expression.text());
    const qsizetype bar = text.indexOf(QStringLiteral(" / ")); // "1 / 6", "1 / 0"
    if (bar >= 0)
        return {Form::Operation,
                QStringLiteral("/"),
                {{Form::Number, text.left(bar), {}}, {Form::Number, text.mid(bar + 3), {}}}};
    if (text.startsWith(QLatin1Char('-')))
        return {Form::Negation, {}, {{Form::Number, text.mid(1), {}}}};
    return {Form::Number, text, {}};
}

Form formOf(Node kind) {
    switch (kind) {
    case Node::number:
        return Form::Number;
    case Node::negation:
        return Form::Negation;
    case Node::operation:
        return Form::Operation;
    case Node::call:
        return Form::Call;
    case Node::choice:
        return Form::Choice;
    case Node::name:
    case Node::opaque:
        break;
    }
    return Form::Name;
}

} // namespace

FormulaPart formulaPartOf(const Expression &expression) {
    if (expression.kind() == Node::number)
        return numberPart(expression);
    if (expression.kind() == Node::operation && isUnit(expression.parts()[1]))
        return formulaPartOf(expression.parts()[0]);
    FormulaPart part{formOf(expression.kind()), asQString(expression.text()), {}};
    for (const Expression &one : expression.parts())
        part.parts.push_back(formulaPartOf(one));
    return part;
}

std::optional<FormulaPart> readFormula(const QString &text) {
    const std::optional<Expression> expression = parse_expression(text.toStdString());
    return expression ? std::optional(formulaPartOf(*expression)) : std::nullopt;
}

QString symbolLetter(const QString &name, const Formula &formula) {
    const Symbol *const symbol = formula.find_symbol(name.toStdString());
    return symbol != nullptr ? QString::fromUtf8(symbol->letter.data(), static_cast<qsizetype>(symbol->letter.size()))
                             : name;
}

FormulaPart renamed(FormulaPart part, const std::function<QString(const QString &)> &rename) {
    if (part.kind == Form::Name)
        part.text = rename(part.text);
    for (FormulaPart &each : part.parts)
        each = renamed(std::move(each), rename);
    return part;
}

int bindingOf(const FormulaPart &part) {
    switch (part.kind) {
    case Form::Choice:
        return choiceBinding;
    case Form::Negation:
        return negationBinding;
    case Form::Operation:
        switch (part.text.front().toLatin1()) {
        case '|':
            return 1;
        case '&':
            return 2;
        case '+':
        case '-':
            return SumBinding;
        case '*':
        case '/':
            return ProductBinding;
        case '^':
            return PowerBinding;
        default:
            return comparisonBinding;
        }
    case Form::Number:
    case Form::Name:
    case Form::Call:
        break;
    }
    return atomBinding;
}

QString limitOf(const FormulaPart &part) {
    const auto isNothing = [](const FormulaPart &one) { return one.kind == Form::Number && one.text.toDouble() == 0; };
    if (part.kind != Form::Operation || part.text != QLatin1String("/") || !isNothing(part.parts[1]))
        return {};
    return isNothing(part.parts[0]) ? QStringLiteral("undefined") : QStringLiteral("∞");
}

NameParts namePartsOf(const QString &name) {
    if (name == QLatin1String("_pi"))
        return {QStringLiteral("π"), {}};
    const qsizetype line = name.indexOf(QLatin1Char('_'), 1);
    if (line < 0)
        return {name, {}};
    QString words = name.mid(line + 1);
    return {name.left(line), words.replace(QLatin1Char('_'), QLatin1Char(' '))};
}

} // namespace meshwright
