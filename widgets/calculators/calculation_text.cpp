// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/calculation_text.h"

#include "explain/formula_latex.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>
#include <QStringList>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("CalculationWords", text);
}

QString qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// An argument as text: "8", "2 GB", or "1, 5, 9" for a list. Empty if the argument was omitted.
QString argumentText(const Calculation &calculation, const Symbol &symbol) {
    if (const auto list = calculation.lists.find(symbol.name); list != calculation.lists.end()) {
        QStringList values;
        for (const double value : list->second)
            values << QString::fromStdString(value_text(value, symbol));
        return values.join(QStringLiteral(", "));
    }
    const auto value = calculation.arguments.find(symbol.name);
    return value != calculation.arguments.end() ? QString::fromStdString(value_text(value->second, symbol)) : QString();
}

QStringList closing(const Formula &formula) {
    QStringList lines{tr("Source: %1").arg(qt(formula.source))};
    if (!formula.notes.empty())
        lines << tr("Note: %1").arg(qt(formula.notes));
    return lines;
}

QString asText(const Calculation &calculation) {
    const Formula &formula = *calculation.formula;
    QStringList lines{qt(formula.title)};
    for (const Calculation::Value &value : calculation.values)
        lines << tr("%1, %2: %3").arg(qt(value.result->name), qt(value.result->meaning), valueTextOf(value))
              << QStringLiteral("  = ") + QString::fromStdString(formula_text(*value.result))
              << QStringLiteral("  = ") + QString::fromStdString(value.substituted);
    for (const Symbol &symbol : formula.symbols)
        if (const QString text = argumentText(calculation, symbol); !text.isEmpty())
            lines << tr("  %1: %2, %3").arg(qt(symbol.name), qt(symbol.meaning), text);
    return (lines + closing(formula)).join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString cell(QString text) {
    return text.replace(QLatin1Char('|'), QStringLiteral("\\|"));
}

QString asMarkdown(const Calculation &calculation) {
    const Formula &formula = *calculation.formula;
    QStringList lines{QStringLiteral("### ") + qt(formula.title), {}};
    for (const Calculation::Value &value : calculation.values)
        lines << QStringLiteral("**%1: %2**").arg(qt(value.result->meaning), valueTextOf(value)) << QString()
              << QStringLiteral("```")
              << qt(value.result->name) + QStringLiteral(" = ") + QString::fromStdString(formula_text(*value.result))
              << QStringLiteral("= ") + QString::fromStdString(value.substituted) << QStringLiteral("```") << QString();
    lines << tr("| Symbol | Quantity | Value |") << QStringLiteral("|---|---|---:|");
    for (const Symbol &symbol : formula.symbols)
        if (const QString text = argumentText(calculation, symbol); !text.isEmpty())
            lines << QStringLiteral("| `%1` | %2 | %3 |").arg(qt(symbol.name), cell(qt(symbol.meaning)), cell(text));
    lines << QString();
    return (lines + closing(formula)).join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString latexLines(const Calculation &calculation, const Calculation::Value &value) {
    const Formula &formula = *calculation.formula;
    const QString name = latexName(qt(value.result->letter));
    const std::optional<FormulaPart> text = letteredFormula(formula, *value.result);
    if (!text)
        return QStringLiteral("%1 &= %2").arg(name, latexValue(valueTextOf(value)));
    QHash<QString, QString> numbers;
    for (const Symbol &symbol : formula.symbols)
        if (const QString argument = argumentText(calculation, symbol); !argument.isEmpty())
            numbers.insert(qt(symbol.letter),
                           symbol.choices.empty() ? latexValue(argument)
                                                  : QStringLiteral("\\text{%1}").arg(latexWords(argument)));
    return QStringLiteral("%1 &= %2 \\\\\n&= %3 \\\\\n&= %4")
        .arg(name, latexOf(*text), latexOf(*text, [&](const QString &letter) { return numbers.value(letter); }),
             latexValue(valueTextOf(value)));
}

QString asLatex(const Calculation &calculation) {
    const Formula &formula = *calculation.formula;
    QStringList lines;
    for (const Calculation::Value &value : calculation.values)
        lines << latexLines(calculation, value);
    return QStringLiteral("% %1; source: %2\n\\begin{align*}\n%3\n\\end{align*}\n")
        .arg(qt(formula.title), qt(formula.source), lines.join(QStringLiteral(" \\\\\n")));
}

} // namespace

QString valueTextOf(const Calculation::Value &value) {
    QString text = QString::fromStdString(value_text(value.value, *value.result));
    if (text.startsWith(QLatin1Char('-')))
        text.replace(0, 1, QChar(0x2212));
    return text;
}

QString numbersLineOf(const Calculation::Value &value) {
    const QString line = QString::fromStdString(value.substituted);
    // Values taken from a plan have more digits than a person can read, so they are rounded for display.
    static const QRegularExpression longNumber(QStringLiteral("\\d+\\.\\d{6,}"));
    constexpr int digits = 7;
    QString read;
    qsizetype end = 0;
    for (QRegularExpressionMatchIterator each = longNumber.globalMatch(line); each.hasNext();) {
        const QRegularExpressionMatch found = each.next();
        read += QStringView(line).mid(end, found.capturedStart() - end)
            % QString::number(found.captured().toDouble(), 'g', digits);
        end = found.capturedEnd();
    }
    return withSigns(read + QStringView(line).mid(end));
}

std::optional<FormulaPart> letteredFormula(const Formula &formula, const FormulaResult &result) {
    const Expression expression = result.expression();
    if (expression.has_opaque_part())
        return std::nullopt;
    return renamed(formulaPartOf(expression), [&](const QString &name) { return symbolLetter(name, formula); });
}

QString copyOf(const Calculation &calculation, CopyFormat format) {
    switch (format) {
    case CopyFormat::Markdown:
        return asMarkdown(calculation);
    case CopyFormat::Latex:
        return asLatex(calculation);
    case CopyFormat::Text:
        break;
    }
    return asText(calculation);
}

} // namespace meshwright
