// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/imported.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// A file to import, which is only read, never run.
struct LaunchFile {
    std::string name; ///< file name as the user gave it
    std::string text;
};

/// The first character after white space and a byte order mark; 0 if there is none. JSON objects begin with "{".
inline char first_character(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    return first == std::string_view::npos ? '\0' : text[first];
}

struct ImportKind {
    std::string_view id; ///< name of the format for `import --from`
    std::string_view title; ///< such as "Megatron-LM arguments"
    /// How likely the file is of this kind, from 0 (not at all) to 100 (certainly), based only on its text.
    int (*likeness)(const LaunchFile &file);
    /// @param files  the file of this kind, then accompanying files, such as a script's DeepSpeed JSON
    /// @throws InputError with a one-line message if the file is not of this kind
    Imported (*read)(const std::vector<LaunchFile> &files, const Library &library);
};

/// All kinds. If two are equally likely for a file, the earlier one is chosen.
const std::vector<ImportKind> &import_kinds();

/// Imports the files.
/// @param kind  id of an ImportKind; empty to recognize the kind from the text
/// @throws InputError for an unknown kind, a file that no importer recognizes, or one that is malformed
Imported import_files(const std::vector<LaunchFile> &files, std::string_view kind, const Library &library);

} // namespace meshwright
