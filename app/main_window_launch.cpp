// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: imports, launch exports and the clipboard.
#include "evidence/evidence_view.h"
#include "export_menu.h"
#include "file_controller.h"
#include "import_controller.h"
#include "launch_menu.h"
#include "main_window.h"
#include "plan/plan_page.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>

namespace meshwright {

void MainWindow::connectLaunch() {
    m_imports = new ImportController(m_session, *m_files, m_prompts, this);
    connect(m_imports, &ImportController::noticed, this, &MainWindow::notice);
    connect(m_imports, &ImportController::planOpened, this, [this] { goTo<PlanPage>(); });
    connect(m_imports, &ImportController::filesWanted, this, &MainWindow::openPaths);
    connect(m_imports, &ImportController::runImported, this,
            [this](const QString &name, const std::string &rows) { goTo<EvidenceView>()->addMachineRows(name, rows); });
    auto *launch = new LaunchMenu(m_session, m_settings, m_prompts, this);
    connect(launch, &LaunchMenu::noticed, this, &MainWindow::notice);
    m_export->insertMenu(m_export->actions().constFirst(), launch);
    connect(m_files, &FileController::importWanted, m_imports, &ImportController::importFiles);
}

void MainWindow::paste() {
    QWidget *focus = QApplication::focusWidget();
    auto *line = qobject_cast<QLineEdit *>(focus);
    // The text field inside a spin box or combo box receives the paste.
    if (qobject_cast<QAbstractSpinBox *>(focus) != nullptr || qobject_cast<QComboBox *>(focus) != nullptr)
        line = focus->findChild<QLineEdit *>();
    if (line != nullptr) {
        line->paste();
        return;
    }
    m_imports->paste();
}

} // namespace meshwright
