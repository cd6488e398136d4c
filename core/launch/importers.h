// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/imported.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// A file to import, read completely and never executed.
struct LaunchFile {
    std::string name; ///< file name as the user gave it
    std::string text;
};

/// One kind of file that can be imported.
struct ImportKind {
    std::string_view id; ///< name of the format for `import --from`
    std::string_view title; ///< such as "Megatron-LM arguments"
    /// How likely the file is of this kind, from 0 (not at all) to 100 (certainly), based only on its text.
    int (*likeness)(const LaunchFile &file);
    /// @param files  the file of this kind, followed by the files given with it, such as a script's DeepSpeed JSON
    /// @throws InputError in one line if the file is not of this kind
    Imported (*read)(const std::vector<LaunchFile> &files, const Library &library);
};

/// All kinds. If two are equally likely for a file, the earlier one is chosen.
const std::vector<ImportKind> &import_kinds();

/// Imports the given files. @param kind  id of an ImportKind; if empty, the kind is recognized by the text.
/// @throws InputError for an unknown kind, or a file that is malformed or that no importer recognizes
Imported import_files(const std::vector<LaunchFile> &files, std::string_view kind, const Library &library);

} // namespace meshwright
