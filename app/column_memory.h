// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <optional>

namespace meshwright {

class Settings;

/// How tables of measured runs were mapped, by their line of column names: the user chooses once for all files of the
/// same columns.
class ColumnMemory {
public:
    explicit ColumnMemory(Settings &settings)
        : m_settings(settings) { }

    /// Nothing where no table of these columns was mapped.
    std::optional<ColumnMapping> mappingOf(const CsvTable &table) const;
    /// Kept in place of the oldest of many.
    void remember(const CsvTable &table, const ColumnMapping &mapping);

private:
    Settings &m_settings;
};

} // namespace meshwright
