// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/combo_popup.h"

#include "controls/combo_delegate.h"
#include "controls/combo_model.h"
#include "controls/text_label.h"
#include "theme/compositing.h"
#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {
namespace {

constexpr int ShadowSpread = 12;
constexpr int Padding = 8;
constexpr int MaxRows = 12;

} // namespace

ComboPopup::ComboPopup(QWidget *parent)
    : QFrame(parent, Qt::Popup | Qt::FramelessWindowHint | Qt::NoDropShadowWindowHint)
    , m_blended(screenComposites())
    , m_spread(m_blended ? ShadowSpread : 0)
    , m_model(new ComboModel(this))
    , m_filter(new ComboFilter(this))
    , m_delegate(new ComboDelegate(this))
    , m_edit(new QLineEdit(this))
    , m_view(new QListView(this))
    , m_nothing(new TextLabel(tr("No matches"), TypeRole::Body, ColourRole::Text3, TextWeight::Regular, this)) {
    setAttribute(Qt::WA_TranslucentBackground, m_blended);
    m_filter->setSourceModel(m_model);
    m_view->setModel(m_filter);
    m_view->setItemDelegate(m_delegate);
    m_view->setMouseTracking(true);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setAccessibleName(tr("Matches"));
    m_view->viewport()->setAutoFillBackground(false);
    m_edit->addAction(icons::icon(QStringLiteral("search"), ColourRole::Text3), QLineEdit::LeadingPosition);
    m_edit->setAccessibleName(tr("Filter"));
    m_edit->setMinimumHeight(28);
    m_edit->installEventFilter(this);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->hide();
    setFocusProxy(m_edit);
    auto *layout = new QVBoxLayout(this);
    const int margin = m_spread + Padding;
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->setSpacing(4);
    layout->addWidget(m_edit);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_nothing, 1);
    connect(m_edit, &QLineEdit::textChanged, this, &ComboPopup::filter);
    connect(m_view, &QListView::clicked, this, &ComboPopup::pick);
}

void ComboPopup::setItems(const QVector<ComboItem> &items) {
    m_model->setItems(items);
}

void ComboPopup::setPlaceholder(const QString &text) {
    m_edit->setPlaceholderText(text);
}

int ComboPopup::matchCount() const {
    return m_filter->rowCount();
}

void ComboPopup::openAt(QWidget *anchor, const QString &chosenId) {
    m_delegate->setChosen(chosenId);
    m_edit->clear();
    filter({});
    int height = 0;
    for (int row = 0; row < std::min(m_filter->rowCount(), MaxRows); ++row)
        height += m_view->sizeHintForIndex(m_filter->index(row, 0)).height();
    const int content = std::clamp(m_view->sizeHintForColumn(0) + 16, std::max(240, anchor->width() - 2 * Padding),
                                   std::max(460, anchor->width()));
    const int margin = 2 * (m_spread + Padding);
    resize(content + margin, height + m_edit->minimumHeight() + 4 + margin);
    const QRect screen = anchor->screen()->availableGeometry();
    QPoint at = anchor->mapToGlobal(QPoint(0, anchor->height() + 4)) - QPoint(m_spread, m_spread);
    if (at.y() + this->height() > screen.bottom() + m_spread)
        at.setY(anchor->mapToGlobal(QPoint(0, -4)).y() - this->height() + m_spread);
    at.setX(std::clamp(at.x(), screen.left() - m_spread, std::max(screen.left(), screen.right() - width() + m_spread)));
    at.setY(std::max(at.y(), screen.top() - m_spread));
    move(at);
    show();
    m_edit->setFocus(Qt::PopupFocusReason);
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        if (m_filter->index(row, 0).data(ComboModel::IdRole).toString() == chosenId)
            selectRow(row);
    }
}

void ComboPopup::filter(const QString &words) {
    m_filter->setWords(words);
    m_view->setVisible(m_filter->rowCount() > 0);
    m_nothing->setVisible(m_filter->rowCount() == 0);
    selectRow(0);
}

void ComboPopup::selectRow(int row) {
    const int last = m_filter->rowCount() - 1;
    if (last < 0)
        return;
    const QModelIndex index = m_filter->index(std::clamp(row, 0, last), 0);
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
}

void ComboPopup::pick() {
    const QModelIndex index = m_view->currentIndex();
    if (!index.isValid())
        return;
    const QString id = index.data(ComboModel::IdRole).toString();
    hide();
    Q_EMIT picked(id);
}

bool ComboPopup::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const int row = m_view->currentIndex().row();
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Down:
        selectRow(row + 1);
        return true;
    case Qt::Key_Up:
        selectRow(row - 1);
        return true;
    case Qt::Key_PageDown:
        selectRow(row + MaxRows - 1);
        return true;
    case Qt::Key_PageUp:
        selectRow(row - MaxRows + 1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
        pick();
        return true;
    case Qt::Key_Escape:
        hide();
        return true;
    default:
        return QFrame::eventFilter(watched, event);
    }
}

void ComboPopup::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const QRectF surface = QRectF(rect()).adjusted(m_spread, m_spread, -m_spread, -m_spread);
    const qreal radius = m_blended ? Theme::radius(Corner::Popup) : 0;
    if (m_blended)
        surfaces::shadow(painter, surface, radius, ShadowSpread - 2, theme);
    surfaces::rounded(painter, surface, radius, theme.colour(ColourRole::Card), theme.colour(ColourRole::Line));
}

} // namespace meshwright
