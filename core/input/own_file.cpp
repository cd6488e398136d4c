// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/own_file.h"

#include <system_error>

namespace meshwright {

namespace fs = std::filesystem;

fs::path own_file(const fs::path &shared, const fs::path &checkout) {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path().parent_path() / MESHWRIGHT_SHARE / shared;
    if (!error && fs::exists(installed, error))
        return installed;
    return fs::path(MESHWRIGHT_CHECKOUT) / checkout;
}

} // namespace meshwright
