// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/card.h"

#include "figures/figure_event.h"
#include "figures/figure_keys.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr int HeadingHeight = 20;

} // namespace

CardHeading::CardHeading(QWidget *parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
}

void CardHeading::setTitle(const QString &title) {
    m_title = title;
    updateGeometry();
    update();
}

void CardHeading::setSubtitle(const SentenceText &subtitle) {
    m_subtitle = subtitle;
    m_pointed = m_current = -1;
    setFocusPolicy(subtitle.figures.empty() ? Qt::NoFocus : Qt::TabFocus);
    setAccessibleName(m_subtitle.text);
    updateGeometry();
    update();
}

qreal CardHeading::subtitleLeft() const {
    const QFontMetricsF metrics(Theme::of(this).font(TypeRole::Emphasis, TextWeight::SemiBold));
    return m_title.isEmpty() ? 0 : metrics.horizontalAdvance(m_title) + 8;
}

bool CardHeading::hasRoom() const {
    const QFontMetricsF small(Theme::of(this).font(TypeRole::Body));
    return subtitleLeft() + small.horizontalAdvance(m_subtitle.text) <= width() + 1;
}

std::vector<CardHeading::Place> CardHeading::places() const {
    std::vector<Place> found;
    if (!hasRoom())
        return found;
    const QFontMetricsF small(Theme::of(this).font(TypeRole::Body));
    for (const SentenceText::Figure &figure : m_subtitle.figures)
        found.push_back({QRectF(subtitleLeft() + small.horizontalAdvance(m_subtitle.text.left(figure.begin)), 0,
                                small.horizontalAdvance(m_subtitle.text.mid(figure.begin, figure.length)), height()),
                         figureOf(figure.target)});
    return found;
}

int CardHeading::placeAt(const QPoint &at) const {
    const std::vector<Place> all = places();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].area.adjusted(-3, 0, 3, 0).contains(at))
            return static_cast<int>(i);
    return -1;
}

QList<FigureRef> CardHeading::figures() const {
    QList<FigureRef> all;
    for (const Place &place : places())
        all << place.figure;
    return all;
}

FigureRef CardHeading::figureAt(const QPoint &place) const {
    const int at = placeAt(place);
    return at < 0 ? FigureRef() : places()[static_cast<std::size_t>(at)].figure;
}

FigureRef CardHeading::currentFigure() const {
    const std::vector<Place> all = places();
    return m_current < 0 || m_current >= static_cast<int>(all.size()) ? FigureRef()
                                                                      : all[static_cast<std::size_t>(m_current)].figure;
}

void CardHeading::mouseMoveEvent(QMouseEvent *event) {
    const int at = placeAt(event->pos());
    if (at == m_pointed)
        return;
    m_pointed = at;
    setCursor(at >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void CardHeading::leaveEvent(QEvent *event) {
    m_pointed = -1;
    update();
    QWidget::leaveEvent(event);
}

void CardHeading::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        wantFigure(this, figureAt(event->pos()));
}

void CardHeading::move(int step) {
    m_current = std::clamp(m_current + step, 0, std::max(0, static_cast<int>(places().size()) - 1));
    update();
}

void CardHeading::focusInEvent(QFocusEvent *event) {
    QWidget::focusInEvent(event);
    if (m_current < 0)
        move(1);
}

void CardHeading::keyPressEvent(QKeyEvent *event) {
    if (!walkFigures(
            *event, [this](int step) { move(step); }, [this] { wantFigure(this, currentFigure()); }))
        QWidget::keyPressEvent(event);
}

QSize CardHeading::minimumSizeHint() const {
    const QFontMetricsF title(Theme::of(this).font(TypeRole::Emphasis, TextWeight::SemiBold));
    return {int(std::ceil(title.horizontalAdvance(m_title))), HeadingHeight};
}

QSize CardHeading::sizeHint() const {
    const QFontMetricsF subtitle(Theme::of(this).font(TypeRole::Body));
    return minimumSizeHint() + QSize(8 + int(std::ceil(subtitle.horizontalAdvance(m_subtitle.text))), 0);
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
    painter.setFont(theme.font(TypeRole::Body));
    painter.setPen(theme.colour(ColourRole::Text3));
    // A subtitle that does not fit is hidden rather than cut.
    if (hasRoom())
        painter.drawText(QPointF(subtitleLeft(), baseline), m_subtitle.text);
    setToolTip(hasRoom() ? QString() : m_subtitle.text);
    const std::vector<Place> all = places();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRectF &area = all[i].area;
        const bool pointed = static_cast<int>(i) == m_pointed;
        painter.setPen(QPen(theme.colour(pointed ? ColourRole::Accent : ColourRole::LineStrong), 1,
                            pointed ? Qt::SolidLine : Qt::DotLine));
        painter.drawLine(QPointF(area.left(), baseline + 3), QPointF(area.right(), baseline + 3));
        if (showsFocusRing(this) && static_cast<int>(i) == m_current)
            surfaces::focusRing(painter, area.adjusted(-3, 0, 3, 0).toAlignedRect(), 4, theme);
    }
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
    // If all content has a fixed height, this stretch takes the remaining height, so that the title stays at the top.
    outer->addStretch(0);
    setTitle(title);
    setSubtitle(subtitle);
}

void Card::setTitle(const QString &title) {
    m_heading->setTitle(title);
    if (!title.isEmpty())
        setAccessibleName(title);
    bool isNeeded = !title.isEmpty();
    for (int i = 1; i < m_headingLayout->count(); ++i)
        isNeeded = isNeeded || !m_headingLayout->itemAt(i)->widget()->isHidden();
    m_headingRow->setVisible(isNeeded);
}

void Card::setSubtitle(const SentenceText &subtitle) {
    m_heading->setSubtitle(subtitle);
}

void Card::addTrailing(QWidget *widget) {
    m_headingLayout->addWidget(widget, 0, Qt::AlignVCenter);
    m_headingRow->show();
}

void Card::reserveHeading(int height) {
    m_headingRow->setMinimumHeight(height);
}

void Card::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Card), theme.colour(ColourRole::Card),
                      theme.colour(ColourRole::Line));
}

} // namespace meshwright
