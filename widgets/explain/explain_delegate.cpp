// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explain_delegate.h"

#include "controls/pill.h"
#include "explain/explain_model.h"
#include "theme/surfaces.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr int padding = 8;
constexpr double fullEffect = 0.1;

void line(QPainter &painter, const QRect &area, const QString &text, const QFont &font, const QColor &ink,
          Qt::Alignment side = Qt::AlignLeft) {
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(area, int(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                     QFontMetrics(font).elidedText(text, Qt::ElideRight, area.width()));
}

/// One vertically centered line, or two lines that share the row.
void lines(QPainter &painter, const QRect &area, const QString &first, const QFont &firstFont, const QColor &firstInk,
           const QString &second, const Theme &theme) {
    if (second.isEmpty()) {
        line(painter, area, first, firstFont, firstInk);
        return;
    }
    const int half = area.height() / 2;
    line(painter, area.adjusted(0, 3, 0, -half + 2), first, firstFont, firstInk);
    line(painter, area.adjusted(0, half - 1, 0, -3), second, theme.font(TypeRole::Caption),
         theme.colour(ColourRole::Text3));
}

/// Draws the effect as a bar with its text to the right. The bar has its full length if the figure grows by 10%, like
/// its input.
void effect(QPainter &painter, const QRect &area, const QString &text, double change, const Theme &theme) {
    if (text.isEmpty())
        return;
    const QFont font = theme.font(TypeRole::Caption);
    const int textWidth = QFontMetrics(font).horizontalAdvance(QStringLiteral("+10.0%")) + 6;
    const double length = std::clamp(std::abs(change) / fullEffect, 0.0, 1.0) * (area.width() - textWidth);
    const QRectF bar(area.right() - textWidth - length, area.center().y() - 4, std::max(1.0, length), 8);
    painter.fillRect(bar, theme.fill(change > 0 ? Kind::Blue : Kind::Red));
    line(painter, area, text, font, theme.colour(ColourRole::Text2), Qt::AlignRight);
}

} // namespace

QSize ExplainDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const QFontMetrics metrics(Theme::of(option.widget).font(TypeRole::Body, TextWeight::SemiBold));
    return {metrics.horizontalAdvance(index.data().toString()) + 2 * padding, RowHeight};
}

void ExplainDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const Theme &theme = Theme::of(option.widget);
    painter->save();
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, theme.colour(ColourRole::AccentSoft));
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(option.rect, theme.colour(ColourRole::Field));
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      theme.colour(ColourRole::Line));
    const QRect area = option.rect.adjusted(padding, 0, -padding, -1);
    const QString text = index.data().toString();
    const QString numbers = index.data(ExplainModel::NumbersRole).toString();
    switch (index.column()) {
    case ExplainModel::TitleColumn:
        lines(*painter, area, text, theme.font(TypeRole::Body, TextWeight::SemiBold), theme.colour(ColourRole::Text),
              m_formulaColumn         ? QString()
                  : numbers.isEmpty() ? index.data(ExplainModel::FormulaRole).toString()
                                      : numbers,
              theme);
        break;
    case ExplainModel::FormulaColumn:
        lines(*painter, area, text, theme.font(TypeRole::Body), theme.colour(ColourRole::Text2), numbers, theme);
        break;
    case ExplainModel::EffectColumn:
        effect(*painter, area, text, index.data(ExplainModel::EffectRole).toDouble(), theme);
        break;
    case ExplainModel::ValueColumn:
        line(*painter, area, text, theme.font(TypeRole::Body, TextWeight::SemiBold), theme.colour(ColourRole::Text),
             Qt::AlignRight);
        break;
    default: {
        QRectF pill(0, 0, Pill::width(theme, text, false), Pill::Height);
        pill.moveCenter(QRectF(area).center());
        pill.moveRight(area.right() + 1);
        Pill::paint(*painter, pill, theme, text, static_cast<Tone>(index.data(ExplainModel::ToneRole).toInt()), {});
        break;
    }
    }
    painter->restore();
}

} // namespace meshwright
