// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/error_bars.h"

#include "evidence/evidence_charts.h"
#include "evidence/runs_model.h"
#include "evidence/sources_model.h"
#include "theme/surfaces.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr qreal barHeight = 8;
constexpr double spanReach = 0.5;

void paintMiddle(QPainter &painter, const QRectF &area, const Theme &theme) {
    painter.fillRect(QRectF(std::round(area.center().x()), area.top() + 4, 1, area.height() - 8),
                     theme.colour(ColourRole::LineStrong));
}

} // namespace

void ErrorBarDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const auto *model = qobject_cast<const RunsModel *>(index.model());
    if (model == nullptr)
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(option.widget);
    const QRectF area = QRectF(option.rect).adjusted(6, 0, -6, 0);
    const double error = index.data(RunsModel::ErrorRole).toDouble();
    const qreal length = std::max<qreal>(1.5, std::abs(error) / model->widest() * area.width() / 2);
    const qreal middle = area.center().x();
    painter->fillRect(
        QRectF(error > 0 ? middle : middle - length, area.center().y() - barHeight / 2, length, barHeight),
        theme.fill(error > 0 ? Kind::Red : Kind::Blue));
    paintMiddle(*painter, area, theme);
    painter->restore();
}

void ErrorSpanDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    QStyledItemDelegate::paint(painter, option, index);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(option.widget);
    const QRectF area = QRectF(option.rect).adjusted(8, 0, -8, 0);
    paintMiddle(*painter, area, theme);
    if (const QVariant low = index.data(SourcesModel::LowRole); low.isValid()) {
        const auto place = [&area](double error) {
            return area.center().x() + std::clamp(error / spanReach, -1.0, 1.0) * area.width() / 2;
        };
        const QColor colour = theme.fill(kindOfFamily(index.data(SourcesModel::FamilyRole).toInt()));
        QColor soft = colour;
        soft.setAlphaF(0.5F);
        const qreal from = place(low.toDouble());
        const qreal to = place(index.data(SourcesModel::HighRole).toDouble());
        surfaces::rounded(*painter, QRectF(from - 2, area.center().y() - 2, to - from + 4, 4), 2, soft);
        painter->setPen(QPen(theme.colour(ColourRole::Card), 1));
        painter->setBrush(colour);
        painter->drawEllipse(QPointF(place(index.data(SourcesModel::MiddleRole).toDouble()), area.center().y()), 4, 4);
    }
    painter->restore();
}

} // namespace meshwright
