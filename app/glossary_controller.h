// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "glossary/glossary_dialog.h"

#include <QObject>
#include <QPointer>
#include <QRect>

class QAction;

namespace meshwright {

class FigureGuide;
class TermPopup;

/// Shows the definitions of a window's terms: in a popup next to the term, or in the whole glossary.
class GlossaryController : public QObject {
    Q_OBJECT

public:
    /// @param guide  watches `window` and signals the terms that the user asks about
    GlossaryController(FigureGuide &guide, QWidget *window);

    QAction *action() const { return m_action; }
    void setFieldName(const GlossaryCard::FieldName &name);
    void showTerm(const QString &id);
    void showCard(const QString &id, QWidget *from, const QRect &area);

    TermPopup *popup() const { return m_popup; }
    /// null while the glossary is closed
    GlossaryDialog *dialog() const { return m_dialog; }

Q_SIGNALS:
    void fieldWanted(const QString &pointer);

private:
    void showGlossary();

    QWidget *m_window;
    QAction *m_action;
    TermPopup *m_popup;
    QPointer<GlossaryDialog> m_dialog;
    GlossaryCard::FieldName m_fieldName;
};

} // namespace meshwright
