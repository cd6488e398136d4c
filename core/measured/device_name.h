// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// The accelerator preset for a product name as reported by drivers: "NVIDIA H100 80GB HBM3", "A100-SXM4-40GB".
/// Products with the same name are distinguished by their memory.
/// @param memory_bytes  memory that the driver reports; 0 if unknown, in which case the size in the name is used
/// @returns an id; empty if no preset describes the product
std::string accelerator_of_device(std::string_view product, double memory_bytes, const Library &library);

} // namespace meshwright
