// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/formula_latex.h"

#include <QHash>
#include <QRegularExpression>

namespace meshwright {

namespace {

using Form = FormulaPart::Kind;

QString braced(const QString &text) {
    return QLatin1Char('{') + text + QLatin1Char('}');
}

QString bracketed(const QString &text) {
    return QStringLiteral("\\left(") + text + QStringLiteral("\\right)");
}

QString functionOf(const QString &name) {
    static const QHash<QString, QString> known{
        {QStringLiteral("max"), QStringLiteral("\\max")},    {QStringLiteral("min"), QStringLiteral("\\min")},
        {QStringLiteral("log2"), QStringLiteral("\\log_2")}, {QStringLiteral("log10"), QStringLiteral("\\log_{10}")},
        {QStringLiteral("ln"), QStringLiteral("\\ln")},      {QStringLiteral("log"), QStringLiteral("\\ln")},
        {QStringLiteral("exp"), QStringLiteral("\\exp")},    {QStringLiteral("cos"), QStringLiteral("\\cos")},
        {QStringLiteral("sin"), QStringLiteral("\\sin")}};
    return known.contains(name) ? known.value(name) : QStringLiteral("\\operatorname{%1}").arg(latexWords(name));
}

QString operatorOf(const QString &symbol) {
    static const QHash<QString, QString> known{
        {QStringLiteral("*"), QStringLiteral(" \\cdot ")}, {QStringLiteral("<="), QStringLiteral(" \\le ")},
        {QStringLiteral(">="), QStringLiteral(" \\ge ")},  {QStringLiteral("=="), QStringLiteral(" = ")},
        {QStringLiteral("!="), QStringLiteral(" \\ne ")},  {QStringLiteral("&&"), QStringLiteral(" \\land ")},
        {QStringLiteral("||"), QStringLiteral(" \\lor ")}};
    return known.value(symbol, QLatin1Char(' ') + symbol + QLatin1Char(' '));
}

QString call(const FormulaPart &part, const LatexNames &names) {
    QStringList arguments;
    for (const FormulaPart &argument : part.parts)
        arguments << latexOf(argument, names);
    const QString all = arguments.join(QStringLiteral(", "));
    if (part.text == QLatin1String("sqrt"))
        return QStringLiteral("\\sqrt") + braced(all);
    if (part.text == QLatin1String("ceil"))
        return QStringLiteral("\\left\\lceil %1\\right\\rceil").arg(all);
    if (part.text == QLatin1String("floor"))
        return QStringLiteral("\\left\\lfloor %1\\right\\rfloor").arg(all);
    if (part.text == QLatin1String("abs"))
        return QStringLiteral("\\left|%1\\right|").arg(all);
    return functionOf(part.text) + bracketed(all);
}

QString operation(const FormulaPart &part, const LatexNames &names) {
    const FormulaPart &left = part.parts[0];
    const FormulaPart &right = part.parts[1];
    if (const QString limit = limitOf(part); !limit.isEmpty())
        return limit.size() == 1 ? QStringLiteral("\\infty") : QStringLiteral("\\text") + braced(limit);
    if (part.text == QLatin1String("/"))
        return QStringLiteral("\\frac") + braced(latexOf(left, names)) + braced(latexOf(right, names));
    const int binding = bindingOf(part);
    const QString first = latexOf(left, names);
    const QString second = latexOf(right, names);
    if (part.text == QLatin1String("^")) {
        // A number with a unit in place of a name needs brackets.
        const bool single = bindingOf(left) > binding && !first.contains(QLatin1Char(' '));
        return (single ? first : bracketed(first)) + QLatin1Char('^') + braced(second);
    }
    const bool takesOff = part.text == QLatin1String("-");
    const bool fraction = right.kind == Form::Operation && right.text == QLatin1String("/");
    const bool brackets = bindingOf(right) < binding || (bindingOf(right) == binding && (takesOff || !fraction));
    const bool plainSum = part.text == QLatin1String("+") && bindingOf(right) == binding;
    return (bindingOf(left) < binding ? bracketed(first) : first) + operatorOf(part.text)
        + (brackets && !plainSum ? bracketed(second) : second);
}

} // namespace

QString latexWords(const QString &words) {
    QString text = words;
    text.replace(QLatin1Char('\\'), QStringLiteral("\\textbackslash "));
    for (const char special : {'_', '%', '&', '#', '$', '{', '}'})
        text.replace(QLatin1Char(special), QLatin1Char('\\') + QLatin1Char(special));
    return text;
}

QString latexName(const QString &name) {
    if (name == QLatin1String("_pi"))
        return QStringLiteral("\\pi");
    const NameParts parts = namePartsOf(name);
    const QString letter =
        parts.letter.size() == 1 ? parts.letter : QStringLiteral("\\mathit") + braced(latexWords(parts.letter));
    return parts.subscript.isEmpty()
        ? letter
        : letter + QStringLiteral("_{\\text{") + latexWords(parts.subscript) + QStringLiteral("}}");
}

QString latexValue(const QString &text) {
    // "$25.3M", "12T", "31.7%", "23.0 s"; "n/a" and "infinite" stay in one piece.
    static const QRegularExpression value(QStringLiteral("^([-\u2212]?)(\\$?)([0-9.,]+(?:e-?[0-9]+)?)( ?)(.*)$"));
    const QRegularExpressionMatch match = value.match(text);
    if (!match.hasMatch())
        return text;
    QString number =
        match.captured(1) + (match.capturedLength(2) > 0 ? QStringLiteral("\\$") : QString()) + match.captured(3);
    number.replace(QChar(0x2212), QLatin1Char('-')).replace(QLatin1Char(','), QStringLiteral("{,}"));
    if (const qsizetype e = number.indexOf(QLatin1Char('e')); e > 0)
        number = number.left(e) + QStringLiteral(" \\cdot 10^")
            + braced(QString::number(QStringView(number).mid(e + 1).toInt()));
    if (match.capturedLength(5) == 0)
        return number;
    const QString gap = match.capturedLength(4) > 0 ? QStringLiteral("\\,") : QString();
    return number + gap + QStringLiteral("\\text") + braced(latexWords(match.captured(5)));
}

QString latexOf(const FormulaPart &part, const LatexNames &names) {
    switch (part.kind) {
    case Form::Number:
        return latexValue(part.text);
    case Form::Name: {
        const QString stands = names ? names(part.text) : QString();
        return stands.isEmpty() ? latexName(part.text) : stands;
    }
    case Form::Negation: {
        const QString inside = latexOf(part.parts[0], names);
        return QLatin1Char('-') + (bindingOf(part.parts[0]) < ProductBinding ? bracketed(inside) : inside);
    }
    case Form::Call:
        return call(part, names);
    case Form::Choice:
        return QStringLiteral("\\begin{cases}%1 & \\text{if } %2 \\\\ %3 & \\text{otherwise}\\end{cases}")
            .arg(latexOf(part.parts[1], names), latexOf(part.parts[0], names), latexOf(part.parts[2], names));
    case Form::Operation:
        break;
    }
    return operation(part, names);
}

} // namespace meshwright
