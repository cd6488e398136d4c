// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "glossary/glossary.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QGridLayout;

namespace meshwright {

class FigureSentence;
class TextLabel;

/// The glossary's entry for one term: its names, definition, formula, source, the plan fields that it explains and
/// related terms. Terms and fields in it open by click or by Left, Right and Enter.
class GlossaryCard : public QWidget {
    Q_OBJECT

public:
    explicit GlossaryCard(QWidget *parent = nullptr);

    void showTerm(const GlossaryTerm &term);
    /// Id of the term that is shown; empty before the first.
    const QString &termId() const { return m_id; }

    /// Returns the window's label of the plan field with this JSON pointer.
    using FieldName = std::function<QString(const QString &pointer)>;
    void setFieldName(FieldName name) { m_fieldName = std::move(name); }

    FigureSentence *definition() const { return m_definition; }
    FigureSentence *related() const { return m_related; }

Q_SIGNALS:
    /// Emitted if the user chooses a term or field in the card, and no FigureGuide handles targets in the card's
    /// window.
    void targetWanted(const meshwright::FigureTarget &target);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// Adds a named line. Its name is hidden whenever its content is hidden.
    void addLine(const QString &name, QWidget *content);
    void showLine(QWidget *content, bool shown);
    FigureSentence *newSentence(const QString &name);

    QString m_id;
    FieldName m_fieldName;
    TextLabel *m_term;
    TextLabel *m_aliases;
    FigureSentence *m_definition;
    TextLabel *m_formula;
    TextLabel *m_source;
    FigureSentence *m_fields;
    FigureSentence *m_related;
    QGridLayout *m_lines;
    std::vector<std::pair<TextLabel *, QWidget *>> m_named;
};

} // namespace meshwright
