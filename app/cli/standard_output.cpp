// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/standard_output.h"

#include "cli/failure.h"

#include <nlohmann/json.hpp>

#include <cerrno>

#include <unistd.h>

namespace meshwright {

void writeText(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            throw Failure(ExitStatus::fileTrouble,
                          "standard output: /: cannot be written; expected an open pipe or a disk with free space");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void writeJson(const nlohmann::ordered_json &document, JsonLines lines) {
    const int indentation = lines == JsonLines::one ? -1 : 2;
    writeText(document.dump(indentation, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

} // namespace meshwright
