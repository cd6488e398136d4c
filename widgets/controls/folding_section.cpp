// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/folding_section.h"

#include "controls/small_marks.h"
#include "figures/figure_event.h"
#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr int Margin = 16;

} // namespace

SectionHeader::SectionHeader(QWidget *parent)
    : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SectionHeader::setIconName(const QString &name) {
    m_iconName = name;
    update();
}

void SectionHeader::setSummary(const QString &text, Tone tone, const FigureRef &figure) {
    m_summary = text;
    m_tone = tone;
    m_figure = figure;
    describe();
}

bool SectionHeader::hasChevron() const {
    return m_folded || underMouse() || showsFocusRing(this);
}

QRectF SectionHeader::summaryArea() const {
    const Theme &theme = Theme::of(this);
    const qreal left = Margin + (m_iconName.isEmpty() ? 0 : 24);
    const qreal right = width() - Margin - (hasChevron() ? 20 : 0);
    const QFontMetricsF title(theme.font(TypeRole::Body, TextWeight::SemiBold));
    const qreal room = right - left - title.horizontalAdvance(text()) - 12;
    const qreal wanted = QFontMetricsF(theme.font(TypeRole::Body)).horizontalAdvance(m_summary);
    const qreal width = std::max<qreal>(0, std::min(room, wanted));
    return {right - width, 0, width, static_cast<qreal>(height())};
}

FigureRef SectionHeader::figureAt(const QPoint &place) const {
    // On hover, the chevron appears and moves the summary, so both positions of the summary are accepted.
    return summaryArea().adjusted(-4, 0, 20, 0).contains(place) ? m_figure : FigureRef();
}

void SectionHeader::mouseReleaseEvent(QMouseEvent *event) {
    const FigureRef figure = figureAt(event->pos());
    if (event->button() != Qt::LeftButton || figure.isEmpty()) {
        QAbstractButton::mouseReleaseEvent(event);
        return;
    }
    setDown(false);
    wantFigure(this, figure);
}

void SectionHeader::setFolded(bool folded) {
    m_folded = folded;
    describe();
}

void SectionHeader::describe() {
    const QString state = m_folded ? tr("folded") : tr("unfolded");
    setAccessibleDescription(m_summary.isEmpty() ? state : m_summary + QStringLiteral(", ") + state);
    update();
}

void SectionHeader::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        Q_EMIT foldAsked(event->key() == Qt::Key_Left);
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void SectionHeader::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const qreal middle = height() / 2.0;
    icons::paint(painter, QRectF(Margin, middle - 8, 16, 16), m_iconName, theme.colour(ColourRole::Text2));
    const qreal left = Margin + (m_iconName.isEmpty() ? 0 : 24);
    const QFont titleFont = theme.font(TypeRole::Body, TextWeight::SemiBold);
    const QFontMetricsF titleMetrics(titleFont);
    const qreal baseline = std::round(middle + (titleMetrics.capHeight()) / 2);
    painter.setFont(titleFont);
    painter.setPen(theme.colour(ColourRole::Text));
    painter.drawText(QPointF(left, baseline), text());
    if (hasChevron())
        icons::paint(painter, QRectF(width() - Margin - 12, middle - 7, 14, 14),
                     m_folded ? QStringLiteral("chevr") : QStringLiteral("chev"), theme.colour(ColourRole::Text3));
    const QRectF area = summaryArea();
    const QFont font = theme.fontFor(m_summary, area.width() + 0.5);
    const QString summary = QFontMetricsF(font).elidedText(m_summary, Qt::ElideRight, area.width() + 0.5);
    painter.setFont(font);
    painter.setPen(m_tone == Tone::Neutral ? theme.colour(ColourRole::Text3) : theme.ink(m_tone));
    painter.drawText(QPointF(area.right() - QFontMetricsF(font).horizontalAdvance(summary), baseline), summary);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, QRectF(rect()).adjusted(6, 3, -6, -3), Theme::radius(Corner::Field), theme);
}

FoldingSection::FoldingSection(const QString &title, const QString &iconName, QWidget *parent)
    : QWidget(parent)
    , m_header(new SectionHeader(this))
    , m_body(new QWidget(this))
    , m_content(new QVBoxLayout(m_body)) {
    m_header->setIconName(iconName);
    m_content->setContentsMargins(Margin, 0, Margin, Margin - 4);
    m_content->setSpacing(Theme::space(Space::S));
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(m_header);
    outer->addWidget(m_body);
    outer->addWidget(new Rule(this));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setTitle(title);
    connect(m_header, &QAbstractButton::clicked, this, [this] { setFolded(!m_folded); });
    connect(m_header, &SectionHeader::foldAsked, this, &FoldingSection::setFolded);
}

void FoldingSection::setTitle(const QString &title) {
    m_header->setText(title);
    setAccessibleName(title);
}

void FoldingSection::setSummary(const QString &text, Tone tone, const FigureRef &figure) {
    m_header->setSummary(text, tone, figure);
}

void FoldingSection::setFolded(bool folded) {
    if (m_folded == folded)
        return;
    m_folded = folded;
    m_body->setVisible(!folded);
    m_header->setFolded(folded);
    Q_EMIT foldedChanged(folded);
}

} // namespace meshwright
