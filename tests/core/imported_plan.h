// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "launch/importers.h"
#include "plan/plan_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// Launch files imported for tests: a plan and the account of its options.
namespace meshwright::testing_launch {

using Json = nlohmann::ordered_json;

inline const Library &library() {
    static const Library own({MESHWRIGHT_PRESETS});
    return own;
}

inline Imported import_texts(const std::vector<LaunchFile> &files, const std::string &kind = {}) {
    return import_files(files, kind, library());
}
inline Imported import_text(const std::string &name, const std::string &text, const std::string &kind = {}) {
    return import_texts({{.name = name, .text = text}}, kind);
}

/// A file of tests/fuzz/corpus/import_launch, which the fuzz target and the command-line tests also read.
inline LaunchFile example(const std::string &name) {
    const std::filesystem::path folder =
        std::filesystem::path(MESHWRIGHT_TEST_DATA) / ".." / ".." / "fuzz" / "corpus" / "import_launch";
    return {.name = name, .text = read_file(folder / name)};
}
inline std::vector<std::string> example_names() {
    std::vector<std::string> names;
    const std::filesystem::path folder =
        std::filesystem::path(MESHWRIGHT_TEST_DATA) / ".." / ".." / "fuzz" / "corpus" / "import_launch";
    for (const auto &entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// A field of the document; null if it has none.
inline Json at(const Imported &imported, const std::string &pointer) {
    const Json::json_pointer place(pointer);
    return imported.document.contains(place) ? imported.document[place] : Json(nullptr);
}

/// The field that an option set, or "ignored: " and the reason; "twice" or "not at all" if the account is wrong.
inline std::string account_of(const Imported &imported, const std::string &option) {
    std::vector<std::string> found;
    for (const UnderstoodOption &each : imported.understood)
        if (each.option == option)
            found.push_back(each.field);
    for (const IgnoredOption &each : imported.ignored)
        if (each.option == option)
            found.push_back("ignored: " + each.why);
    return found.size() == 1 ? found.front() : found.empty() ? "not at all" : "twice";
}

inline bool assumes(const Imported &imported, const std::string &field) {
    return std::any_of(imported.assumed.begin(), imported.assumed.end(),
                       [&](const AssumedField &each) { return each.field == field; });
}

/// The problem with an option; empty if there is none.
inline std::string fault_of(const Imported &imported, const std::string &option) {
    const auto found = std::find_if(imported.faults.begin(), imported.faults.end(),
                                    [&](const LaunchFault &each) { return each.option == option; });
    return found == imported.faults.end() ? std::string() : found->why;
}

inline std::string faults_of(const Imported &imported) {
    std::string all;
    for (const LaunchFault &each : imported.faults)
        all += each.option + ": " + each.why + "\n";
    return all;
}

/// The error line of a rejected file; empty if it is imported.
inline std::string import_rejection_of(const std::string &text, const std::string &kind = {}) {
    try {
        import_text("file", text, kind);
        return {};
    } catch (const InputError &error) {
        return one_line("file", error.diagnostics());
    }
}

/// Whether the planner accepts the document.
inline bool is_accepted(const Imported &imported) {
    return read_plan(imported.document, library()).valid();
}

/// A TOML file of torchtitan with additional lines in its sections.
inline std::string torchtitan_toml(const std::map<std::string, std::string> &more) {
    std::map<std::string, std::string> sections{
        {"model", "name = \"llama3\"\nflavor = \"8B\"\n"}, {"training", "seq_len = 4096\n"}, {"parallelism", ""}};
    for (const auto &[section, lines] : more)
        sections[section] += lines + "\n";
    std::string text;
    for (const auto &[section, lines] : sections)
        text += "[" + section + "]\n" + lines;
    return text;
}

} // namespace meshwright::testing_launch
