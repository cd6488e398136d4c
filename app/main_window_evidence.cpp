// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/machine_preset.h"
#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "evidence/calibrate_page.h"
#include "evidence/column_mapping.h"
#include "evidence/evidence_view.h"
#include "file_controller.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "main_window.h"
#include "panels/panel_column.h"
#include "panels/plan_page.h"
#include "prompts.h"
#include "settings.h"
#include "view_rail.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace meshwright {

void MainWindow::connectEvidence() {
    m_evidence->setFieldQuestion([this](const QString &pointer) { return m_panels->hasField(pointer); });
    connect(m_evidence, &EvidenceView::edited, m_session.document(), &PlanDocument::apply);
    connect(m_evidence, &EvidenceView::fieldWanted, this, &MainWindow::showField);
    connect(m_evidence, &EvidenceView::refused, this, [this](const QString &why) { notice(Tone::Warn, why); });
    connect(m_evidence, &EvidenceView::planWanted, this, [this](const nlohmann::ordered_json &document) {
        if (m_files->openDocument(document))
            m_views->show(m_page);
    });
    connect(m_evidence, &EvidenceView::presetWanted, this, &MainWindow::saveFit);
    connect(m_evidence, &EvidenceView::templateWanted, this, [this] {
        const QString path = m_prompts.fileToSave(
            this, tr("Save a table to fill in"),
            QDir(m_settings.value(Setting::LastFolder).toString()).filePath(tr("my-runs.csv")), tr("Tables (*.csv)"));
        if (path.isEmpty())
            return;
        try {
            write_file_atomically(std::filesystem::path(path.toStdString()), run_table_template());
            notice(Tone::Good,
                   tr("Saved as %1: fill in a row per run, then open it here.").arg(QDir::toNativeSeparators(path)));
        } catch (const FileError &error) {
            notice(Tone::Bad, QString::fromUtf8(error.what()));
        }
    });
    connect(m_evidence, &EvidenceView::fileWanted, this, [this] {
        const QString path =
            m_prompts.fileToOpen(this, tr("Open a table of measured runs"),
                                 m_settings.value(Setting::LastFolder).toString(), tr("Tables (*.csv);;All files (*)"));
        if (!path.isEmpty())
            showEvidenceOf(path);
    });
}

void MainWindow::saveFit(PresetKind kind) {
    const std::filesystem::path users = Library::users_folder().value_or(std::filesystem::path());
    const std::filesystem::path folder = users / folder_of(kind);
    const QString path =
        m_prompts.fileToSave(this, tr("Save this machine as a preset"),
                             QString::fromStdString((folder / "my-machine.json").string()), tr("Presets (*.json)"));
    if (path.isEmpty())
        return;
    const QString stem = QFileInfo(path).completeBaseName();
    if (!is_preset_id(stem.toStdString()) || QFileInfo(path).suffix() != QStringLiteral("json")) {
        notice(Tone::Warn,
               tr("\"%1\" is no preset's file: letters, digits, dots, dashes and underscores, then .json, are expected")
                   .arg(QFileInfo(path).fileName()));
        return;
    }
    try {
        const auto document = m_evidence->calibration()->preset({.id = stem.toStdString(), .name = stem.toStdString()});
        QDir().mkpath(QFileInfo(path).absolutePath());
        write_file_atomically(std::filesystem::path(path.toStdString()), document.dump(2) + "\n");
        notice(Tone::Good,
               tr("Saved as %1; presets in %2 are listed from the next start")
                   .arg(QDir::toNativeSeparators(path),
                        QDir::toNativeSeparators(QString::fromStdString(folder.string()))));
    } catch (const FileError &error) {
        notice(Tone::Bad, QString::fromUtf8(error.what()));
    }
}

void MainWindow::showEvidenceOf(const QString &path) {
    m_views->show(m_evidence);
    m_evidence->addFile(path);
}

} // namespace meshwright
