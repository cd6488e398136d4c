// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace meshwright {

inline constexpr std::uint64_t empty_digest = 0xcbf29ce484222325;

/// FNV-1a of 64 bits (Fowler, Noll and Vo, RFC draft eastlake-fnv): tells documents apart, and resists nobody who wants
/// two of them to look the same. @param before  digest of what stands in front of the text
constexpr std::uint64_t digest(std::string_view text, std::uint64_t before = empty_digest) {
    std::uint64_t hash = before;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

} // namespace meshwright
