// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/family_legend.h"

#include "evidence/evidence_charts.h"
#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "theme/surfaces.h"

#include <QGridLayout>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr int perRow = 4;
constexpr qreal dot = 10;
constexpr qreal gap = 6;

bool isSame(const QVector<EvidenceFamily> &one, const QVector<EvidenceFamily> &other) {
    return std::equal(
        one.cbegin(), one.cend(), other.cbegin(), other.cend(),
        [](const EvidenceFamily &a, const EvidenceFamily &b) { return a.name == b.name && a.rows == b.rows; });
}

} // namespace

FamilyButton::FamilyButton(int family, const EvidenceFamily &shown, QWidget *parent)
    : QAbstractButton(parent)
    , m_family(family) {
    setText(shown.name);
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setCount(shown.rows);
    showsNoFigures(this, NotFigures::statistic);
}

void FamilyButton::setCount(std::size_t rows) {
    m_count = countText(static_cast<double>(rows));
    setAccessibleName(tr("%1, %2 rows").arg(text(), m_count));
    setToolTip(tr("%1, %2 rows: click to hide or show them").arg(text(), m_count));
    updateGeometry();
    update();
}

QSize FamilyButton::sizeHint() const {
    const QFontMetricsF metrics(Theme::of(this).font(TypeRole::Caption));
    return {int(std::ceil(dot + gap + metrics.horizontalAdvance(text() + QLatin1Char(' ') + m_count) + 8)), 20};
}

void FamilyButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    if (underMouse() || isDown())
        surfaces::rounded(painter, rect(), Theme::radius(Corner::Mark), theme.colour(ColourRole::Raised));
    const QColor colour = theme.fill(kindOfFamily(m_family));
    painter.setPen(QPen(colour, 1.5));
    painter.setBrush(isChecked() ? QBrush(colour) : QBrush(Qt::NoBrush));
    painter.drawEllipse(QRectF(3, (height() - dot) / 2 + 0.5, dot - 1, dot - 1));
    const QFont font = theme.font(TypeRole::Caption);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme.colour(isChecked() ? ColourRole::Text : ColourRole::Text3));
    const QRectF words = QRectF(rect()).adjusted(3 + dot + gap, 0, -2, 0);
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     metrics.elidedText(text() + QLatin1Char(' ') + m_count, Qt::ElideMiddle, words.width()));
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Mark), theme);
}

FamilyLegend::FamilyLegend(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this)) {
    setObjectName(QStringLiteral("familyLegend"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(0);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void FamilyLegend::setFamilies(const QVector<EvidenceFamily> &families) {
    if (isSame(families, m_families))
        return;
    qDeleteAll(m_buttons);
    m_buttons.clear();
    m_families = families;
    for (int i = 0; i < families.size(); ++i) {
        auto *button = new FamilyButton(i, families.at(i), this);
        button->setObjectName(QStringLiteral("family%1").arg(i));
        connect(button, &QAbstractButton::toggled, this, &FamilyLegend::changed);
        m_grid->addWidget(button, i / perRow, i % perRow, Qt::AlignLeft);
        m_buttons.push_back(button);
    }
}

void FamilyLegend::setCounts(const QVector<EvidenceFamily> &left) {
    for (std::size_t i = 0; i < m_buttons.size() && static_cast<qsizetype>(i) < left.size(); ++i) {
        const auto at = static_cast<qsizetype>(i);
        m_buttons[i]->setCount(left.at(at).rows);
    }
}

QString FamilyLegend::countOf(int family) const {
    return m_buttons.at(static_cast<std::size_t>(family))->m_count;
}

bool FamilyLegend::isShown(int family) const {
    const auto place = static_cast<std::size_t>(family);
    return family < 0 || place >= m_buttons.size() || m_buttons[place]->isChecked();
}

} // namespace meshwright
