// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshwright {

/// An option of the file that set a field.
struct UnderstoodOption {
    std::string option; ///< name of the option as spelled in the file
    std::string value;
    /// JSON pointer into the plan, tier, node or run; pointers below "/measured" are into `measured`.
    std::string field;
    /// Different values of the option's other occurrences in the file, which are not in effect.
    std::vector<std::string> other_values = {};
};

/// A field that the file does not state, with its assumed value.
struct AssumedField {
    std::string field; ///< JSON pointer
    nlohmann::ordered_json value;
    std::string why;
};

/// An option of the file that sets no field.
struct IgnoredOption {
    std::string option;
    std::string value;
    std::string why;
    std::vector<std::string> other_values = {}; ///< as in UnderstoodOption
};

/// An error in the file that would prevent the run, or a reason why the document does not describe the run.
struct LaunchFault {
    std::string option;
    std::string why;
};

/// The result of an import: one document, and a list of how each option of the file was used. Each option is listed
/// exactly once, in `understood` or in `ignored`. In a log, a trace or a listing, each kind of entry counts as one
/// option.
struct Imported {
    std::string kind; ///< name of the format for `import --from`: "megatron", "torchtitan", ...
    std::string what; ///< key of the document: "model", "plan", "tier", "node" or "run"
    nlohmann::ordered_json document;
    /// Measured figures that fit no field of the document; null unless a measurement was imported.
    nlohmann::ordered_json measured;
    /// Parameter counts `total`, `active`, `embedding` and `mtp` of an imported model; otherwise null.
    nlohmann::ordered_json parameters;
    std::string warning; ///< one sentence if the model's size differs from the one in its name; otherwise empty
    std::vector<UnderstoodOption> understood;
    std::vector<AssumedField> assumed;
    std::vector<IgnoredOption> ignored;
    std::vector<LaunchFault> faults;
};

/// The JSON object that `import` prints: the document under its key, then `understood`, `assumed`, `ignored` and
/// `faults`.
nlohmann::ordered_json to_json(const Imported &imported);

} // namespace meshwright
