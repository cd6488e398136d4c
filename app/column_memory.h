// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <optional>

namespace meshwright {

class Settings;

/// Remembers the column mappings of measured-run tables by their column names, so that the user chooses once for all
/// files with the same columns.
class ColumnMemory {
public:
    explicit ColumnMemory(Settings &settings)
        : m_settings(settings) { }

    /// Empty if no table with these columns was mapped.
    std::optional<ColumnMapping> mappingOf(const CsvTable &table) const;
    void remember(const CsvTable &table, const ColumnMapping &mapping);

private:
    Settings &m_settings;
};

} // namespace meshwright
