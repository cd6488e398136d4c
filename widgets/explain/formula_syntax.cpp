// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/formula_syntax.h"

#include <QHash>
#include <QStringList>

#include <array>

namespace meshwright {

namespace {

using Form = FormulaPart::Kind;

/// Operators by precedence, lowest first. Two-character operators come before their one-character prefixes.
const std::array<QStringList, 5> &operatorLevels() {
    static const std::array<QStringList, 5> levels{
        QStringList{QStringLiteral("||")}, QStringList{QStringLiteral("&&")},
        QStringList{QStringLiteral("<="), QStringLiteral(">="), QStringLiteral("=="), QStringLiteral("!="),
                    QStringLiteral("<"), QStringLiteral(">")},
        QStringList{QStringLiteral("+"), QStringLiteral("-")}, QStringList{QStringLiteral("*"), QStringLiteral("/")}};
    return levels;
}

constexpr int negationBinding = 6;
constexpr int atomBinding = 8;
constexpr int deepest = 200;

bool beginsName(QChar c) {
    return c.isLetter() || c == QLatin1Char('_');
}

class Reader {
public:
    explicit Reader(const QString &text)
        : m_text(text) { }

    std::optional<FormulaPart> whole() {
        FormulaPart part = choice();
        skipSpace();
        if (m_failed || m_at != m_text.size())
            return std::nullopt;
        return part;
    }

private:
    void skipSpace() {
        while (m_at < m_text.size() && m_text.at(m_at).isSpace())
            ++m_at;
    }

    bool take(const QString &symbol) {
        skipSpace();
        if (!QStringView(m_text).mid(m_at).startsWith(symbol))
            return false;
        m_at += symbol.size();
        return true;
    }

    FormulaPart failure() {
        m_failed = true;
        m_at = m_text.size();
        return {};
    }

    FormulaPart choice() {
        // Limit the recursion: a malicious text must not overflow the stack.
        if (++m_depth > deepest)
            return failure();
        FormulaPart condition = operation(0);
        if (take(QStringLiteral("?"))) {
            FormulaPart then = choice();
            if (!take(QStringLiteral(":")))
                return failure();
            FormulaPart otherwise = choice();
            condition = {Form::Choice, {}, {std::move(condition), std::move(then), std::move(otherwise)}};
        }
        --m_depth;
        return condition;
    }

    FormulaPart operation(std::size_t level) {
        if (level == operatorLevels().size())
            return signedPart();
        FormulaPart left = operation(level + 1);
        for (bool more = true; more;) {
            more = false;
            for (const QString &symbol : operatorLevels()[level]) {
                if (!take(symbol))
                    continue;
                FormulaPart right = operation(level + 1);
                left = {Form::Operation, symbol, {std::move(left), std::move(right)}};
                more = !m_failed;
                break;
            }
        }
        return left;
    }

    FormulaPart signedPart() {
        if (++m_depth > deepest)
            return failure();
        FormulaPart part;
        if (take(QStringLiteral("-")))
            part = {Form::Negation, {}, {signedPart()}};
        else
            part = power();
        --m_depth;
        return part;
    }

    FormulaPart power() {
        FormulaPart base = atom();
        if (!take(QStringLiteral("^")))
            return base;
        FormulaPart exponent = signedPart();
        return {Form::Operation, QStringLiteral("^"), {std::move(base), std::move(exponent)}};
    }

    FormulaPart atom() {
        if (take(QStringLiteral("("))) {
            FormulaPart inside = choice();
            return take(QStringLiteral(")")) ? inside : failure();
        }
        skipSpace();
        if (m_at >= m_text.size())
            return failure();
        return beginsName(m_text.at(m_at)) ? named() : number();
    }

    FormulaPart number() {
        const qsizetype start = m_at;
        const auto isSign = [this] {
            return (m_text.at(m_at) == QLatin1Char('+') || m_text.at(m_at) == QLatin1Char('-'))
                && m_text.at(m_at - 1).toLower() == QLatin1Char('e');
        };
        while (m_at < m_text.size()
               && (m_text.at(m_at).isDigit() || m_text.at(m_at) == QLatin1Char('.')
                   || (m_at > start && (m_text.at(m_at).toLower() == QLatin1Char('e') || isSign()))))
            ++m_at;
        if (m_at == start)
            return failure();
        return {Form::Number, m_text.mid(start, m_at - start), {}};
    }

    FormulaPart named() {
        const qsizetype start = m_at;
        while (m_at < m_text.size() && (beginsName(m_text.at(m_at)) || m_text.at(m_at).isDigit()))
            ++m_at;
        FormulaPart part{Form::Name, m_text.mid(start, m_at - start), {}};
        if (!take(QStringLiteral("(")))
            return part;
        part.kind = Form::Call;
        do
            part.parts.push_back(choice());
        while (take(QStringLiteral(",")));
        return take(QStringLiteral(")")) ? part : failure();
    }

    QString m_text;
    qsizetype m_at = 0;
    int m_depth = 0;
    bool m_failed = false;
};

} // namespace

std::optional<FormulaPart> readFormula(const QString &text) {
    return Reader(text).whole();
}

int bindingOf(const FormulaPart &part) {
    switch (part.kind) {
    case Form::Choice:
        return 0;
    case Form::Negation:
        return negationBinding;
    case Form::Operation:
        if (part.text == QLatin1String("^"))
            return PowerBinding;
        for (std::size_t level = 0; level < operatorLevels().size(); ++level)
            if (operatorLevels()[level].contains(part.text))
                return static_cast<int>(level) + 1;
        return 0;
    case Form::Number:
    case Form::Name:
    case Form::Call:
        break;
    }
    return atomBinding;
}

QString unitOf(const FormulaPart &part) {
    static const QHash<QString, QString> units{{QStringLiteral("flop"), QStringLiteral("FLOP")},
                                               {QStringLiteral("byte"), QStringLiteral("B")},
                                               {QStringLiteral("bit"), QStringLiteral("bit")},
                                               {QStringLiteral("second"), QStringLiteral("s")},
                                               {QStringLiteral("dollar"), QStringLiteral("$")}};
    return part.kind == Form::Name ? units.value(part.text) : QString();
}

QString limitOf(const FormulaPart &part) {
    const auto isNothing = [](const FormulaPart &one) {
        const bool carriesUnit = one.kind == Form::Operation && one.text == QLatin1String("*");
        const FormulaPart &number = carriesUnit && !unitOf(one.parts[1]).isEmpty() ? one.parts[0] : one;
        return number.kind == Form::Number && number.text.toDouble() == 0;
    };
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
