// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// The accelerator preset that a driver's product name means: "NVIDIA H100 80GB HBM3", "A100-SXM4-40GB". Parts of one
/// name that differ in memory are told apart by it.
/// @param memory_bytes  as the driver reports it; 0: unknown, then the size in the name counts
/// @returns an id; empty where no preset describes the part
std::string accelerator_of_device(std::string_view product, double memory_bytes, const Library &library);

} // namespace meshwright
