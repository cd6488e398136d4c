// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/formula_syntax.h"
#include "theme/theme.h"

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <functional>
#include <vector>

class QPainter;

namespace meshwright {

/// A typeset formula: fractions, subscripts, powers; long sums, products and lists of arguments continue on further
/// lines. Draws to any device.
class FormulaLayout {
public:
    /// What stands for a name as a number; an empty text leaves the name.
    using Names = std::function<QString(const QString &name)>;

    /// @param result  before the sign of equality; may be empty
    /// @param width   that lines are filled to
    FormulaLayout(const QString &result, const FormulaPart &formula, const Names &names, const Theme &theme,
                  qreal width);

    QSizeF size() const { return m_size; }
    void paint(QPainter &painter, const QPointF &topLeft, const Theme &theme) const;

private:
    struct Run {
        QPointF at; ///< of the baseline
        QString text;
        QFont font;
    };
    /// A part of the formula around its baseline at y = 0.
    struct Piece {
        qreal width = 0;
        qreal ascent = 0;
        qreal descent = 0;
        std::vector<Run> runs = {};
        std::vector<QRectF> bars = {};
        void append(const Piece &other, qreal gap = 0, qreal rise = 0);
    };

    Piece text(const QString &text, const QFont &font) const;
    Piece name(const QString &name) const;
    Piece compose(const FormulaPart &part) const;
    Piece operation(const FormulaPart &part) const;
    Piece fraction(const FormulaPart &part) const;
    Piece call(const FormulaPart &part) const;
    Piece choice(const FormulaPart &part) const;
    Piece bracketed(const Piece &inside) const;
    Piece within(const FormulaPart &part, int binding, bool strictly) const;
    /// Where lines may end: terms of a sum, factors of a product, arguments of a function.
    std::vector<Piece> breakable(const FormulaPart &part) const;
    void flow(const std::vector<Piece> &pieces, qreal indent, qreal width);

    const Names m_names;
    QFont m_upright;
    QFont m_italic;
    QFont m_small;
    Piece m_whole;
    QSizeF m_size;
};

} // namespace meshwright
