// SPDX-License-Identifier: GPL-3.0-or-later
#include "prompts.h"

#include "conflict_dialog.h"
#include "evidence/column_mapping_dialog.h"
#include "launch/export_dialog.h"
#include "launch/import_dialog.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QInputDialog>
#include <QMessageBox>

namespace meshwright {

SaveAnswer DialogPrompts::askToSave(QWidget *parent, const QString &name) {
    QMessageBox box(QMessageBox::Question, QCoreApplication::translate("Prompts", "Unsaved changes"),
                    QCoreApplication::translate("Prompts", "Save the changes to “%1”?").arg(name),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setTextFormat(Qt::PlainText); // display the plan's name as plain text, even if it contains markup
    box.setInformativeText(QCoreApplication::translate("Prompts", "They are lost if you do not save them."));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return SaveAnswer::Save;
    case QMessageBox::Discard:
        return SaveAnswer::Discard;
    default:
        return SaveAnswer::Cancel;
    }
}

std::optional<QString> DialogPrompts::askForText(QWidget *parent, const TextQuestion &question) {
    QInputDialog dialog(parent);
    dialog.setWindowTitle(question.title);
    dialog.setLabelText(question.label);
    dialog.setOption(QInputDialog::UsePlainTextEditForTextInput, question.lines == TextQuestion::Lines::Many);
    dialog.setTextValue(question.text);
    if (question.lines == TextQuestion::Lines::Many)
        dialog.resize(520, 320);
    return dialog.exec() == QDialog::Accepted ? std::optional(dialog.textValue()) : std::nullopt;
}

ConflictAnswer DialogPrompts::askAboutConflict(QWidget *parent, const FileConflict &conflict) {
    ConflictDialog dialog(conflict, parent);
    dialog.exec();
    return dialog.answer();
}

std::optional<ColumnMapping> DialogPrompts::askForColumns(QWidget *parent, const ColumnQuestion &question) {
    ColumnMappingDialog dialog(question, parent);
    return dialog.exec() == QDialog::Accepted ? std::optional(dialog.mapping()) : std::nullopt;
}

QString DialogPrompts::fileToOpen(QWidget *parent, const QString &title, const QString &folder, const QString &filter) {
    return QFileDialog::getOpenFileName(parent, title, folder, filter);
}

QStringList DialogPrompts::filesToOpen(QWidget *parent, const QString &title, const QString &folder,
                                       const QString &filter) {
    return QFileDialog::getOpenFileNames(parent, title, folder, filter);
}

QString DialogPrompts::fileToSave(QWidget *parent, const QString &title, const QString &suggestion,
                                  const QString &filter) {
    return QFileDialog::getSaveFileName(parent, title, suggestion, filter);
}

QString DialogPrompts::folderToSave(QWidget *parent, const QString &title, const QString &folder) {
    return QFileDialog::getExistingDirectory(parent, title, folder);
}

std::optional<ImportAnswer> DialogPrompts::askAboutImport(QWidget *parent, const ImportQuestion &question,
                                                          const Library &library) {
    ImportDialog dialog(question, library, parent);
    return dialog.exec() == QDialog::Accepted ? std::optional(dialog.answer()) : std::nullopt;
}

void DialogPrompts::showExport(QWidget *parent, const ExportQuestion &question) {
    ExportDialog dialog(question, parent);
    dialog.exec();
}

} // namespace meshwright
