// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_view.h"
#include "file_controller.h"
#include "main_window.h"
#include "panels/panel_column.h"
#include "prompts.h"
#include "settings.h"
#include "view_rail.h"

#include <QAction>

#include <nlohmann/json.hpp>

namespace meshwright {

void MainWindow::connectEvidence() {
    m_evidence->setFieldQuestion([this](const QString &pointer) { return m_panels->hasField(pointer); });
    connect(m_evidence, &EvidenceView::edited, m_session.document(), &PlanDocument::apply);
    connect(m_evidence, &EvidenceView::fieldWanted, this, &MainWindow::showField);
    connect(m_evidence, &EvidenceView::refused, this, [this](const QString &why) { notice(Tone::Warn, why); });
    connect(m_evidence, &EvidenceView::planWanted, this, [this](const nlohmann::ordered_json &document) {
        const QList<QAction *> views = m_views->actions();
        if (m_files->openDocument(document))
            views.first()->trigger();
    });
    connect(m_evidence, &EvidenceView::fileWanted, this, [this] {
        const QString path =
            m_prompts.fileToOpen(this, tr("Open a table of measured runs"),
                                 m_settings.value(Setting::LastFolder).toString(), tr("Tables (*.csv);;All files (*)"));
        if (!path.isEmpty())
            showEvidenceOf(path);
    });
}

void MainWindow::showEvidenceOf(const QString &path) {
    m_views->show(m_evidence);
    m_evidence->addFile(path);
}

} // namespace meshwright
