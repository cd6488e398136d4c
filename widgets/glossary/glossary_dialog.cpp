// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/glossary_dialog.h"

#include "controls/text_label.h"
#include "glossary/glossary_model.h"
#include "glossary/term_text.h"
#include "theme/icon.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr QSize startSize(880, 620);
constexpr int listWidth = 260;
constexpr int rowsOfAPage = 12;

} // namespace

GlossaryDialog::GlossaryDialog(QWidget *parent)
    : QDialog(parent)
    , m_model(new GlossaryModel(Glossary::standard(), this))
    , m_field(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_nothing(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_card(new GlossaryCard(this)) {
    setObjectName(QStringLiteral("glossary"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Glossary"));
    resize(startSize);
    setUpList();
    layOut();
    connect(m_field, &QLineEdit::textChanged, this, &GlossaryDialog::find);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &GlossaryDialog::showSelected);
    connect(m_card, &GlossaryCard::targetWanted, this, [this](const FigureTarget &target) {
        if (const auto *const term = std::get_if<TermRef>(&target))
            showTerm(term->id);
        else if (const auto *const field = std::get_if<PlanField>(&target))
            Q_EMIT fieldWanted(field->pointer);
    });
    find({});
    m_field->setFocus();
}

void GlossaryDialog::setUpList() {
    m_field->setObjectName(QStringLiteral("glossarySearch"));
    m_field->setPlaceholderText(tr("Search terms and definitions"));
    m_field->setAccessibleName(tr("Search the glossary"));
    m_field->setClearButtonEnabled(true);
    m_field->setMinimumHeight(28);
    m_field->addAction(icons::icon(QStringLiteral("search"), ColourRole::Text3), QLineEdit::LeadingPosition);
    m_field->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("glossaryTerms"));
    m_list->setAccessibleName(tr("Terms"));
    m_list->setModel(m_model);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_nothing->setObjectName(QStringLiteral("glossaryNothing"));
    m_nothing->setWordWrap(true);
    const QString problem = QString::fromStdString(Glossary::standard().problem());
    m_nothing->setText(problem.isEmpty() ? tr("No term matches.") : tr("The glossary cannot be read: %1").arg(problem));
}

void GlossaryDialog::layOut() {
    auto *scroll = new QScrollArea(this);
    scroll->setWidget(m_card);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    m_card->setAutoFillBackground(false);
    auto *left = new QVBoxLayout;
    left->setSpacing(8);
    left->addWidget(m_field);
    left->addWidget(m_list, 1);
    left->addWidget(m_nothing, 1, Qt::AlignTop);
    for (QWidget *each :
         {static_cast<QWidget *>(m_field), static_cast<QWidget *>(m_list), static_cast<QWidget *>(m_nothing)})
        each->setFixedWidth(listWidth);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(24);
    columns->addLayout(left);
    columns->addWidget(scroll, 1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    // Enter in the search field must not close the dialog.
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(24, 24, 24, 16);
    whole->setSpacing(12);
    whole->addLayout(columns, 1);
    whole->addWidget(buttons);
}

void GlossaryDialog::setFieldName(GlossaryCard::FieldName name) {
    m_card->setFieldName(std::move(name));
    showSelected();
}

void GlossaryDialog::showTerm(const QString &id) {
    if (m_model->rowOf(id) < 0)
        m_field->clear();
    if (const int row = m_model->rowOf(id); row >= 0)
        selectRow(row);
}

void GlossaryDialog::find(const QString &typed) {
    const QString shown = m_card->termId();
    m_model->setTyped(typed);
    const bool isEmpty = m_model->rowCount() == 0;
    m_list->setVisible(!isEmpty);
    m_nothing->setVisible(isEmpty);
    m_card->setVisible(!isEmpty);
    // Selects the best match of the search text. Without a search, the current term stays selected.
    selectRow(typed.isEmpty() ? std::max(m_model->rowOf(shown), 0) : 0);
}

void GlossaryDialog::selectRow(int row) {
    const int last = m_model->rowCount() - 1;
    if (last < 0)
        return;
    const QModelIndex index = m_model->index(std::clamp(row, 0, last));
    m_list->setCurrentIndex(index);
    m_list->scrollTo(index);
}

void GlossaryDialog::showSelected() {
    if (const QModelIndex index = m_list->currentIndex(); index.isValid())
        m_card->showTerm(m_model->termAt(index.row()));
}

bool GlossaryDialog::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int row = m_list->currentIndex().row();
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Down:
        selectRow(row + 1);
        return true;
    case Qt::Key_Up:
        selectRow(row - 1);
        return true;
    case Qt::Key_PageDown:
        selectRow(row + rowsOfAPage);
        return true;
    case Qt::Key_PageUp:
        selectRow(row - rowsOfAPage);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        m_list->setFocus();
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

} // namespace meshwright
