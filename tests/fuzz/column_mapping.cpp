// SPDX-License-Identifier: GPL-3.0-or-later
// The first line has a column mapping in the format of the settings; the table follows.
#include "evidence/column_mapping.h"
#include "evidence/measured_run.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace meshwright;
    return fuzz::refusing([&] {
        std::string_view text = fuzz::text_of(data, size);
        const std::string_view kept = fuzz::take_line(text);
        const CsvTable table = read_csv(text);
        const ColumnMapping mapping = parse_mapping(kept, table);
        fuzz::require(mapping.columns.size() == table.columns.size(), "a mapping is one of this table");
        (void)measured_runs(mapped_table(table, mapping));
        if (const std::string written = text_of(mapping); !written.empty())
            fuzz::require(parse_mapping(written, table) == mapping, "a mapping that is written is read as it was");
        fuzz::went_all_the_way();
    });
}
