// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/range_delegate.h"

#include "evidence/fitted_constants_model.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace meshwright {

void RangeDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    QStyledItemDelegate::paint(painter, option, index);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(option.widget);
    const QRectF rail(option.rect.left() + 12, QRectF(option.rect).center().y() - 2, option.rect.width() - 20, 4);
    surfaces::rounded(*painter, rail, 2, theme.colour(ColourRole::Raised));
    const auto at = [&](int role) {
        const double share = std::clamp(index.data(role).toDouble(), 0.0, 1.0);
        return QPointF(rail.left() + share * rail.width(), rail.center().y());
    };
    const QPointF before = at(FittedConstantsModel::BeforeRole);
    const QPointF after = at(FittedConstantsModel::AfterRole);
    painter->setPen(QPen(theme.colour(ColourRole::Text2), 1.5));
    painter->setBrush(theme.colour(ColourRole::Card));
    painter->drawEllipse(before, 4, 4);
    if (before != after) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.colour(ColourRole::Accent));
        painter->drawEllipse(after, 4, 4);
    }
    painter->restore();
}

} // namespace meshwright
