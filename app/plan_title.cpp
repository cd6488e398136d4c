// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_title.h"

#include "controls/text_field.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"

#include <QHBoxLayout>
#include <QKeyEvent>

namespace meshwright {

namespace {
constexpr int longestName = 420; ///< pixels; leaves space for the header's buttons
constexpr int fieldWidth = 320;
constexpr int longestTyped = 200;
} // namespace

PlanTitle::PlanTitle(QWidget *parent)
    : QWidget(parent)
    , m_label(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this))
    , m_field(new TextField(this)) {
    m_label->setObjectName(QStringLiteral("planName"));
    m_label->setTextFormat(Qt::PlainText);
    m_label->setCursor(Qt::IBeamCursor);
    m_label->installEventFilter(this);
    showsNoFigures(m_label, NotFigures::name);
    m_field->setObjectName(QStringLiteral("planNameField"));
    m_field->setAccessibleName(tr("Plan name"));
    m_field->setFixedWidth(fieldWidth);
    m_field->setMaxLength(longestTyped);
    m_field->installEventFilter(this);
    m_field->hide();
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_label);
    row->addWidget(m_field);
    connect(m_field, &TextField::committed, this, [this](const QString &text) { Q_EMIT renamed(text.simplified()); });
    connect(m_field, &QLineEdit::editingFinished, this, &PlanTitle::close);
}

void PlanTitle::showName(const QString &name, const QString &notes) {
    m_name = name;
    m_label->setText(m_label->fontMetrics().elidedText(name, Qt::ElideRight, longestName));
    const QString tip = tr("%1\nClick to rename").arg(name);
    m_label->setToolTip(notes.isEmpty() ? tip : tr("%1\n\nNotes: %2").arg(tip, notes));
    m_field->showText(name);
}

bool PlanTitle::isEditing() const {
    return m_field->isVisible();
}

void PlanTitle::edit() {
    m_label->hide();
    m_field->show();
    m_field->setFocus(Qt::OtherFocusReason);
    m_field->selectAll();
}

void PlanTitle::close() {
    m_field->hide();
    m_label->show();
}

bool PlanTitle::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_label && event->type() == QEvent::MouseButtonRelease) {
        edit();
        return true;
    }
    if (watched == m_field && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        m_field->restore();
        close();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace meshwright
