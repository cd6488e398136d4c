// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/waterfall_delegate.h"

#include "compare/causes_model.h"
#include "theme/surfaces.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr qreal effectHeight = 14;
constexpr qreal effectSide = 8;
constexpr qreal breakWidth = 3;

} // namespace

void WaterfallDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const auto *model = qobject_cast<const CausesModel *>(index.model());
    if (model == nullptr)
        return;
    const Theme &theme = Theme::of(option.widget);
    const CausesModel::Range range = model->range();
    const QRectF area = QRectF(option.rect).adjusted(effectSide, 0, -effectSide, 0);
    const auto place = [&](double value) {
        return area.left() + (value - range.low) / std::max(range.high - range.low, 1e-300) * area.width();
    };
    const bool isTotal = index.data(CausesModel::TotalRole).toBool();
    const double to = index.data(CausesModel::ToRole).toDouble();
    const double from = isTotal ? std::max(range.low, 0.0) : index.data(CausesModel::FromRole).toDouble();
    const auto tone = static_cast<Tone>(index.data(CausesModel::ToneRole).toInt());
    const ColourRole role = isTotal ? (index.row() == 0 ? ColourRole::AccentFill : ColourRole::Text3)
        : tone == Tone::Good        ? ColourRole::Good
        : tone == Tone::Bad         ? ColourRole::Bad
                                    : ColourRole::Text3;
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const QColor fill = enabled ? theme.colour(role) : mixed(theme.colour(role), theme.colour(ColourRole::Card), 0.45);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const qreal left = std::min(place(from), place(to));
    const qreal length = std::max<qreal>(std::abs(place(to) - place(from)), 1.5);
    const QRectF bar(left, area.center().y() - effectHeight / 2, length, effectHeight);
    surfaces::rounded(*painter, bar, Theme::radius(Corner::Mark), fill);
    // If the scale does not begin at zero, the totals are drawn with an axis break.
    if (isTotal && range.low > 0) {
        painter->setPen(QPen(theme.colour(ColourRole::Card), breakWidth));
        for (const qreal x : {left + 8, left + 14})
            painter->drawLine(QPointF(x - 3, bar.bottom() + 1), QPointF(x + 3, bar.top() - 1));
    }
    // Lines connect the running total to the neighboring rows.
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(QPen(theme.colour(ColourRole::LineStrong), 1));
    if (index.row() + 1 < model->rowCount())
        painter->drawLine(QPointF(place(to), bar.bottom()), QPointF(place(to), option.rect.bottom() + 1));
    if (index.row() > 0) {
        const qreal before = place(isTotal ? to : from);
        painter->drawLine(QPointF(before, option.rect.top()), QPointF(before, bar.top()));
    }
    painter->restore();
}

} // namespace meshwright
