// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace meshwright {

inline constexpr std::uint64_t empty_digest = 0xcbf29ce484222325;

/// 64-bit FNV-1a (Fowler, Noll and Vo, RFC draft eastlake-fnv). Distinguishes documents, but is not cryptographic and
/// does not resist deliberate collisions. @param before  digest of the preceding text
constexpr std::uint64_t digest(std::string_view text, std::uint64_t before = empty_digest) {
    std::uint64_t hash = before;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

} // namespace meshwright
