// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/launcher_table.h"

#include "catalog/library.h"
#include "evidence/csv_table.h"
#include "input/diagnostic.h"
#include "input/files.h"

#include <cstddef>
#include <utility>

namespace meshwright {

std::vector<std::vector<std::string>> launcher_table(const Library &library, std::string_view file,
                                                     const std::vector<std::string_view> &columns) {
    std::vector<std::vector<std::string>> rows;
    try {
        CsvTable table = read_csv(read_file(library.own_folder() / "launchers" / file));
        std::vector<std::size_t> indices;
        for (const std::string_view column : columns) {
            indices.push_back(table.column(column));
            if (indices.back() == CsvTable::missing)
                return {};
        }
        for (std::vector<std::string> &row : table.rows) {
            std::vector<std::string> &cells = rows.emplace_back();
            for (const std::size_t index : indices)
                cells.push_back(std::move(row[index]));
        }
    } catch (const InputError &) {
    } catch (const FileError &) { }
    return rows;
}

} // namespace meshwright
