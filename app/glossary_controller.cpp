// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary_controller.h"

#include "explain/figure_guide.h"
#include "glossary/term_popup.h"

#include <QAction>

namespace meshwright {

GlossaryController::GlossaryController(FigureGuide &guide, QWidget *window)
    : QObject(window)
    , m_window(window)
    , m_action(new QAction(tr("&Glossary …"), this))
    , m_popup(new TermPopup(window)) {
    m_action->setObjectName(QStringLiteral("glossaryAction"));
    m_action->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F1));
    m_action->setToolTip(tr("Search the terms of distributed training and their definitions"));
    connect(m_action, &QAction::triggered, this, &GlossaryController::showGlossary);
    connect(&guide, &FigureGuide::termWanted, this, &GlossaryController::showCard);
    connect(m_popup, &TermPopup::glossaryWanted, this, &GlossaryController::showTerm);
    connect(m_popup, &TermPopup::fieldWanted, this, &GlossaryController::fieldWanted);
}

void GlossaryController::setFieldName(const GlossaryCard::FieldName &name) {
    m_fieldName = name;
    m_popup->card()->setFieldName(name);
    if (m_dialog != nullptr)
        m_dialog->setFieldName(name);
}

void GlossaryController::showGlossary() {
    if (m_dialog == nullptr) {
        m_dialog = new GlossaryDialog(m_window);
        m_dialog->setFieldName(m_fieldName);
        connect(m_dialog, &GlossaryDialog::fieldWanted, this, [this](const QString &pointer) {
            m_window->activateWindow(); // only an active window can give its field the focus
            Q_EMIT fieldWanted(pointer);
        });
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void GlossaryController::showTerm(const QString &id) {
    showGlossary();
    m_dialog->showTerm(id);
}

void GlossaryController::showCard(const QString &id, QWidget *from, const QRect &area) {
    if (const GlossaryTerm *const term = Glossary::standard().find(id.toStdString()))
        m_popup->openAt(from, area, *term);
}

} // namespace meshwright
