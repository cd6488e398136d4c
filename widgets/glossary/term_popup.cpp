// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/term_popup.h"

#include "glossary/glossary_card.h"
#include "glossary/term_text.h"
#include "theme/compositing.h"
#include "theme/control_states.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int ShadowSpread = 12;
constexpr int Padding = 16;
constexpr int ContentWidth = 400;
constexpr int Gap = 4; ///< gap in pixels between the term and the popup

} // namespace

TermPopup::TermPopup(QWidget *window)
    : QFrame(window, Qt::Popup | Qt::FramelessWindowHint | Qt::NoDropShadowWindowHint)
    , m_blended(screenComposites())
    , m_spread(m_blended ? ShadowSpread : 0)
    , m_card(new GlossaryCard(this)) {
    setObjectName(QStringLiteral("termPopup"));
    setAttribute(Qt::WA_TranslucentBackground, m_blended);
    setFocusPolicy(Qt::StrongFocus); // screen readers read the text before its links
    auto *whole = new QPushButton(tr("Open in glossary"), this);
    whole->setObjectName(QStringLiteral("openInGlossary"));
    setButtonRole(whole, ButtonRole::Flat);
    connect(whole, &QPushButton::clicked, this, [this] {
        hide();
        Q_EMIT glossaryWanted(m_card->termId());
    });
    connect(m_card, &GlossaryCard::targetWanted, this, [this](const FigureTarget &target) {
        if (const auto *const term = std::get_if<TermRef>(&target)) {
            if (const GlossaryTerm *const found = Glossary::standard().find(term->id.toStdString()))
                showTerm(*found);
        } else if (const auto *const field = std::get_if<PlanField>(&target)) {
            hide();
            Q_EMIT fieldWanted(field->pointer);
        }
    });
    auto *layout = new QVBoxLayout(this);
    const int margin = m_spread + Padding;
    layout->setContentsMargins(margin, margin, margin, margin - 4);
    layout->setSpacing(8);
    layout->addWidget(m_card, 1);
    layout->addWidget(whole, 0, Qt::AlignLeft);
}

void TermPopup::openAt(const QWidget *from, const QRect &area, const GlossaryTerm &term) {
    m_anchor = QRect(from->mapToGlobal(area.topLeft()), area.size());
    showTerm(term);
    show();
    place(); // a widget gets its final size only when it is first shown
}

void TermPopup::showTerm(const GlossaryTerm &term) {
    m_card->showTerm(term);
    setAccessibleName(tr("Glossary: %1").arg(glossaryText(term.title())));
    setAccessibleDescription(glossaryText(term.definition));
    place();
    setFocus(Qt::PopupFocusReason);
}

void TermPopup::place() {
    const int width = ContentWidth + 2 * (m_spread + Padding);
    layout()->activate();
    resize(width, std::max(layout()->totalHeightForWidth(width), layout()->totalMinimumSize().height()));
    const QScreen *const screen = parentWidget()->screen();
    const QRect free = screen->availableGeometry().adjusted(-m_spread, -m_spread, m_spread, m_spread);
    QPoint at = m_anchor.bottomLeft() + QPoint(-m_spread - Padding, Gap - m_spread);
    if (at.y() + height() > free.bottom())
        at.setY(m_anchor.top() - Gap - height() + m_spread);
    at.setX(std::clamp(at.x(), free.left(), std::max(free.left(), free.right() - this->width())));
    at.setY(std::clamp(at.y(), free.top(), std::max(free.top(), free.bottom() - height())));
    move(at);
}

void TermPopup::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const QRectF surface = QRectF(rect()).adjusted(m_spread, m_spread, -m_spread, -m_spread);
    const qreal radius = m_blended ? Theme::radius(Corner::Popup) : 0;
    if (m_blended)
        surfaces::shadow(painter, surface, radius, ShadowSpread - 2, theme);
    surfaces::rounded(painter, surface, radius, theme.colour(ColourRole::Card), theme.colour(ColourRole::Line));
}

} // namespace meshwright
