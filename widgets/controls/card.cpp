// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/card.h"

#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <cmath>

namespace meshwright {
namespace {

constexpr int HeadingHeight = 20;

} // namespace

CardHeading::CardHeading(QWidget *parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void CardHeading::setTitle(const QString &title) {
    m_title = title;
    updateGeometry();
    update();
}

void CardHeading::setSubtitle(const QString &subtitle) {
    m_subtitle = subtitle;
    updateGeometry();
    update();
}

QSize CardHeading::minimumSizeHint() const {
    const QFontMetricsF title(Theme::of(this).font(TypeRole::Emphasis, TextWeight::SemiBold));
    return {int(std::ceil(title.horizontalAdvance(m_title))), HeadingHeight};
}

QSize CardHeading::sizeHint() const {
    const QFontMetricsF subtitle(Theme::of(this).font(TypeRole::Body));
    return minimumSizeHint() + QSize(8 + int(std::ceil(subtitle.horizontalAdvance(m_subtitle))), 0);
}

void CardHeading::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const QFont titleFont = theme.font(TypeRole::Emphasis, TextWeight::SemiBold);
    const QFontMetricsF metrics(titleFont);
    const qreal baseline = std::round((height() - metrics.height()) / 2 + metrics.ascent());
    painter.setFont(titleFont);
    painter.setPen(theme.colour(ColourRole::Text));
    painter.drawText(QPointF(0, baseline), m_title);
    const qreal left = m_title.isEmpty() ? 0 : metrics.horizontalAdvance(m_title) + 8;
    painter.setFont(theme.font(TypeRole::Body));
    painter.setPen(theme.colour(ColourRole::Text3));
    const QFontMetricsF small(painter.font());
    // Half a subtitle is worse than none.
    if (left + small.horizontalAdvance(m_subtitle) <= width() + 1)
        painter.drawText(QPointF(left, baseline), m_subtitle);
    setToolTip(left + small.horizontalAdvance(m_subtitle) <= width() + 1 ? QString() : m_subtitle);
}

Card::Card(QWidget *parent)
    : Card(QString(), QString(), parent) { }

Card::Card(const QString &title, const QString &subtitle, QWidget *parent)
    : QWidget(parent)
    , m_headingRow(new QWidget(this))
    , m_heading(new CardHeading(m_headingRow))
    , m_headingLayout(new QHBoxLayout(m_headingRow))
    , m_content(new QVBoxLayout) {
    m_headingLayout->setContentsMargins(0, 0, 0, 0);
    m_headingLayout->setSpacing(Theme::space(Space::S));
    m_headingLayout->addWidget(m_heading, 1);
    m_headingRow->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_headingRow->hide();
    m_content->setSpacing(Theme::space(Space::S));
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(16, 14, 16, 16);
    outer->setSpacing(Theme::space(Space::S));
    outer->addWidget(m_headingRow);
    outer->addLayout(m_content, 1);
    // Takes what content of a fixed height leaves, so that the title stays at the top.
    outer->addStretch(0);
    setTitle(title);
    setSubtitle(subtitle);
}

void Card::setTitle(const QString &title) {
    m_heading->setTitle(title);
    if (!title.isEmpty()) {
        setAccessibleName(title);
        m_headingRow->show();
    }
}

void Card::setSubtitle(const QString &subtitle) {
    m_heading->setSubtitle(subtitle);
}

void Card::addTrailing(QWidget *widget) {
    m_headingLayout->addWidget(widget, 0, Qt::AlignVCenter);
    m_headingRow->show();
}

void Card::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Card), theme.colour(ColourRole::Card),
                      theme.colour(ColourRole::Line));
}

} // namespace meshwright
