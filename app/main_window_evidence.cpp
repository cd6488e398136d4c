// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/machine_preset.h"
#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "column_memory.h"
#include "controls/notice_strip.h"
#include "evidence/calibrate_page.h"
#include "evidence/column_mapping.h"
#include "evidence/evidence_view.h"
#include "file_controller.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "input/json_document.h"
#include "main_window.h"
#include "panels/panel_column.h"
#include "plan/plan_page.h"
#include "prompts.h"
#include "settings.h"
#include "view_rail.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

namespace meshwright {

namespace {

/// A table whose columns are to be chosen; null for one that reads without, and for a file that does not read at all,
/// of which the view says why.
std::shared_ptr<const CsvTable> tableToMap(const QString &path) {
    try {
        auto table = std::make_shared<const CsvTable>(read_csv(read_file(std::filesystem::path(path.toStdString()))));
        return table->rows.empty() || reads_without_mapping(*table) ? nullptr : table;
    } catch (const InputError &) {
        return nullptr;
    } catch (const FileError &) {
        return nullptr;
    }
}

} // namespace

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
    connect(m_evidence, &EvidenceView::rowsReplaced, this, [this](const QString &note) { sayRead(note); });
    connect(m_evidence, &EvidenceView::templateWanted, this, [this] {
        const SavedTemplate saved = saveRunTemplate(this);
        if (!saved.said.isEmpty())
            notice(saved.tone, saved.said);
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
        write_file_atomically(std::filesystem::path(path.toStdString()), document_text(document));
        notice(Tone::Good,
               tr("Saved as %1; presets in %2 are listed from the next start")
                   .arg(QDir::toNativeSeparators(path),
                        QDir::toNativeSeparators(QString::fromStdString(folder.string()))));
    } catch (const std::exception &error) {
        notice(Tone::Bad, QString::fromUtf8(error.what()));
    }
}

MainWindow::SavedTemplate MainWindow::saveRunTemplate(QWidget *parent) {
    const QString path = m_prompts.fileToSave(
        parent, tr("Save a table to fill in"),
        QDir(m_settings.value(Setting::LastFolder).toString()).filePath(tr("my-runs.csv")), tr("Tables (*.csv)"));
    if (path.isEmpty())
        return {};
    try {
        write_file_atomically(std::filesystem::path(path.toStdString()), run_table_template());
        return {Tone::Good,
                tr("Saved as %1: fill in a row per run, then open it here.").arg(QDir::toNativeSeparators(path))};
    } catch (const FileError &error) {
        return {Tone::Bad, QString::fromUtf8(error.what())};
    }
}

void MainWindow::showEvidenceOf(const QString &path) {
    m_views->show(m_evidence);
    m_mapped.reset();
    const std::shared_ptr<const CsvTable> table = tableToMap(path);
    if (table == nullptr) {
        m_evidence->addFile(path);
        return;
    }
    const std::optional<ColumnMapping> known = ColumnMemory(m_settings).mappingOf(*table);
    if (!known) {
        askForColumns({path, table, guessed_mapping(*table)});
        return;
    }
    m_evidence->addFile(path, known);
    m_mapped = MappedFile{path, table, *known};
    sayRead({});
}

void MainWindow::sayRead(const QString &note) {
    if (!m_mapped) {
        notice(Tone::Neutral, note);
        return;
    }
    QString said = tr("Columns of %1 read as you chose before.").arg(QFileInfo(m_mapped->path).fileName());
    if (!note.isEmpty())
        said += QLatin1Char(' ') + note;
    m_page->notice()->announcePassing(Tone::Neutral, said, {{tr("Change Columns"), [this, mapped = *m_mapped] {
                                                                 m_page->notice()->hide();
                                                                 askForColumns(mapped);
                                                             }}});
}

void MainWindow::askForColumns(const MappedFile &file) {
    const std::optional<ColumnMapping> chosen =
        m_prompts.askForColumns(this,
                                {.file = QFileInfo(file.path).fileName(),
                                 .table = file.table,
                                 .mapping = file.mapping,
                                 .saveTemplate = [this](QWidget *dialog) { return saveRunTemplate(dialog).said; }});
    if (!chosen)
        return;
    m_mapped.reset(); // what was chosen just now needs no mention
    ColumnMemory(m_settings).remember(*file.table, *chosen);
    m_evidence->addFile(file.path, chosen);
}

} // namespace meshwright
