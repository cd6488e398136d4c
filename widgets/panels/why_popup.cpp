// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/why_popup.h"

#include "controls/text_label.h"
#include "theme/surfaces.h"

#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {
constexpr int popupWidth = 320;
constexpr int gap = 4;
} // namespace

WhyPopup::WhyPopup(QWidget *parent)
    : QFrame(parent, Qt::Popup | Qt::FramelessWindowHint)
    , m_title(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this))
    , m_sum(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_parts(new FactList(this)) {
    setObjectName(QStringLiteral("whyPopup"));
    setAttribute(Qt::WA_TranslucentBackground);
    m_sum->setWordWrap(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_sum);
    column->addWidget(m_parts);
    setFixedWidth(popupWidth);
}

void WhyPopup::openUnder(const QWidget *figure, const Reasoning &reasoning) {
    m_title->setText(reasoning.title);
    m_sum->setText(reasoning.sum);
    m_sum->setVisible(!reasoning.sum.isEmpty());
    m_parts->setFacts(reasoning.parts);
    setAccessibleName(reasoning.title);
    setAccessibleDescription(reasoning.sum);
    adjustSize();
    setFixedHeight(layout()->heightForWidth(popupWidth));
    QPoint corner = figure->mapToGlobal(QPoint(0, figure->height() + gap));
    const QRect screen = figure->screen()->availableGeometry();
    corner.setX(std::clamp(corner.x(), screen.left(), std::max(screen.left(), screen.right() - width())));
    move(corner);
    show();
}

void WhyPopup::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Popup), theme.colour(ColourRole::Card),
                      theme.colour(ColourRole::LineStrong));
}

} // namespace meshwright
