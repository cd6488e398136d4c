// SPDX-License-Identifier: GPL-3.0-or-later
#include "conflict_dialog.h"

#include "controls/text_label.h"
#include "theme/control_states.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace meshwright {

namespace {
constexpr QSize firstSize{680, 360};
constexpr int rowHeight = 26;
} // namespace

ConflictDialog::ConflictDialog(const FileConflict &conflict, QWidget *parent)
    : QDialog(parent) {
    setWindowTitle(tr("File changed elsewhere"));
    resize(firstSize);
    auto *heading =
        new TextLabel(tr("Another program or window has changed “%1” since it was opened here.").arg(conflict.file),
                      TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this);
    heading->setTextFormat(Qt::PlainText);
    heading->setWordWrap(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(12);
    column->addWidget(heading);
    const bool readable = conflict.unreadable.isEmpty();
    if (readable) {
        column->addWidget(newTable(conflict.differences), 1);
    } else {
        auto *why = new TextLabel(conflict.unreadable, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
        why->setTextFormat(Qt::PlainText);
        why->setWordWrap(true);
        column->addWidget(why);
        column->addStretch(1);
    }
    auto *buttons = new QDialogButtonBox(this);
    addAnswer(buttons, tr("Save &As …"), tr("Saves this plan to another file"), ConflictAnswer::SaveAs);
    if (readable)
        addAnswer(buttons, tr("&Reload"), tr("Loads the file's values into this plan, as one undo step"),
                  ConflictAnswer::Reload);
    addAnswer(buttons, tr("&Overwrite"), tr("Replaces the file's values with this plan's"), ConflictAnswer::Overwrite);
    QPushButton *cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setDefault(true); // pressing Enter must not lose anything
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

QWidget *ConflictDialog::newTable(const std::vector<FieldDifference> &differences) {
    auto *table = new QTableWidget(static_cast<int>(differences.size()), 3, this);
    table->setObjectName(QStringLiteral("differences"));
    table->setAccessibleName(tr("Fields that differ"));
    table->setHorizontalHeaderLabels({tr("Field"), tr("In the file"), tr("Here")});
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    for (int row = 0; row < table->rowCount(); ++row) {
        const FieldDifference &difference = differences[static_cast<std::size_t>(row)];
        const auto shown = [](const QString &value) { return value.isEmpty() ? tr("not set") : value; };
        const QStringList texts{difference.field, shown(difference.theirs), shown(difference.mine)};
        for (int cell = 0; cell < texts.size(); ++cell)
            table->setItem(row, cell, new QTableWidgetItem(texts.at(cell)));
    }
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    return table;
}

void ConflictDialog::addAnswer(QDialogButtonBox *box, const QString &text, const QString &hint, ConflictAnswer answer) {
    QPushButton *button = box->addButton(text, QDialogButtonBox::ActionRole);
    button->setToolTip(hint);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [this, answer] {
        m_answer = answer;
        accept();
    });
}

} // namespace meshwright
