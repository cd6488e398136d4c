// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prompts.h"

#include <QDialog>

class QDialogButtonBox;

namespace meshwright {

/// Asks what to do about a file that another program or window has changed. Shows the differences between the file and
/// the plan field by field.
class ConflictDialog : public QDialog {
    Q_OBJECT

public:
    explicit ConflictDialog(const FileConflict &conflict, QWidget *parent = nullptr);
    ConflictAnswer answer() const { return m_answer; }

private:
    QWidget *newTable(const std::vector<FieldDifference> &differences);
    void addAnswer(QDialogButtonBox *box, const QString &text, const QString &hint, ConflictAnswer answer);

    ConflictAnswer m_answer = ConflictAnswer::Cancel;
};

} // namespace meshwright
