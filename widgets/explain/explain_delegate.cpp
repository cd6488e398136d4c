// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explain_delegate.h"

#include "controls/pill.h"
#include "explain/explain_model.h"
#include "figures/change_tone.h"
#include "theme/surfaces.h"

#include <QPainter>
#include <QTreeView>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr int padding = 8;
constexpr int margin = 3; ///< space above the title and below the last line of a row
constexpr int secondLine = 16; ///< height of the line of numbers below a title
constexpr double fullEffect = 0.1;

QFont titleFont(const Theme &theme) {
    return theme.font(TypeRole::Body, TextWeight::SemiBold);
}

int titleHeight(const Theme &theme, int width, const QString &title) {
    const QRect room(0, 0, std::max(width, 1), QWIDGETSIZE_MAX);
    return QFontMetrics(titleFont(theme)).boundingRect(room, Qt::TextWordWrap, title).height();
}

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

/// Draws the effect as a bar with its text to the right. The bar has its full length if the figure grows by 10%, as
/// much as the input does.
void effect(QPainter &painter, const QRect &area, const QString &text, double change, Tone tone, const Theme &theme) {
    if (text.isEmpty())
        return;
    const QFont font = theme.font(TypeRole::Caption);
    const int textWidth = QFontMetrics(font).horizontalAdvance(QStringLiteral("+10.0%")) + 6;
    const double length = std::clamp(std::abs(change) / fullEffect, 0.0, 1.0) * (area.width() - textWidth);
    const QRectF bar(area.right() - textWidth - length, area.center().y() - 4, std::max(1.0, length), 8);
    painter.fillRect(bar, theme.fill(changeKind(tone)));
    line(painter, area, text, font, theme.colour(ColourRole::Text2), Qt::AlignRight);
}

} // namespace

QSize ExplainDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const auto *tree = qobject_cast<const QTreeView *>(option.widget);
    if (index.column() != ExplainModel::TitleColumn || tree == nullptr)
        return {0, RowHeight};
    int width = tree->columnWidth(ExplainModel::TitleColumn) - 2 * padding;
    for (QModelIndex at = index; at.isValid(); at = at.parent())
        width -= tree->indentation();
    const int title = titleHeight(Theme::of(tree), width, index.data().toString());
    const int below = m_formulaColumn ? 0 : secondLine;
    return {width, std::max(RowHeight, title + below + 2 * margin + 1)};
}

void ExplainDelegate::paintTitle(QPainter &painter, const QRect &area, const QModelIndex &index,
                                 const Theme &theme) const {
    const QString title = index.data().toString();
    const int height = titleHeight(theme, area.width(), title);
    const QString numbers = index.data(ExplainModel::NumbersRole).toString();
    const int below = m_formulaColumn ? 0 : secondLine;
    QRect upper(area.left(), area.top() + (area.height() - height - below) / 2, area.width(), height);
    painter.setFont(titleFont(theme));
    painter.setPen(theme.colour(ColourRole::Text));
    painter.drawText(upper, Qt::AlignLeft | Qt::TextWordWrap, title);
    if (below > 0)
        line(painter, QRect(area.left(), upper.bottom() + 1, area.width(), below),
             numbers.isEmpty() ? index.data(ExplainModel::FormulaRole).toString() : numbers,
             theme.font(TypeRole::Caption), theme.colour(ColourRole::Text3));
}

void ExplainDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const Theme &theme = Theme::of(option.widget);
    painter->save();
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, theme.colour(ColourRole::AccentSoft));
    else if (m_lit.isValid() && index.siblingAtColumn(0) == m_lit)
        painter->fillRect(option.rect,
                          mixed(theme.colour(ColourRole::AccentSoft), theme.colour(ColourRole::Card), 0.4));
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(option.rect, theme.colour(ColourRole::Field));
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      theme.colour(ColourRole::Line));
    const QRect area = option.rect.adjusted(padding, 0, -padding, -1);
    const QString text = index.data().toString();
    switch (index.column()) {
    case ExplainModel::TitleColumn:
        paintTitle(*painter, area, index, theme);
        break;
    case ExplainModel::FormulaColumn:
        lines(*painter, area, text, theme.font(TypeRole::Body), theme.colour(ColourRole::Text2),
              index.data(ExplainModel::NumbersRole).toString(), theme);
        break;
    case ExplainModel::EffectColumn:
        effect(*painter, area, text, index.data(ExplainModel::EffectRole).toDouble(),
               static_cast<Tone>(index.data(ExplainModel::EffectToneRole).toInt()), theme);
        break;
    case ExplainModel::ValueColumn: {
        const int half = area.height() / 2;
        const QRect upper = m_originColumn ? area : area.adjusted(0, margin, 0, -half + 2);
        line(*painter, upper, text, titleFont(theme), theme.colour(ColourRole::Text), Qt::AlignRight);
        if (!m_originColumn)
            line(*painter, area.adjusted(0, half - 1, 0, -margin),
                 index.siblingAtColumn(ExplainModel::OriginColumn).data().toString(), theme.font(TypeRole::Caption),
                 theme.ink(static_cast<Tone>(
                     index.siblingAtColumn(ExplainModel::OriginColumn).data(ExplainModel::ToneRole).toInt())),
                 Qt::AlignRight);
        break;
    }
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
