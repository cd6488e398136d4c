// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/other_work.h"

#include "catalog/library.h"
#include "evidence/csv_table.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "launch/launch_plan.h"
#include "launch/shell_patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

/// One row of the table.
struct OtherWork {
    bool is_program = false; ///< whether `name` is a program's rather than an option's
    std::string name; ///< pattern of the program's name without folders and ending, or of an option
    std::string value; ///< pattern of the option's value; empty: any
    bool is_model = false; ///< whether `work` is a kind of model rather than what is done with it
    std::string work;
};

std::vector<OtherWork> read_table(const Library &library) {
    std::vector<OtherWork> rows;
    try {
        const CsvTable table = read_csv(read_file(library.own_folder() / "launchers" / "other-work.csv"));
        const std::size_t mark = table.column("mark");
        const std::size_t name = table.column("name");
        const std::size_t kind = table.column("kind");
        const std::size_t work = table.column("work");
        const std::size_t most = std::max({mark, name, kind, work});
        for (const auto &row : table.rows) {
            if (most >= row.size())
                continue;
            const std::size_t equals = std::min(row[name].find('='), row[name].size());
            rows.push_back({.is_program = row[mark] == "program",
                            .name = row[name].substr(0, equals),
                            .value = row[name].substr(std::min(equals + 1, row[name].size())),
                            .is_model = row[kind] == "model",
                            .work = row[work]});
        }
    } catch (const InputError &) {
    } catch (const FileError &) { }
    return rows;
}

/// Read once for each folder of presets. If the table cannot be read, it is empty.
const std::vector<OtherWork> &table_of(const Library &library) {
    static std::mutex mutex;
    static std::map<std::filesystem::path, std::vector<OtherWork>> known;
    const std::lock_guard lock(mutex);
    const auto [found, is_new] = known.try_emplace(library.own_folder());
    if (is_new)
        found->second = read_table(library);
    return found->second;
}

/// "pretrain_t5" for "megatron/pretrain_t5.py", "offline_inference" for the module "examples.offline_inference".
std::string_view bare_name(std::string_view program) {
    program.remove_prefix(program.rfind('/') + 1); // npos + 1 is 0
    if (program.ends_with(".py"))
        program.remove_suffix(3);
    else
        program.remove_prefix(program.rfind('.') + 1);
    return program;
}

/// The program or option by which a row of the table recognizes a launch; empty if it does not.
std::string mark_of(const OtherWork &row, const LaunchPlan &launch) {
    if (row.is_program)
        return matches_shell_pattern(bare_name(launch.program), row.name)
            ? launch.program.substr(launch.program.rfind('/') + 1)
            : std::string();
    const LaunchOption *const option = launch.options.find_matching([&](const LaunchOption &each) {
        return matches_shell_pattern(each.name, row.name)
            && (row.value.empty() || matches_shell_pattern(value_text(each.value), row.value));
    });
    return option == nullptr ? std::string() : option->name;
}

struct Recognized {
    const OtherWork *row;
    std::string mark;
};

/// The first row of a kind that recognizes a launch.
std::optional<Recognized> recognized(const LaunchPlan &launch, const Library &library, bool is_model) {
    for (const OtherWork &row : table_of(library))
        if (row.is_model == is_model)
            if (std::string mark = mark_of(row, launch); !mark.empty())
                return Recognized{.row = &row, .mark = std::move(mark)};
    return std::nullopt;
}

} // namespace

bool is_encoder_decoder(const LaunchPlan &launch, const Library &library) {
    const auto model = recognized(launch, library, true);
    return model && model->row->work == "an encoder-decoder";
}

void report_other_work(LaunchPlan &launch, const Library &library) {
    if (const auto job = recognized(launch, library, false))
        launch.options.fault(
            job->mark,
            fmt::format("launches {}, not training; the plan is for training with the same options", job->row->work));
    if (const auto model = recognized(launch, library, true))
        launch.options.fault(model->mark,
                             fmt::format("the model is {}, which a plan cannot describe; the plan has a decoder-only "
                                         "language model of the stated sizes",
                                         model->row->work));
}

} // namespace meshwright
