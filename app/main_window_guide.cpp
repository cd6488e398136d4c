// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the user guide.
#include "catalog/library.h"
#include "glossary/glossary.h"
#include "guide/guide_page_view.h"
#include "guide/guide_window.h"
#include "main_window.h"
#include "view_rail.h"
#include "views/view.h"

#include <QKeyEvent>

namespace meshwright {

namespace {

/// The page that explains a view. Most pages are named after the view's object: "search" for "searchView".
QString pageOf(const View &view) {
    const QString &name = view.face().name;
    return name == QLatin1String("calculatorsView") ? QStringLiteral("formulas")
                                                    : name.chopped(static_cast<int>(QLatin1String("View").size()));
}

} // namespace

void MainWindow::showGuide() {
    if (m_userGuide == nullptr) {
        m_userGuide = new GuideWindow(m_session.library(), Glossary::standard(), this);
        m_userGuide->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_userGuide->openPage(pageOf(*m_rail->current()));
    m_userGuide->show();
    m_userGuide->raise();
    m_userGuide->activateWindow();
    m_userGuide->page()->setFocus();
}

/// F1 arrives here if no figure and no plan field handles it.
void MainWindow::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_F1 && event->modifiers() == Qt::NoModifier)
        showGuide();
    else
        QMainWindow::keyPressEvent(event);
}

} // namespace meshwright
