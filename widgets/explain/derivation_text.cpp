// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/derivation_text.h"

#include "explain/formula_latex.h"
#include "figures/figure_text.h"
#include "plan/schedules.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("DerivationWords", text);
}

QString provenanceOf(const Derivation &node) {
    const QString source = QString::fromStdString(node.source);
    const qsizetype colon = source.indexOf(QLatin1Char(':'));
    return colon > 0 ? source.left(colon) : QString::fromUtf8(name_of(node.origin).data());
}

QString sourceOf(const Derivation &node) {
    return QString::fromStdString(node.source);
}

QString asText(const Derivation &node, const QString &paragraph) {
    QStringList lines{tr("%1: %2").arg(titleOf(node), valueTextOf(node))};
    if (!paragraph.isEmpty())
        lines << paragraph;
    if (hasFormula(node)) {
        lines << QStringLiteral("  = ") + QString::fromStdString(node.formula);
        lines << QStringLiteral("  = ") + QString::fromStdString(node.substituted());
    }
    for (const Derivation &input : node.inputs)
        lines << tr("  %1: %2, %3 (%4; %5)")
                     .arg(QString::fromStdString(input.name), titleOf(input), valueTextOf(input), originTextOf(input),
                          sourceOf(input));
    lines << tr("Source: %1").arg(sourceOf(node));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

/// Escapes | inside a cell of a Markdown table.
QString cell(QString text) {
    return text.replace(QLatin1Char('|'), QStringLiteral("\\|"));
}

QString asMarkdown(const Derivation &node, const QString &paragraph) {
    QStringList lines{QStringLiteral("**%1: %2**").arg(titleOf(node), valueTextOf(node)), {}};
    if (!paragraph.isEmpty())
        lines << paragraph << QString();
    if (hasFormula(node)) {
        lines << QStringLiteral("```") << QString::fromStdString(node.formula)
              << QStringLiteral("= ") + QString::fromStdString(node.substituted()) << QStringLiteral("```")
              << QString();
    }
    if (!node.inputs.empty()) {
        lines << tr("| Symbol | Quantity | Value | Origin | Source |") << QStringLiteral("|---|---|---:|---|---|");
        for (const Derivation &input : node.inputs)
            lines << QStringLiteral("| `%1` | %2 | %3 | %4 | %5 |")
                         .arg(QString::fromStdString(input.name), cell(titleOf(input)), cell(valueTextOf(input)),
                              originTextOf(input), cell(sourceOf(input)));
        lines << QString();
    }
    lines << tr("Source: %1").arg(sourceOf(node));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString asLatex(const Derivation &node, const QString &paragraph) {
    const QString name = latexName(QString::fromStdString(node.name));
    const std::optional<FormulaPart> formula =
        hasFormula(node) ? readFormula(QString::fromStdString(node.formula)) : std::nullopt;
    QString comment = QStringLiteral("% ") + tr("%1; source: %2").arg(titleOf(node), sourceOf(node));
    if (!paragraph.isEmpty())
        comment += QLatin1Char('\n') + latexWords(paragraph);
    if (!formula)
        return QStringLiteral("%1\n\\[ %2 = %3 \\]\n").arg(comment, name, latexValue(valueTextOf(node)));
    const auto numbers = [&node](const QString &input) {
        const Derivation *found = node.find(input.toStdString());
        return found != nullptr ? latexValue(valueTextOf(*found)) : QString();
    };
    return QStringLiteral("%1\n\\begin{align*}\n%2 &= %3 \\\\\n&= %4 \\\\\n&= %5\n\\end{align*}\n")
        .arg(comment, name, latexOf(*formula), latexOf(*formula, numbers), latexValue(valueTextOf(node)));
}

} // namespace

// Only operators are surrounded by spaces; units such as GB/s are not.
QString withSigns(QString text) {
    text.replace(QStringLiteral(" * "), QStringLiteral(" × "));
    text.replace(QStringLiteral(" / "), QStringLiteral(" ÷ "));
    text.replace(QStringLiteral(" - "), QStringLiteral(" − "));
    return text;
}

QString titleOf(const Derivation &node) {
    QString title = QString::fromStdString(node.title.empty() ? node.name : node.title);
    const QString word = title.section(QLatin1Char(' '), 0, 0);
    // Names such as "feed_forward.down" keep their case.
    if (!word.isEmpty() && !word.contains(QLatin1Char('.')) && !word.contains(QLatin1Char('_')))
        title[0] = title[0].toUpper();
    return title;
}

QString valueTextOf(const Derivation &node) {
    if (node.field == "/parallelism/schedule" && node.name == "schedule")
        return QString::fromStdString(definition_of(static_cast<Schedule>(node.value)).title);
    return figureText(node.value, node.quantity);
}

QString originTextOf(const Derivation &node) {
    switch (node.origin) {
    case Origin::plan:
        return tr("plan field");
    case Origin::model:
        return tr("model");
    case Origin::hardware:
        return tr("hardware");
    case Origin::software:
        return tr("software");
    case Origin::constant:
        return provenanceOf(node);
    case Origin::simulation:
        return tr("simulation");
    case Origin::derived:
        break;
    }
    return tr("derived");
}

Tone originToneOf(const Derivation &node) {
    if (node.origin == Origin::plan)
        return Tone::Accent;
    const bool uncertain =
        node.origin == Origin::constant && (node.source.starts_with("fitted") || node.source.starts_with("assumed"));
    return uncertain ? Tone::Warn : Tone::Neutral;
}

bool hasFormula(const Derivation &node) {
    return !node.formula.empty() && node.origin != Origin::simulation;
}

QString shortName(const Derivation &node, const QString &input) {
    const auto withoutUnit = [](QString name) {
        for (const auto unit : {QLatin1String("_bytes"), QLatin1String("_seconds")})
            if (name.endsWith(unit))
                name.chop(unit.size());
        return name;
    };
    const QString name = withoutUnit(input);
    const auto isSame = [&](const Derivation &each) { return withoutUnit(QString::fromStdString(each.name)) == name; };
    return std::count_if(node.inputs.begin(), node.inputs.end(), isSame) > 1 ? input : name;
}

QString formulaLineOf(const Derivation &node) {
    QString line = QString::fromStdString(node.formula);
    for (const Derivation &input : node.inputs) {
        const QString name = QString::fromStdString(input.name);
        if (const QString shorter = shortName(node, name); shorter != name)
            line.replace(QRegularExpression(QStringLiteral("\\b%1\\b").arg(name)), shorter);
    }
    return withSigns(line.replace(QLatin1Char('_'), QLatin1Char(' ')));
}

QString numbersLineOf(const Derivation &node) {
    return withSigns(QString::fromStdString(node.substituted()));
}

QString copyOf(const Derivation &node, CopyFormat format, const QString &paragraph) {
    switch (format) {
    case CopyFormat::Markdown:
        return asMarkdown(node, paragraph);
    case CopyFormat::Latex:
        return asLatex(node, paragraph);
    case CopyFormat::Text:
        break;
    }
    return asText(node, paragraph);
}

} // namespace meshwright
