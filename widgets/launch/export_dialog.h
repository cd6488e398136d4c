// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/export_question.h"

#include <QDialog>

class QPushButton;
class QTableView;

namespace meshwright {

class ExportLines;
class Segmented;
class TextLabel;

/// Preview of the files that start a run. It lists what the target cannot express, then each line with its plan field.
/// Lines and files can be copied and saved.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    explicit ExportDialog(ExportQuestion question, QWidget *parent = nullptr);

    ExportLines *lines() const { return m_lines; }
    QTableView *table() const { return m_table; }
    Segmented *files() const { return m_files; }
    QString lost() const;
    QString said() const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *newHeading();
    QWidget *newPreview();
    QWidget *newButtons();
    void showFile(int file);
    void copyFile();
    void copyLines();
    void save(int file);
    void fitColumns();

    ExportQuestion m_question;
    ExportLines *m_lines;
    Segmented *m_files;
    QTableView *m_table;
    TextLabel *m_lost = nullptr;
    TextLabel *m_said = nullptr;
};

} // namespace meshwright
