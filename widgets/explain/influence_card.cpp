// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/influence_card.h"

#include "controls/text_label.h"
#include "explain/effect.h"
#include "figures/change_tone.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "sensitivity/explain_influence.h"
#include "theme/surfaces.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr int padding = 8;
constexpr int barHeight = 10;
constexpr int margin = 4; ///< space above and below the text of a row
constexpr double barShare = 0.42; ///< fraction of the row width for bars in both directions together

int wrappedHeight(const QFont &font, int width, const QString &text) {
    return QFontMetrics(font).boundingRect(QRect(0, 0, width, QWIDGETSIZE_MAX), Qt::TextWordWrap, text).height();
}

QString signedShare(double change) {
    const QString sign = change > 0 ? QStringLiteral("+") : QString();
    return sign + shareText(change);
}

} // namespace

std::vector<ShownInfluence> shownInfluences(const std::vector<Influence> &influences, const InfluenceQuestion &question,
                                            const FigureRef &of) {
    std::vector<ShownInfluence> shown;
    for (const Influence &influence : influences) {
        const Variation &input = influence.variation;
        shown.push_back({influence,
                         {QString::fromStdString(influence_name(question, influence.before)),
                          scope::Variation{QString::fromStdString(input.pointer), QString::fromStdString(input.from),
                                           QString::fromStdString(input.to), of}}});
    }
    return shown;
}

std::vector<ShownInfluence> shownInfluences(const Derivation &figure, const FigureRef &of) {
    std::vector<ShownInfluence> shown;
    for (const InnerInfluence &inner : influencesWithin(figure))
        shown.push_back({inner.influence, FigureRef::effectOf({inner.nodes, true, of})});
    return shown;
}

InfluenceRow::InfluenceRow(QWidget *parent)
    : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setMouseTracking(true);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(this, &QAbstractButton::clicked, this, [this] { wantFigure(this, targetAt(m_pressed)); });
}

QRect InfluenceRow::changeArea() const {
    const int width = static_cast<int>(this->width() * barShare);
    return {this->width() - padding - width, 0, width, height()};
}

FigureTarget InfluenceRow::targetAt(const QPoint &place) const {
    return m_pointer.isEmpty() || place.x() >= changeArea().left() ? FigureTarget(m_figure) : PlanField(m_pointer);
}

void InfluenceRow::mousePressEvent(QMouseEvent *event) {
    m_pressed = event->pos();
    QAbstractButton::mousePressEvent(event);
}

void InfluenceRow::mouseMoveEvent(QMouseEvent *event) {
    m_isOnChange = !figureAt(event->pos()).isEmpty();
    update();
    QAbstractButton::mouseMoveEvent(event);
}

void InfluenceRow::leaveEvent(QEvent *event) {
    m_isOnChange = false;
    QAbstractButton::leaveEvent(event);
}

void InfluenceRow::keyPressEvent(QKeyEvent *event) {
    m_pressed = {}; // discards the press, because Space activates the name just as Enter does
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        wantFigure(this, targetAt(m_pressed));
    else
        QAbstractButton::keyPressEvent(event);
}

int InfluenceRow::textWidth(int width) {
    return width - static_cast<int>(width * barShare) - 3 * padding;
}

int InfluenceRow::heightForWidth(int width) const {
    const Theme &theme = Theme::of(this);
    return wrappedHeight(theme.font(TypeRole::Body), textWidth(width), m_what)
        + wrappedHeight(theme.font(TypeRole::Caption), textWidth(width), m_step) + 2 * margin;
}

void InfluenceRow::resizeEvent(QResizeEvent *event) {
    if (event->oldSize().width() != width())
        updateGeometry(); // the texts wrap differently
}

void InfluenceRow::showInfluence(const ShownInfluence &shown, double widest, bool hasField, Preference preference) {
    const Influence &influence = shown.influence;
    m_figure = shown.figure;
    m_pointer = hasField ? QString::fromStdString(influence.variation.pointer) : QString();
    m_what = QString::fromStdString(influence.variation.what);
    if (!m_what.isEmpty())
        m_what[0] = m_what.at(0).toUpper();
    m_step = tr("%1 → %2").arg(QString::fromStdString(influence.variation.from),
                               QString::fromStdString(influence.variation.to));
    m_change = influence.change;
    m_tone = changeTone(preference, influence.change);
    m_widest = widest;
    // A figure of 0 has no relative change.
    m_changeText =
        influence.before != 0 ? signedShare(influence.change) : (influence.change > 0 ? tr("more") : tr("less"));
    setAccessibleName(tr("%1, %2: %3").arg(m_what, m_step, m_changeText));
    updateGeometry();
    update();
}

void InfluenceRow::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    if (underMouse() || isDown())
        surfaces::rounded(painter, rect(), Theme::radius(Corner::Field),
                          theme.colour(isDown() ? ColourRole::Raised : ColourRole::Field));
    const QFont body = theme.font(TypeRole::Body);
    const QFont small = theme.font(TypeRole::Caption);
    const auto text = [&](int top, const QFont &font, ColourRole role, const QString &words) {
        const QRect area(padding, top, textWidth(width()), wrappedHeight(font, textWidth(width()), words));
        painter.setFont(font);
        painter.setPen(theme.colour(role));
        painter.drawText(area, Qt::AlignLeft | Qt::TextWordWrap, words);
        return area.bottom() + 1;
    };
    const int barsWidth = changeArea().width();
    text(text(margin, body, ColourRole::Text, m_what), small, ColourRole::Text3, m_step);
    const qreal middle = width() - padding - barsWidth / 2.0;
    const QFontMetricsF metrics(small);
    // The text goes on the opposite side of the axis from the bar.
    const qreal length = std::max<qreal>(1.5, std::abs(m_change) / m_widest * (barsWidth / 2.0));
    const bool grows = m_change > 0;
    const qreal top = (height() - barHeight) / 2.0;
    const QRectF bar(grows ? middle : middle - length, top, length, barHeight);
    painter.fillRect(bar, theme.fill(changeKind(m_tone)));
    painter.fillRect(QRectF(std::round(middle), top - 4, 1, barHeight + 8), theme.colour(ColourRole::LineStrong));
    QFont changeFont = small;
    changeFont.setUnderline(underMouse() && m_isOnChange);
    painter.setFont(changeFont);
    painter.setPen(theme.colour(underMouse() && m_isOnChange ? ColourRole::Text : ColourRole::Text2));
    const qreal baseline = (height() + metrics.ascent() - metrics.descent()) / 2;
    painter.drawText(QPointF(grows ? middle - 6 - metrics.horizontalAdvance(m_changeText) : middle + 7, baseline),
                     m_changeText);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

InfluenceCard::InfluenceCard(QWidget *parent)
    : Card(parent)
    , m_computing(new TextLabel(tr("Evaluating the plan with each input changed…"), TypeRole::Body, ColourRole::Text3,
                                TextWeight::Regular, this)) {
    setObjectName(QStringLiteral("influenceCard"));
    setTitle(tr("Most influential inputs"));
    m_computing->setObjectName(QStringLiteral("influencesComputing"));
    m_computing->setWordWrap(true);
    m_computing->setContentsMargins(padding, 0, padding, 4);
    contentLayout()->addWidget(m_computing);
    m_computing->hide();
    contentLayout()->setSpacing(0);
    contentLayout()->setContentsMargins(-8, 0, -8, 0);
}

void InfluenceCard::showComputing(const QString &figure) {
    setSubtitle(figure);
    for (InfluenceRow *row : m_rows)
        row->hide(); // the rows still show the influences on another figure
    m_computing->show();
    show();
}

void InfluenceCard::showInfluences(const QString &figure, const std::vector<ShownInfluence> &influences,
                                   Preference preference) {
    m_computing->hide();
    setVisible(!influences.empty());
    if (influences.empty())
        return;
    setSubtitle(figure);
    const std::size_t shown = std::min(Most, influences.size());
    while (m_rows.size() < shown) {
        auto *row = new InfluenceRow(this);
        row->setObjectName(QStringLiteral("influence%1").arg(m_rows.size()));
        contentLayout()->addWidget(row);
        m_rows.push_back(row);
    }
    const double widest = std::abs(influences.front().influence.change);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        m_rows[i]->setVisible(i < shown);
        if (i < shown) {
            const QString pointer = QString::fromStdString(influences[i].influence.variation.pointer);
            m_rows[i]->showInfluence(influences[i], widest, m_hasField && m_hasField(pointer), preference);
        }
    }
}

} // namespace meshwright
