// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/architectures.h"

#include <algorithm>
#include <iterator>

namespace meshwright {

namespace {

using enum ConstantId;

constexpr AttentionCurve ampere_flash_2{200e12, 420, 190e12, 500, 0.91, 312e12};
constexpr AttentionCurve hopper_flash_2{362e12, 540, 362e12, 540, 0.87, 989.5e12};
constexpr AttentionCurve hopper_flash_3{578e12, 400, 515e12, 620, 0.78, 989.5e12};
constexpr AttentionCurve blackwell_flash_3{1080e12, 900, 840e12, 1100, 0.74, 2250e12};
/// FlashAttention-2 runs on Blackwell but hardly uses its matrix units, so it is only 20% faster than on Hopper.
constexpr AttentionCurve blackwell_flash_2{434e12, 540, 434e12, 540, 0.87, 2250e12};
/// Composable Kernel and Triton attention on MI200 and MI300: about 1/3 of the peak in the forward pass and 1/5 in the
/// backward pass.
constexpr AttentionCurve cdna_attention{420e12, 540, 290e12, 540, 0.87, 1307.4e12};

constexpr Architecture ampere{.name = "ampere",
                              .family = "ampere",
                              .matrix_efficiency = matrix_efficiency_ampere,
                              .low_precision = std::nullopt,
                              .flash_2 = &ampere_flash_2,
                              .flash_3 = &ampere_flash_2,
                              .full_power = std::nullopt,
                              .switch_sum_efficiency = std::nullopt};

constexpr Architecture like_ampere(std::string_view name, ConstantId matrix_efficiency) {
    Architecture like = ampere;
    like.name = like.family = name;
    like.matrix_efficiency = matrix_efficiency;
    return like;
}

constexpr Architecture hopper{.name = "hopper",
                              .family = "hopper",
                              .matrix_efficiency = matrix_efficiency_hopper,
                              .low_precision =
                                  LowPrecision{matrix_efficiency_fp8_hopper, matrix_efficiency_fp4_blackwell},
                              .flash_2 = &hopper_flash_2,
                              .flash_3 = &hopper_flash_3,
                              .full_power = FullPower{700, 989.5e12, "NVIDIA H100 data sheet"},
                              .switch_sum_efficiency = switch_sum_efficiency_hopper};

constexpr Architecture blackwell{.name = "blackwell",
                                 .family = "blackwell",
                                 .matrix_efficiency = matrix_efficiency_blackwell,
                                 .low_precision =
                                     LowPrecision{matrix_efficiency_fp8_blackwell, matrix_efficiency_fp4_blackwell},
                                 .flash_2 = &blackwell_flash_2,
                                 .flash_3 = &blackwell_flash_3,
                                 .full_power = FullPower{1000, 2250e12, "NVIDIA DGX B200 data sheet"},
                                 .switch_sum_efficiency = switch_sum_efficiency_blackwell,
                                 .later_ones_alike = true};

constexpr Architecture blackwell_ultra() {
    Architecture ultra = blackwell;
    ultra.name = "blackwell-ultra";
    ultra.later_ones_alike = false;
    ultra.matrix_efficiency = matrix_efficiency_blackwell_ultra;
    ultra.low_precision->siblings = blackwell.matrix_efficiency;
    return ultra;
}

constexpr Architecture cdna(std::string_view name, ConstantId matrix_efficiency) {
    Architecture like = like_ampere(name, matrix_efficiency);
    like.flash_2 = like.flash_3 = &cdna_attention;
    return like;
}

constexpr Architecture cdna_3() {
    Architecture like = cdna("cdna3", matrix_efficiency_cdna3);
    like.low_precision = LowPrecision{.fp8 = matrix_efficiency_fp8_cdna3, .fp4 = std::nullopt, .relative = true};
    return like;
}

constexpr Architecture later_cdna() {
    Architecture like = cdna("cdna", matrix_efficiency_cdna3);
    like.later_ones_alike = true;
    return like;
}

constexpr Architecture streaming(std::string_view name, ConstantId matrix_efficiency) {
    Architecture like = like_ampere(name, matrix_efficiency);
    like.runs_in_tiles = false;
    return like;
}

constexpr Architecture tpu() {
    Architecture like = streaming("tpu", matrix_efficiency_tpu);
    like.links_in_torus = true;
    like.usual_stack = "maxtext-tpu-2024";
    return like;
}

constexpr Architecture rows[] = {like_ampere("volta", matrix_efficiency_ampere),
                                 ampere,
                                 hopper,
                                 blackwell_ultra(),
                                 blackwell,
                                 cdna("cdna2", matrix_efficiency_other),
                                 cdna_3(),
                                 later_cdna(),
                                 tpu(),
                                 streaming("other", matrix_efficiency_other)};

constexpr Architecture unknown = like_ampere("", matrix_efficiency_other);

const Architecture *row_of(std::string_view name) {
    const auto *const own =
        std::find_if(std::begin(rows), std::end(rows), [&](const Architecture &row) { return row.name == name; });
    return own != std::end(rows) ? own : nullptr;
}

} // namespace

std::string_view family_of(std::string_view name) {
    const Architecture *const own = row_of(name);
    return own != nullptr ? own->family : name;
}

const Architecture &architecture_of(std::string_view name) {
    if (const Architecture *const own = row_of(name))
        return *own;
    const auto *const like = std::find_if(std::begin(rows), std::end(rows), [&](const Architecture &row) {
        return row.later_ones_alike && name.starts_with(row.name);
    });
    return like != std::end(rows) ? *like : unknown;
}

} // namespace meshwright
