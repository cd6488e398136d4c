// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/formula_syntax.h"
#include "theme/theme.h"

#include <QFont>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QSizeF>

#include <functional>
#include <vector>

class QPainter;

namespace meshwright {

/// A typeset formula: fractions, subscripts, powers, roots. A formula that does not fit on one line breaks after a
/// term, a factor, an argument or a side of a comparison, and each case of a conditional starts a new line. Paints on
/// any device.
class FormulaLayout {
public:
    /// Value to show in place of a name; an empty text shows the name.
    using Names = std::function<QString(const QString &name)>;

    /// @param result  left-hand side of the equation; may be empty
    /// @param width   width of a line, in px
    FormulaLayout(const QString &result, const FormulaPart &formula, const Names &names, const Theme &theme,
                  qreal width);

    QSizeF size() const { return m_size; }
    /// @param lit  symbol whose occurrences, as name or value, are tinted; empty for none
    void paint(QPainter &painter, const QPointF &topLeft, const Theme &theme, const QString &lit = {}) const;
    /// The symbol at a point, also where its value is shown; empty if there is none.
    QString symbolAt(const QPointF &point) const;

private:
    struct Run {
        QPointF at; ///< start of the baseline
        QString text;
        QFont font;
    };
    struct Symbol {
        QRectF area;
        QString name;
    };
    /// A part of the formula, with its baseline at y = 0.
    struct Piece {
        qreal width = 0;
        qreal ascent = 0;
        qreal descent = 0;
        std::vector<Run> runs = {};
        std::vector<QRectF> bars = {};
        std::vector<QPolygonF> roots = {}; ///< root signs
        std::vector<Symbol> symbols = {}; ///< names or the values in their place
        bool startsLine = false; ///< whether the piece is a case of a conditional that has its own line
        void append(const Piece &other, qreal gap = 0, qreal rise = 0);
    };

    Piece text(const QString &text, const QFont &font) const;
    Piece name(const QString &name) const;
    Piece compose(const FormulaPart &part) const;
    Piece operation(const FormulaPart &part) const;
    Piece exponent(const FormulaPart &part) const;
    Piece fraction(const FormulaPart &part) const;
    Piece call(const FormulaPart &part) const;
    Piece choice(const FormulaPart &part) const;
    Piece bracketed(const Piece &inside, const QString &before = QStringLiteral("("),
                    const QString &after = QStringLiteral(")")) const;
    Piece root(const Piece &inside) const;
    Piece rounded(const QString &function, const Piece &inside) const;
    Piece within(const FormulaPart &part, int binding, bool strictly) const;

    using Pieces = std::vector<Piece>;
    static void append(Pieces &pieces, Pieces more);
    static Pieces led(const Piece &before, Pieces pieces, qreal gap);
    Pieces enclosed(const QString &before, Pieces pieces, const QString &after) const;
    /// One piece if it fits a line; otherwise several, with line breaks allowed between them.
    Pieces lines(const FormulaPart &part) const;
    Pieces linesWithin(const FormulaPart &part, int binding, bool strictly) const;
    Pieces spread(const FormulaPart &part) const;
    Pieces spreadOperation(const FormulaPart &part) const;
    Pieces spreadCall(const FormulaPart &part) const;
    Pieces spreadChoice(const FormulaPart &part) const;

    void flow(const std::vector<Piece> &pieces, qreal indent, qreal width);

    static constexpr qreal signGap = 5;
    static QString signOf(const QString &symbol);

    const Names m_names;
    QFont m_upright;
    QFont m_italic;
    QFont m_small;
    Piece m_whole;
    qreal m_room = 0; ///< width of every line but the first
    QSizeF m_size;
};

} // namespace meshwright
