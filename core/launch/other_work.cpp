// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/other_work.h"

#include "launch/launch_plan.h"
#include "launch/launcher_table.h"
#include "launch/shell_calls.h"
#include "launch/shell_patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
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
    std::string kind; ///< "job", or what `work` says about the model: "model" or "encoder-decoder"
    std::string work;
};

std::vector<OtherWork> other_work(const Library &library) {
    std::vector<OtherWork> rows;
    for (auto &cells : launcher_table(library, "other-work.csv", {"mark", "name", "kind", "work"})) {
        const std::string &name = cells[1];
        const std::size_t equals = std::min(name.find('='), name.size());
        rows.push_back({.is_program = cells[0] == "program",
                        .name = name.substr(0, equals),
                        .value = name.substr(std::min(equals + 1, name.size())),
                        .kind = std::move(cells[2]),
                        .work = std::move(cells[3])});
    }
    return rows;
}

/// "pretrain_t5" for "megatron/pretrain_t5.py", "offline_inference" for the module "examples.offline_inference".
std::string program_stem(std::string_view program) {
    std::string name = script_name(program);
    if (name.ends_with(".py"))
        name.erase(name.size() - 3);
    else
        name.erase(0, name.rfind('.') + 1); // npos + 1 is 0
    return name;
}

/// The program or option by which a row of the table recognizes a launch; empty if it does not.
std::string mark_of(const OtherWork &row, const LaunchPlan &launch) {
    if (row.is_program)
        return matches_shell_pattern(program_stem(launch.program), row.name) ? script_name(launch.program)
                                                                             : std::string();
    const LaunchOption *const option = launch.options.find_matching([&](const LaunchOption &each) {
        return matches_shell_pattern(each.name, row.name)
            && (row.value.empty() || matches_shell_pattern(value_text(each.value), row.value));
    });
    return option == nullptr ? std::string() : option->name;
}

struct Recognized {
    OtherWork row;
    std::string mark;
};

/// The first row that recognizes a launch, of those about its job or of those about its model.
std::optional<Recognized> recognized(const LaunchPlan &launch, const Library &library, bool is_job) {
    for (OtherWork &row : other_work(library))
        if ((row.kind == "job") == is_job)
            if (std::string mark = mark_of(row, launch); !mark.empty())
                return Recognized{.row = std::move(row), .mark = std::move(mark)};
    return std::nullopt;
}

} // namespace

bool is_encoder_decoder(const LaunchPlan &launch, const Library &library) {
    const auto model = recognized(launch, library, false);
    return model && model->row.kind == "encoder-decoder";
}

void report_other_work(LaunchPlan &launch, const Library &library) {
    if (const auto job = recognized(launch, library, true))
        launch.options.fault(
            job->mark,
            fmt::format("launches {}, not training; the plan describes a training run with the same options",
                        job->row.work));
    if (const auto model = recognized(launch, library, false))
        launch.options.fault(model->mark,
                             fmt::format("the model is {}, which a plan cannot describe; the plan has a decoder-only "
                                         "language model of the stated sizes",
                                         model->row.work));
}

} // namespace meshwright
