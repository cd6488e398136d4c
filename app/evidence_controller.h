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

/// The files of the evidence view: tables of measured runs that are added to it, the template for one, and the preset
/// that keeps what was fitted.
class EvidenceController : public QObject {
    Q_OBJECT

public:
    /// All outlive this. @param notice  says how a table was read, and lets its columns be chosen otherwise
    EvidenceController(EvidenceView *view, Settings &settings, Prompts &prompts, NoticeStrip *notice);

    /// Adds a table of measured runs; asks which column is what where it must, once for files of the same columns.
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
    /// Says how a table was read. @param note  what became of rows that were there; may be empty for a mapped file
    void sayRead(const QString &note);
    struct SavedTemplate {
        Tone tone = Tone::Good;
        QString said; ///< empty: cancelled
    };
    SavedTemplate saveRunTemplate(QWidget *parent);
    /// Keeps what was fitted to measured runs as a preset, in a file that the user names.
    void saveFit(PresetKind kind);

    EvidenceView *m_view;
    Settings &m_settings;
    Prompts &m_prompts;
    NoticeStrip *m_notice;
    std::optional<MappedFile> m_mapped; ///< the table that was added last, where it was mapped as once before
};

} // namespace meshwright
