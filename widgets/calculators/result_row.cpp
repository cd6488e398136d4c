// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/result_row.h"

#include "calculators/formula_curve.h"
#include "theme/surfaces.h"

#include <QPainter>

namespace meshwright {

namespace {
constexpr int padding = 8;
constexpr int gap = 12;
} // namespace

ResultRow::ResultRow(const FormulaResult &result, QWidget *parent)
    : QAbstractButton(parent)
    , m_result(result)
    , m_meaning(capitalised(result.meaning)) {
    setObjectName(QString::fromStdString(std::string(result.name)));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setToolTip(m_meaning);
}

void ResultRow::setValue(const QString &value) {
    m_value = value;
    setAccessibleName(tr("%1, %2").arg(m_meaning, value));
    update();
}

void ResultRow::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    if (underMouse() || isDown())
        surfaces::rounded(painter, rect(), Theme::radius(Corner::Field),
                          theme.colour(isDown() ? ColourRole::Raised : ColourRole::Field));
    const QFont body = theme.font(TypeRole::Body);
    const QFont strong = theme.font(TypeRole::Body, TextWeight::Medium);
    const QRect area = rect().adjusted(padding, 0, -padding, 0);
    const int valueWidth = QFontMetrics(strong).horizontalAdvance(m_value) + gap;
    painter.setFont(strong);
    painter.setPen(theme.colour(ColourRole::Text));
    painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, m_value);
    painter.setFont(body);
    painter.setPen(theme.colour(ColourRole::Text2));
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(body).elidedText(m_meaning, Qt::ElideRight, area.width() - valueWidth));
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

} // namespace meshwright
