// SPDX-License-Identifier: GPL-3.0-or-later
// Build-time tool: predicts the measured runs and writes the source of built_in_runs().
#include "catalog/library.h"
#include "catalog/preset_digest.h"
#include "evidence/similar_runs.h"
#include "input/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <iterator>
#include <stdexcept>
#include <string>

namespace {

using namespace meshwright;

std::string literal(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text)
        fmt::format_to(std::back_inserter(quoted), "\\{:03o}", static_cast<unsigned char>(c));
    return quoted + "\"sv";
}

std::string row(const ComparedRun &run) {
    return fmt::format(
        "{{{}, {}, {}, {}, {{{:a}}}, {}, {}, NetworkHealth{{{}}}, MeasuredMemory{{{}}}, {:a}, {:a}, {:a}, {:a}}},\n",
        run.row, literal(run.id), literal(run.source), literal(run.model), fmt::join(run.features, ", "),
        literal(run.stack), literal(run.architecture), static_cast<int>(run.health), static_cast<int>(run.kind),
        run.measured_seconds, run.predicted_seconds, run.measured_bytes, run.predicted_bytes);
}

std::string source() {
    const EvidenceTable &table = *EvidenceTable::standard();
    const std::vector<ComparedRun> runs = compared_runs(table, table.predict());
    const std::optional<std::uint64_t> presets = digest_of_presets(Library::standard());
    if (runs.empty() || !presets)
        throw std::runtime_error("expected only the built-in presets and measured runs");
    std::string rows;
    for (const ComparedRun &run : runs)
        rows += row(run);
    return fmt::format("#include \"built_in_runs.h\"\n"
                       "namespace meshwright {{\n"
                       "namespace {{\n"
                       "using namespace std::string_view_literals;\n"
                       "constexpr ComparedRun runs[] = {{\n{}}};\n"
                       "}}\n"
                       "BuiltInRuns built_in_runs() {{ return {{{}U, runs}}; }}\n"
                       "}}\n",
                       rows, *presets);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        fmt::print(stderr, "expected the name of the output file\n");
        return 2;
    }
    try {
        write_file_atomically(argv[1], source());
    } catch (const std::exception &error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
