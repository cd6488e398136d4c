// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace meshwright {

/// Title of a file format as a menu or dialog shows it, with a capital first letter. If the title begins with the
/// format's id, the id is the name of a project and keeps its spelling: "nanotron YAML".
QString formatTitle(std::string_view id, std::string_view title);

} // namespace meshwright
