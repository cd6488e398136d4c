// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/searchable_combo.h"

#include "controls/combo_popup.h"
#include "figures/figure_event.h"
#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>

namespace meshwright {
namespace {

constexpr int RowHeight = 24;
constexpr int Padding = 8;
constexpr int ChevronWidth = 24;

} // namespace

SearchableCombo::SearchableCombo(QWidget *parent)
    : QAbstractButton(parent)
    , m_popup(new ComboPopup(this)) {
    showsNoFigures(this, NotFigures::setting);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setPlaceholder(tr("Search by any part of the name"));
    connect(this, &QAbstractButton::clicked, this, &SearchableCombo::openPopup);
    connect(m_popup, &ComboPopup::picked, this, [this](const QString &id) {
        if (id == m_currentId)
            return;
        setCurrentId(id);
        Q_EMIT chosen(id);
    });
}

void SearchableCombo::setItems(const QVector<ComboItem> &items) {
    m_items = items;
    m_popup->setItems(items);
    refreshText();
}

void SearchableCombo::setUnknownText(const QString &text) {
    m_unknownText = text;
    refreshText();
}

void SearchableCombo::setPlaceholder(const QString &text) {
    m_popup->setPlaceholder(text);
}

void SearchableCombo::setCurrentId(const QString &id) {
    m_currentId = id;
    refreshText();
}

void SearchableCombo::refreshText() {
    const auto item = std::find_if(m_items.cbegin(), m_items.cend(),
                                   [this](const ComboItem &each) { return each.id == m_currentId; });
    setText(item != m_items.cend() ? item->text : m_unknownText);
    setAccessibleDescription(text());
    updateGeometry();
}

void SearchableCombo::openPopup() {
    m_popup->openAt(this, m_currentId);
}

QSize SearchableCombo::sizeHint() const {
    return {std::clamp(fontMetrics().horizontalAdvance(text()) + Padding + ChevronWidth, 120, 240), RowHeight};
}

QSize SearchableCombo::minimumSizeHint() const {
    return {72, RowHeight};
}

void SearchableCombo::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
    case Qt::Key_Down:
    case Qt::Key_F4:
        openPopup();
        return;
    default:
        break;
    }
    const QString typed = event->text();
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (plain && !typed.isEmpty() && typed.front().isPrint()) {
        openPopup();
        m_popup->filterEdit()->setText(typed);
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

void SearchableCombo::mousePressEvent(QMouseEvent *event) {
    // Opens on press like every combo box. If it opened on release, the popup would receive the release.
    if (event->button() == Qt::LeftButton) {
        setFocus(Qt::MouseFocusReason);
        openPopup();
        return;
    }
    QAbstractButton::mousePressEvent(event);
}

void SearchableCombo::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const bool open = m_popup->isVisible();
    surfaces::field(painter, rect(), theme, fieldState(this),
                    {.enabled = isEnabled(), .hovered = underMouse(), .focused = hasFocus() || open});
    const QRect area = rect().adjusted(Padding, 0, -ChevronWidth, 0);
    // Names that do not fit get a smaller font before they are elided.
    const QFont font = theme.fontFor(text(), area.width());
    const QString shown = QFontMetrics(font).elidedText(text(), Qt::ElideRight, area.width());
    if ((shown == text()) != toolTip().isEmpty())
        setToolTip(shown == text() ? QString() : text());
    const QColor quiet = theme.colour(ColourRole::Text3);
    painter.setPen(isEnabled() ? theme.colour(ColourRole::Text) : mixed(quiet, theme.colour(ColourRole::Card), 0.35));
    painter.setFont(font);
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
    QRectF chevron(0, 0, 14, 14);
    chevron.moveCenter({width() - ChevronWidth / 2.0, height() / 2.0});
    icons::paint(painter, chevron, QStringLiteral("chev"), quiet);
}

} // namespace meshwright
