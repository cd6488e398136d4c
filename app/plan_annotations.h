// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace meshwright {

class PlanDocument;
class Prompts;

/// What people write about a plan, and what no evaluation reads: its name, its notes, its named snapshots.
class PlanAnnotations : public QObject {
    Q_OBJECT

public:
    PlanAnnotations(PlanDocument &document, Prompts &prompts, QWidget *window);

    /// One step; an empty name leaves the plan unnamed.
    void rename(const QString &name);
    /// Asks for the notes; another text is one step.
    void editNotes();
    /// Asks for a name, and keeps the plan as it is now under it.
    void saveSnapshot();

private:
    void set(const char *key, const QString &subject, const QString &text, const QString &to);

    PlanDocument &m_document;
    Prompts &m_prompts;
    QWidget *m_window;
};

} // namespace meshwright
