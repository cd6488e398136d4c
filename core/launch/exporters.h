// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;
struct Result;

struct ExportLine {
    std::string text;
    std::string field =
        {}; ///< JSON pointer of the plan field that determines the line; empty if the line is the same for every plan
    /// Reason for a line that follows from several fields or from the target's rules; may be empty.
    std::string why = {};
};

struct ExportFile {
    std::string name; ///< "train.sh", "config.toml"
    std::vector<ExportLine> lines;
    std::string text() const;
};

/// A setting of the plan that a target cannot express.
struct Loss {
    std::string sentence; ///< what is lost, and what the target does instead, in one sentence
    std::vector<std::string> fields; ///< JSON pointers of the plan fields that the files change or omit
};

struct LaunchExport {
    std::vector<ExportFile> files; ///< all files, beginning with the one that the target reads first
    std::vector<Loss> lost;
};

/// One target of `export --to`.
struct ExportTarget {
    std::string_view id;
    std::string_view title; ///< "Megatron-LM shell script"
    bool has_comments = true; ///< false if the format has no comments; losses are then reported on standard error
    /// @param result  result of evaluating the plan: step time and simulated pipeline
    /// @throws InputError with the pointer of a parallel degree that the target cannot express
    LaunchExport (*write)(const Result &result, const Library &library);
};

const std::vector<ExportTarget> &export_targets();
const ExportTarget *export_target(std::string_view id);

} // namespace meshwright
