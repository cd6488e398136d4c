// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "glossary/glossary_card.h"

#include <QDialog>

class QLineEdit;
class QListView;

namespace meshwright {

class GlossaryModel;
class TextLabel;

/// The whole glossary: a searchable list on the left, the card of the selected term on the right. The dialog does not
/// block the window, so that a term can be read next to the plan.
class GlossaryDialog : public QDialog {
    Q_OBJECT

public:
    explicit GlossaryDialog(QWidget *parent);

    /// Selects a term by its id; clears the search if it hides the term.
    void showTerm(const QString &id);
    void setFieldName(GlossaryCard::FieldName name);

    QLineEdit *field() const { return m_field; }
    QListView *list() const { return m_list; }
    GlossaryCard *card() const { return m_card; }

Q_SIGNALS:
    void fieldWanted(const QString &pointer);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setUpList();
    void layOut();
    void find(const QString &typed);
    void selectRow(int row);
    void showSelected();

    GlossaryModel *m_model;
    QLineEdit *m_field;
    QListView *m_list;
    TextLabel *m_nothing;
    GlossaryCard *m_card;
};

} // namespace meshwright
