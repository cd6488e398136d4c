// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/imported.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// A file to import, read whole and never run.
struct LaunchFile {
    std::string name; ///< file name as the user gave it
    std::string text;
};

/// One kind of file that can be imported.
struct ImportKind {
    std::string_view id; ///< name of the format for `import --from`
    std::string_view title; ///< "Megatron-LM arguments"
    /// How surely a file is of this kind: 0 not at all, 100 surely. Looks at no more than the text.
    int (*likeness)(const LaunchFile &file);
    /// @param files  the file of this kind first, then what came with it (a DeepSpeed JSON beside its script)
    /// @throws InputError for a file that is none of the kind, in one line
    Imported (*read)(const std::vector<LaunchFile> &files, const Library &library);
};

/// All of them; of two that are equally likely the earlier wins.
const std::vector<ImportKind> &import_kinds();

/// Imports what the files say. @param kind  id of an ImportKind; empty: recognized by the text.
/// @throws InputError for an unknown kind, a file that no importer recognizes, or one that is malformed
Imported import_files(const std::vector<LaunchFile> &files, std::string_view kind, const Library &library);

} // namespace meshwright
