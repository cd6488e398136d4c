// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence_controller.h"

#include "calibration/machine_preset.h"
#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "column_memory.h"
#include "controls/notice_strip.h"
#include "evidence/calibrate_page.h"
#include "evidence/evidence_view.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "input/json_document.h"
#include "prompts.h"
#include "settings.h"

#include <QDir>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace meshwright {

namespace {

/// Returns the table if the user must map its columns. Returns null if the columns are recognized or the file is
/// unreadable; the view reports unreadable files.
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

EvidenceController::EvidenceController(EvidenceView *view, Settings &settings, Prompts &prompts, NoticeStrip *notice)
    : QObject(view)
    , m_view(view)
    , m_settings(settings)
    , m_prompts(prompts)
    , m_notice(notice) {
    connect(view, &EvidenceView::presetWanted, this, &EvidenceController::saveFit);
    connect(view, &EvidenceView::rowsReplaced, this, &EvidenceController::sayRead);
    connect(view, &EvidenceView::templateWanted, this, [this] {
        const SavedTemplate saved = saveRunTemplate(m_view->window());
        if (!saved.said.isEmpty())
            Q_EMIT noticed(saved.tone, saved.said);
    });
    connect(view, &EvidenceView::fileWanted, this, [this] {
        const QString path =
            m_prompts.fileToOpen(m_view->window(), tr("Open a table of measured runs"),
                                 m_settings.value(Setting::LastFolder).toString(), tr("Tables (*.csv);;All files (*)"));
        if (!path.isEmpty())
            addFile(path);
    });
}

void EvidenceController::saveFit(PresetKind kind) {
    const std::filesystem::path users = Library::users_folder().value_or(std::filesystem::path());
    const std::filesystem::path folder = users / folder_of(kind);
    const QString path =
        m_prompts.fileToSave(m_view->window(), tr("Save this machine as a preset"),
                             QString::fromStdString((folder / "my-machine.json").string()), tr("Presets (*.json)"));
    if (path.isEmpty())
        return;
    const QString stem = QFileInfo(path).completeBaseName();
    if (!is_preset_id(stem.toStdString()) || QFileInfo(path).suffix() != QStringLiteral("json")) {
        Q_EMIT noticed(Tone::Warn,
                       tr("\"%1\" is not a valid preset file name; expected letters, digits, dots, dashes and "
                          "underscores, followed by .json")
                           .arg(QFileInfo(path).fileName()));
        return;
    }
    try {
        const auto document = m_view->calibration()->preset({.id = stem.toStdString(), .name = stem.toStdString()});
        QDir().mkpath(QFileInfo(path).absolutePath());
        write_file_atomically(std::filesystem::path(path.toStdString()), document_text(document));
        Q_EMIT noticed(Tone::Good,
                       tr("Saved as %1; presets in %2 appear after a restart")
                           .arg(QDir::toNativeSeparators(path),
                                QDir::toNativeSeparators(QString::fromStdString(folder.string()))));
    } catch (const std::exception &error) {
        Q_EMIT noticed(Tone::Bad, QString::fromUtf8(error.what()));
    }
}

EvidenceController::SavedTemplate EvidenceController::saveRunTemplate(QWidget *parent) {
    const QString path = m_prompts.fileToSave(
        parent, tr("Save a template for measured runs"),
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

void EvidenceController::addFile(const QString &path) {
    m_mapped.reset();
    const std::shared_ptr<const CsvTable> table = tableToMap(path);
    if (table == nullptr) {
        m_view->addFile(path);
        return;
    }
    const std::optional<ColumnMapping> known = ColumnMemory(m_settings).mappingOf(*table);
    if (!known) {
        askForColumns({path, table, guessed_mapping(*table)});
        return;
    }
    m_view->addFile(path, known);
    m_mapped = MappedFile{path, table, *known};
    sayRead({});
}

void EvidenceController::sayRead(const QString &note) {
    if (!m_mapped) {
        Q_EMIT noticed(Tone::Neutral, note);
        return;
    }
    QString said = tr("The columns of %1 were mapped as you last chose.").arg(QFileInfo(m_mapped->path).fileName());
    if (!note.isEmpty())
        said += QLatin1Char(' ') + note;
    m_notice->announcePassing(Tone::Neutral, said, {{tr("Change Columns"), [this, mapped = *m_mapped] {
                                                         m_notice->hide();
                                                         askForColumns(mapped);
                                                     }}});
}

void EvidenceController::askForColumns(const MappedFile &file) {
    const std::optional<ColumnMapping> chosen =
        m_prompts.askForColumns(m_view->window(),
                                {.file = QFileInfo(file.path).fileName(),
                                 .table = file.table,
                                 .mapping = file.mapping,
                                 .saveTemplate = [this](QWidget *dialog) { return saveRunTemplate(dialog).said; }});
    if (!chosen)
        return;
    m_mapped.reset(); // show no notice if the user has just mapped the columns
    ColumnMemory(m_settings).remember(*file.table, *chosen);
    m_view->addFile(file.path, chosen);
}

} // namespace meshwright
