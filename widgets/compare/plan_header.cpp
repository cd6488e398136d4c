// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/plan_header.h"

#include "theme/theme.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr int headSides = 8; ///< horizontal margin in pixels, as in the style's headers

} // namespace

PlanHeader::PlanHeader(QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent) { }

QFont PlanHeader::headFont() const {
    return Theme::of(this).font(TypeRole::Caption);
}

QStringList PlanHeader::linesOf(const QString &name, int columnWidth) const {
    const QFontMetrics metrics(headFont());
    const int room = columnWidth - 2 * headSides;
    if (metrics.horizontalAdvance(name) <= room)
        return {name};
    QTextLayout layout(name, headFont());
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QTextLine first = layout.createLine();
    first.setLineWidth(std::max(room, 1));
    layout.endLayout();
    const int length = std::max(first.textLength(), 1);
    return {name.left(length).trimmed(), metrics.elidedText(name.mid(length).trimmed(), Qt::ElideMiddle, room)};
}

void PlanHeader::fitPlans(int columnWidth) {
    int lines = 1;
    for (int section = 1; section < count(); ++section)
        lines = std::max(
            lines,
            static_cast<int>(linesOf(model()->headerData(section, Qt::Horizontal).toString(), columnWidth).size()));
    if (lines == m_lines)
        return;
    m_lines = lines;
    updateGeometry();
    Q_EMIT geometriesChanged(); // makes the table reposition its rows
}

QSize PlanHeader::sizeHint() const {
    return QHeaderView::sizeHint() + QSize(0, (m_lines - 1) * QFontMetrics(headFont()).lineSpacing());
}

void PlanHeader::paintSection(QPainter *painter, const QRect &rect, int section) const {
    const QString name = model()->headerData(section, Qt::Horizontal).toString();
    const QStringList lines = linesOf(name, rect.width());
    if (lines.size() == 1) {
        QHeaderView::paintSection(painter, rect, section);
        return;
    }
    const Theme &theme = Theme::of(this);
    painter->save();
    painter->setFont(headFont());
    painter->setPen(theme.colour(ColourRole::Text3));
    const Qt::Alignment alignment =
        model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>();
    painter->drawText(rect.adjusted(headSides, 0, -headSides, 0), static_cast<int>(alignment),
                      lines.join(QLatin1Char('\n')));
    painter->fillRect(QRect(rect.x(), rect.bottom(), rect.width(), 1), theme.colour(ColourRole::Line));
    painter->restore();
}

} // namespace meshwright
