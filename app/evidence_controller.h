// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"
#include "evidence/column_mapping.h"
#include "theme/roles.h"

#include <QObject>

#include <memory>
#include <optional>

namespace meshwright {

class EvidenceView;
class NoticeStrip;
class Prompts;
class Settings;

/// Handles the files of the evidence view: tables of measured runs, the table template, and the preset with fitted
/// constants.
class EvidenceController : public QObject {
    Q_OBJECT

public:
    /// All arguments must outlive the controller. @param notice  reports how a table was read and offers to change the
    /// columns
    EvidenceController(EvidenceView *view, Settings &settings, Prompts &prompts, NoticeStrip *notice);

    /// Adds a table of measured runs. Asks for the column mapping if necessary, once for all files with the same
    /// columns.
    void addFile(const QString &path);

Q_SIGNALS:
    void noticed(meshwright::Tone tone, const QString &text);

private:
    struct MappedFile {
        QString path;
        std::shared_ptr<const CsvTable> table;
        ColumnMapping mapping;
    };
    void askForColumns(const MappedFile &file);
    /// Reports how a table was read. @param note  what happened to existing rows; may be empty for a mapped file
    void sayRead(const QString &note);
    struct SavedTemplate {
        Tone tone = Tone::Good;
        QString said; ///< message that names the saved file or the error; empty if canceled
    };
    SavedTemplate saveRunTemplate(QWidget *parent);
    void saveFit(PresetKind kind);

    EvidenceView *m_view;
    Settings &m_settings;
    Prompts &m_prompts;
    NoticeStrip *m_notice;
    std::optional<MappedFile> m_mapped; ///< the last added table, if it was read with a remembered mapping
};

} // namespace meshwright
