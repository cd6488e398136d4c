// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_question.h"
#include "evidence/mapping_preview.h"
#include "models/latest_worker.h"

#include <QDialog>

class QPushButton;
class QTableView;

namespace meshwright {

class MappingForm;
class TextLabel;

/// Lets the user match the columns of a CSV file to the program's columns, and shows after each change how the rows are
/// read.
class ColumnMappingDialog : public QDialog {
    Q_OBJECT

public:
    explicit ColumnMappingDialog(const ColumnQuestion &question, QWidget *parent = nullptr);

    ColumnMapping mapping() const;
    MappingForm *form() const { return m_form; }
    MappingPreview *preview() const { return m_preview; }
    QString count() const;
    bool isBusy() const { return m_worker.isBusy(); }

private:
    struct Asked {
        std::shared_ptr<const CsvTable> head;
        ColumnMapping mapping;
    };
    QWidget *newChoices();
    QWidget *newRows();
    QWidget *newButtons();
    void ask();
    void receive(const MappingVerdict &verdict);

    ColumnQuestion m_question;
    std::shared_ptr<const CsvTable> m_head; ///< the first rows, which are checked
    MappingForm *m_form;
    MappingPreview *m_preview;
    QTableView *m_table;
    TextLabel *m_count;
    TextLabel *m_saved;
    QPushButton *m_read = nullptr;
    bool m_isSeen = false; ///< whether the first verdict has arrived
    /// Declared last, so that its thread stops before the other members are destroyed.
    LatestWorker<Asked, MappingVerdict> m_worker;
};

} // namespace meshwright
