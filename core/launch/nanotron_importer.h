// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

int nanotron_likeness(const LaunchFile &file);
/// Imports a nanotron YAML file, including files of older and newer releases than the one whose options are known.
Imported import_nanotron(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright
