// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/formula_layout.h"

#include "theme/surfaces.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPainter>

#include <algorithm>

namespace meshwright {

namespace {

using Form = FormulaPart::Kind;

constexpr qreal lineGap = 8;
constexpr qreal roomForSigns = 52; ///< room reserved for brackets and a sign around a part that fits a line
constexpr qreal barGap = 3; ///< gap in pixels between the bar of a fraction and its numerator or denominator
constexpr qreal rootWidth = 9; ///< width of a root sign
constexpr qreal tintMargin = 2; ///< how far the tint of a symbol extends to its left and right

bool isOperation(const FormulaPart &part, const char *symbol) {
    return part.kind == Form::Operation && part.text == QLatin1String(symbol);
}

} // namespace

QString FormulaLayout::signOf(const QString &symbol) {
    static const QHash<QString, QString> signs{
        {QStringLiteral("*"), QStringLiteral("·")},    {QStringLiteral("-"), QStringLiteral("−")},
        {QStringLiteral("<="), QStringLiteral("≤")},   {QStringLiteral(">="), QStringLiteral("≥")},
        {QStringLiteral("=="), QStringLiteral("=")},   {QStringLiteral("!="), QStringLiteral("≠")},
        {QStringLiteral("&&"), QStringLiteral("and")}, {QStringLiteral("||"), QStringLiteral("or")}};
    return signs.value(symbol, symbol);
}

FormulaLayout::FormulaLayout(const QString &result, const FormulaPart &formula, const Names &names, const Theme &theme,
                             qreal width)
    : m_names(names)
    , m_upright(theme.font(TypeRole::Emphasis))
    , m_italic(m_upright)
    , m_small(theme.font(TypeRole::Caption)) {
    m_italic.setItalic(true);
    Piece start;
    if (!result.isEmpty())
        start = name(result);
    start.append(text(QStringLiteral("="), m_upright), result.isEmpty() ? 0 : signGap);
    const qreal indent = text(QStringLiteral("="), m_upright).width + signGap;
    m_room = width - indent - roomForSigns;
    std::vector<Piece> pieces{start};
    const Piece whole = compose(formula);
    if (start.width + signGap + whole.width <= width)
        pieces.push_back(whole);
    else
        append(pieces, spread(formula));
    flow(pieces, indent, width);
}

void FormulaLayout::Piece::append(const Piece &other, qreal gap, qreal rise) {
    const QPointF offset(width + gap, -rise);
    for (const Run &run : other.runs)
        runs.push_back({run.at + offset, run.text, run.font});
    for (const QRectF &bar : other.bars)
        bars.push_back(bar.translated(offset));
    for (const QPolygonF &root : other.roots)
        roots.push_back(root.translated(offset));
    for (const Symbol &symbol : other.symbols)
        symbols.push_back({symbol.area.translated(offset), symbol.name});
    width += gap + other.width;
    ascent = std::max(ascent, other.ascent + rise);
    descent = std::max(descent, other.descent - rise);
}

void FormulaLayout::flow(const std::vector<Piece> &pieces, qreal indent, qreal width) {
    std::vector<Piece> lines{{}};
    for (const Piece &piece : pieces) {
        const bool first = &piece == &pieces.front();
        // Never leave the equals sign alone at the end of a line.
        const bool second = pieces.size() > 1 && &piece == &pieces[1];
        const bool full = lines.back().width + signGap + piece.width > width;
        if (!first && !second && (full || piece.startsLine)) {
            lines.emplace_back();
            lines.back().width = indent;
            lines.back().append(piece);
        } else {
            lines.back().append(piece, first ? 0 : signGap);
        }
    }
    qreal y = 0;
    for (const Piece &line : lines) {
        y += (y > 0 ? lineGap : 0) + line.ascent;
        m_whole.width = 0;
        m_whole.append(line, 0, -y);
        m_size.setWidth(std::max(m_size.width(), line.width));
        y += line.descent;
    }
    m_size.setHeight(y);
}

QString FormulaLayout::symbolAt(const QPointF &point) const {
    const auto found = std::find_if(m_whole.symbols.begin(), m_whole.symbols.end(),
                                    [&point](const Symbol &symbol) { return symbol.area.contains(point); });
    return found != m_whole.symbols.end() ? found->name : QString();
}

void FormulaLayout::paint(QPainter &painter, const QPointF &topLeft, const Theme &theme, const QString &lit) const {
    painter.save();
    for (const Symbol &symbol : m_whole.symbols)
        if (!lit.isEmpty() && symbol.name == lit)
            surfaces::rounded(painter, symbol.area.translated(topLeft).adjusted(-tintMargin, 0, tintMargin, 0),
                              Theme::radius(Corner::Mark), theme.colour(ColourRole::AccentSoft),
                              theme.colour(ColourRole::Accent));
    painter.setPen(theme.colour(ColourRole::Text));
    for (const Run &run : m_whole.runs) {
        painter.setFont(run.font);
        painter.drawText(topLeft + run.at, run.text);
    }
    for (const QRectF &bar : m_whole.bars)
        painter.fillRect(bar.translated(topLeft), theme.colour(ColourRole::Text2));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.colour(ColourRole::Text2), 1.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const QPolygonF &root : m_whole.roots)
        painter.drawPolyline(root.translated(topLeft));
    painter.restore();
}

FormulaLayout::Piece FormulaLayout::text(const QString &text, const QFont &font) const {
    const QFontMetricsF metrics(font);
    Piece piece{.width = metrics.horizontalAdvance(text), .ascent = metrics.ascent(), .descent = metrics.descent()};
    piece.runs.push_back(Run{QPointF(), text, font});
    return piece;
}

FormulaLayout::Piece FormulaLayout::name(const QString &name) const {
    const NameParts parts = namePartsOf(name);
    Piece piece = text(parts.letter, m_italic);
    if (!parts.subscript.isEmpty())
        piece.append(text(parts.subscript, m_small), 1, -QFontMetricsF(m_upright).descent());
    return piece;
}

FormulaLayout::Piece FormulaLayout::bracketed(const Piece &inside, const QString &before, const QString &after) const {
    QFont font = m_upright;
    const qreal height = inside.ascent + inside.descent;
    const QFontMetricsF metrics(m_upright);
    qreal drop = 0;
    if (height > 1.3 * metrics.height()) {
        font.setPixelSize(static_cast<int>(m_upright.pixelSize() * height / metrics.height()));
        const QFontMetricsF tall(font);
        drop = (inside.descent - inside.ascent) / 2 - (tall.descent() - tall.ascent()) / 2;
    }
    Piece piece;
    piece.append(text(before, font), 0, -drop);
    piece.append(inside);
    piece.append(text(after, font), 0, -drop);
    return piece;
}

FormulaLayout::Piece FormulaLayout::within(const FormulaPart &part, int binding, bool strictly) const {
    const int own = bindingOf(part);
    const bool brackets = (own < binding || (strictly && own == binding)) && !isOperation(part, "/");
    return brackets ? bracketed(compose(part)) : compose(part);
}

FormulaLayout::Piece FormulaLayout::fraction(const FormulaPart &part) const {
    const Piece above = compose(part.parts[0]);
    const Piece below = compose(part.parts[1]);
    const qreal width = std::max(above.width, below.width) + 8;
    const qreal axis = QFontMetricsF(m_upright).xHeight() / 2;
    Piece piece;
    piece.append(above, (width - above.width) / 2, axis + barGap + above.descent);
    piece.width = 0;
    piece.append(below, (width - below.width) / 2, axis - barGap - below.ascent);
    piece.width = width;
    piece.bars.emplace_back(0, -axis - 0.5, width, 1);
    return piece;
}

FormulaLayout::Piece FormulaLayout::exponent(const FormulaPart &part) const {
    FormulaLayout smaller(*this);
    smaller.m_upright = m_small;
    smaller.m_italic = m_small;
    smaller.m_italic.setItalic(true);
    return smaller.compose(part);
}

FormulaLayout::Piece FormulaLayout::operation(const FormulaPart &part) const {
    if (const QString limit = limitOf(part); !limit.isEmpty())
        return text(limit, limit.size() == 1 ? m_upright : m_small);
    if (part.text == QLatin1String("/"))
        return fraction(part);
    const int binding = bindingOf(part);
    if (part.text == QLatin1String("^")) {
        const Piece base = compose(part.parts[0]);
        const bool single = part.parts[0].kind == Form::Number || part.parts[0].kind == Form::Name;
        Piece piece = single ? base : bracketed(base);
        piece.append(exponent(part.parts[1]), 1, piece.ascent * 0.5);
        return piece;
    }
    Piece piece = within(part.parts[0], binding, false);
    piece.append(text(signOf(part.text), m_upright), signGap);
    piece.append(within(part.parts[1], binding, part.text == QLatin1String("-")), signGap);
    return piece;
}

/// A root sign with a bar over its argument.
FormulaLayout::Piece FormulaLayout::root(const Piece &inside) const {
    constexpr qreal above = 3;
    const qreal foot = 4;
    const qreal top = -inside.ascent - above;
    Piece piece;
    piece.width = rootWidth;
    piece.append(inside, 2);
    piece.width += 2;
    piece.ascent = inside.ascent + above + 1;
    piece.bars.emplace_back(rootWidth - 1, top, piece.width - rootWidth + 1, 1);
    piece.roots.push_back(QPolygonF{{0, inside.descent - foot * 2},
                                    {2, inside.descent - foot * 2 - 2},
                                    {rootWidth / 2, inside.descent},
                                    {rootWidth - 1, top + 0.5}});
    return piece;
}

/// Puts the argument between ceiling, floor or absolute value signs.
FormulaLayout::Piece FormulaLayout::rounded(const QString &function, const Piece &inside) const {
    static const QHash<QString, QPair<QString, QString>> signs{
        {QStringLiteral("ceil"), {QStringLiteral("⌈"), QStringLiteral("⌉")}},
        {QStringLiteral("floor"), {QStringLiteral("⌊"), QStringLiteral("⌋")}},
        {QStringLiteral("abs"), {QStringLiteral("|"), QStringLiteral("|")}}};
    const auto found = signs.constFind(function);
    return found == signs.constEnd() ? Piece() : bracketed(inside, found->first, found->second);
}

FormulaLayout::Piece FormulaLayout::call(const FormulaPart &part) const {
    Piece arguments;
    for (const FormulaPart &argument : part.parts) {
        if (&argument != &part.parts.front())
            arguments.append(text(QStringLiteral(","), m_upright));
        arguments.append(compose(argument), &argument == &part.parts.front() ? 0 : signGap);
    }
    if (part.text == QLatin1String("sqrt"))
        return root(arguments);
    if (Piece signs = rounded(part.text, arguments); signs.width > 0)
        return signs;
    Piece piece;
    if (part.text == QLatin1String("log2")) {
        piece = text(QStringLiteral("log"), m_upright);
        piece.append(text(QStringLiteral("2"), m_small), 0, -QFontMetricsF(m_upright).descent());
    } else {
        piece = text(part.text, m_upright);
    }
    piece.append(bracketed(arguments), 1);
    return piece;
}

FormulaLayout::Piece FormulaLayout::choice(const FormulaPart &part) const {
    Piece piece = compose(part.parts[1]);
    piece.append(text(QStringLiteral("if"), m_small), signGap);
    piece.append(compose(part.parts[0]), signGap);
    piece.append(text(QStringLiteral(", else"), m_small), 1);
    piece.append(compose(part.parts[2]), signGap);
    return piece;
}

FormulaLayout::Piece FormulaLayout::compose(const FormulaPart &part) const {
    switch (part.kind) {
    case Form::Number:
        return text(part.text, m_upright);
    case Form::Name: {
        const QString number = m_names ? m_names(part.text) : QString();
        Piece piece = number.isEmpty() ? name(part.text) : text(number, m_upright);
        piece.symbols.push_back({QRectF(0, -piece.ascent, piece.width, piece.ascent + piece.descent), part.text});
        return piece;
    }
    case Form::Negation: {
        Piece piece = text(QStringLiteral("−"), m_upright);
        piece.append(within(part.parts[0], ProductBinding, false));
        return piece;
    }
    case Form::Call:
        return call(part);
    case Form::Choice:
        return choice(part);
    case Form::Operation:
        break;
    }
    return operation(part);
}

} // namespace meshwright
