// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan_errors.h"

#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "views/plan_view.h"
#include "views/problems_card.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {
constexpr int minHeight = 140; ///< room for the title and the first error
} // namespace

PlanErrors::PlanErrors(QWidget *parent)
    : QScrollArea(parent) {
    setObjectName(QStringLiteral("planErrors"));
    auto *content = new QWidget;
    auto *title = new QHBoxLayout;
    title->setSpacing(8);
    title->addWidget(new IconLabel(QStringLiteral("err"), ColourRole::Bad, 16, content));
    title->addWidget(new TextLabel(tr("This plan cannot be evaluated"), TypeRole::Title, ColourRole::Text,
                                   TextWeight::SemiBold, content),
                     1);
    m_words = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, content);
    m_words->setWordWrap(true);
    m_problems = new ProblemsCard(content);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(8);
    column->addLayout(title);
    column->addWidget(m_words);
    column->addWidget(m_problems);
    column->addStretch(1);
    content->installEventFilter(this);
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

void PlanErrors::setPageMargins(const QMargins &margins) {
    widget()->layout()->setContentsMargins(margins);
    updateGeometry();
}

void PlanErrors::showPlan(const PlanView &view, Below below) {
    m_problems->showPlan(view);
    m_words->setText(view.result != nullptr && below == Below::LastValid
                         ? tr("The results below are from the last valid plan.")
                         : tr("Results appear here once these errors are fixed."));
    setVisible(!view.valid);
    updateGeometry();
}

int PlanErrors::contentHeight() const {
    // Wrapped sentences make the height depend on the width. A scroll area never shrinks its content below the minimum
    // height.
    const QLayout *layout = widget()->layout();
    const int wanted = layout->hasHeightForWidth() ? layout->totalHeightForWidth(std::max(1, viewport()->width()))
                                                   : layout->totalSizeHint().height();
    return std::max(wanted, layout->totalMinimumSize().height());
}

QSize PlanErrors::sizeHint() const {
    return {widget()->sizeHint().width(), contentHeight()};
}

QSize PlanErrors::minimumSizeHint() const {
    return {0, std::min(minHeight, contentHeight())};
}

void PlanErrors::resizeEvent(QResizeEvent *event) {
    QScrollArea::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        updateGeometry();
}

bool PlanErrors::eventFilter(QObject *watched, QEvent *event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

} // namespace meshwright
