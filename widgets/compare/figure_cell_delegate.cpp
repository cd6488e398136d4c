// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/figure_cell_delegate.h"

#include "compare/figures_model.h"
#include "theme/surfaces.h"

#include <QPainter>

#include <algorithm>

namespace meshwright {

namespace {

constexpr qreal barHeight = 4;
constexpr qreal side = 8;
constexpr qreal gap = 10;

} // namespace

void FigureCellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    if (index.column() == 0) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    // The style paints only selection and focus; the code below places and paints the texts.
    QStyleOptionViewItem background = option;
    initStyleOption(&background, index);
    background.text.clear();
    const QStyle *style = option.widget->style();
    style->drawControl(QStyle::CE_ItemViewItem, &background, painter, option.widget);

    const Theme &theme = Theme::of(option.widget);
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const auto ink = [&](ColourRole role) {
        return enabled ? theme.colour(role) : mixed(theme.colour(role), theme.colour(ColourRole::Card), 0.45);
    };
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(option.rect).adjusted(side, 3, -side, -4);
    const QRectF line(area.left(), area.top(), area.width(), area.height() - barHeight - 2);
    const bool isFirst = index.column() == 1;
    const QString value = index.data().toString();
    painter->setFont(theme.font(TypeRole::Body, TextWeight::SemiBold));
    painter->setPen(ink(ColourRole::Text));
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, value);
    const qreal taken = QFontMetricsF(painter->font()).horizontalAdvance(value);
    const QString change = index.data(ComparedFiguresModel::ChangeRole).toString();
    painter->setFont(theme.font(TypeRole::Caption));
    if (!change.isEmpty() && QFontMetricsF(painter->font()).horizontalAdvance(change) + gap + taken <= line.width()) {
        const auto tone = static_cast<Tone>(index.data(ComparedFiguresModel::ToneRole).toInt());
        painter->setPen(ink(tone == Tone::Good      ? ColourRole::Good
                                : tone == Tone::Bad ? ColourRole::Bad
                                                    : ColourRole::Text2));
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, change);
    }
    const QVariant share = index.data(ComparedFiguresModel::ShareRole);
    if (share.isValid()) {
        const QRectF track(area.left(), area.bottom() - barHeight, area.width(), barHeight);
        surfaces::rounded(*painter, track, barHeight / 2, ink(ColourRole::Field));
        const qreal length = std::max(share.toDouble() * track.width(), share.toDouble() > 0 ? barHeight : 0);
        if (length > 0)
            surfaces::rounded(*painter, QRectF(track.topLeft(), QSizeF(length, barHeight)), barHeight / 2,
                              ink(isFirst ? ColourRole::AccentFill : ColourRole::Text3));
    }
    painter->restore();
}

} // namespace meshwright
