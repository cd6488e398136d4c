// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/formula_layout.h"

#include <iterator>

namespace meshwright {

// Breaks formulas that are wider than the available space into lines.

namespace {

using Form = FormulaPart::Kind;

/// Whether leaving out the brackets would change the meaning.
bool needsBrackets(const FormulaPart &part, int binding, bool strictly) {
    const int own = bindingOf(part);
    return own < binding || (strictly && own == binding);
}

} // namespace

void FormulaLayout::append(std::vector<Piece> &pieces, std::vector<Piece> more) {
    std::move(more.begin(), more.end(), std::back_inserter(pieces));
}

FormulaLayout::Pieces FormulaLayout::led(const Piece &before, Pieces pieces, qreal gap) {
    Piece first = before;
    first.append(pieces.front(), gap);
    first.startsLine = pieces.front().startsLine;
    pieces.front() = std::move(first);
    return pieces;
}

FormulaLayout::Pieces FormulaLayout::enclosed(const QString &before, Pieces pieces, const QString &after) const {
    pieces = led(text(before, m_upright), std::move(pieces), 0);
    pieces.back().append(text(after, m_upright));
    return pieces;
}

FormulaLayout::Pieces FormulaLayout::lines(const FormulaPart &part) const {
    const Piece whole = compose(part);
    return whole.width <= m_room ? Pieces{whole} : spread(part);
}

FormulaLayout::Pieces FormulaLayout::linesWithin(const FormulaPart &part, int binding, bool strictly) const {
    if (!needsBrackets(part, binding, strictly))
        return lines(part);
    const Piece whole = within(part, binding, strictly);
    if (whole.width <= m_room)
        return {whole};
    return enclosed(QStringLiteral("("), spread(part), QStringLiteral(")"));
}

FormulaLayout::Pieces FormulaLayout::spread(const FormulaPart &part) const {
    switch (part.kind) {
    case Form::Operation:
        return spreadOperation(part);
    case Form::Call:
        return spreadCall(part);
    case Form::Choice:
        return spreadChoice(part);
    case Form::Negation:
        return led(text(QStringLiteral("\u2212"), m_upright), linesWithin(part.parts[0], ProductBinding, false), 0);
    case Form::Number:
    case Form::Name:
        break;
    }
    return {compose(part)};
}

FormulaLayout::Pieces FormulaLayout::spreadOperation(const FormulaPart &part) const {
    if (part.text == QLatin1String("^")) {
        Pieces base = enclosed(QStringLiteral("("), spread(part.parts[0]), QStringLiteral(")"));
        base.back().append(exponent(part.parts[1]), 1, base.back().ascent * 0.5);
        return base;
    }
    const bool quotient = part.text == QLatin1String("/");
    const bool ordered = quotient || part.text == QLatin1String("-"); // brackets matter in a - (b + c)
    const int binding = bindingOf(part);
    const FormulaPart &left = part.parts[0];
    // Flatten nested sums and products into one row of terms or factors.
    const bool sameRow = left.kind == Form::Operation && bindingOf(left) == binding && left.text != QLatin1String("/");
    Pieces pieces = sameRow ? spread(left) : linesWithin(left, binding, false);
    const QString sign = quotient ? QStringLiteral("\u00f7") : signOf(part.text);
    append(pieces, led(text(sign, m_upright), linesWithin(part.parts[1], binding, ordered), signGap));
    return pieces;
}

FormulaLayout::Pieces FormulaLayout::spreadCall(const FormulaPart &part) const {
    Pieces arguments;
    for (const FormulaPart &argument : part.parts) {
        append(arguments, lines(argument));
        if (&argument != &part.parts.back())
            arguments.back().append(text(QStringLiteral(","), m_upright));
    }
    if (arguments.empty())
        return {compose(part)};
    return enclosed(part.text + QLatin1Char('('), std::move(arguments), QStringLiteral(")"));
}

FormulaLayout::Pieces FormulaLayout::spreadChoice(const FormulaPart &part) const {
    Pieces pieces = lines(part.parts[1]);
    append(pieces, led(text(QStringLiteral("if"), m_small), lines(part.parts[0]), signGap));
    Pieces otherwise = led(text(QStringLiteral("else"), m_small), lines(part.parts[2]), signGap);
    otherwise.front().startsLine = true;
    append(pieces, std::move(otherwise));
    return pieces;
}

} // namespace meshwright
