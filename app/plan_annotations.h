// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace meshwright {

class PlanDocument;
class Prompts;

/// A plan's name, notes and named snapshots, which do not affect its evaluation.
class PlanAnnotations : public QObject {
    Q_OBJECT

public:
    PlanAnnotations(PlanDocument &document, Prompts &prompts, QWidget *window);

    /// Renames the plan as one undo step; an empty name makes it unnamed.
    void rename(const QString &name);
    /// Asks for the notes; a change is one undo step.
    void editNotes();
    void saveSnapshot();

private:
    void set(const char *key, const QString &subject, const QString &text, const QString &to);

    PlanDocument &m_document;
    Prompts &m_prompts;
    QWidget *m_window;
};

} // namespace meshwright
