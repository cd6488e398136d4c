// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/device.h"
#include "formulas/kernels.h"

#include "random_plans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

const Assumptions &no_gaps() {
    static const Assumptions assumptions({{"kernel-gap", 0}});
    return assumptions;
}

/// Assumptions without kernel gaps and without a start-up time per tile.
const Assumptions &no_tiles() {
    static const Assumptions assumptions({{"kernel-gap", 0}, {"matrix-tile-latency", 0}});
    return assumptions;
}

Plan plan_on(const char *accelerator, AttentionKernel kernel = AttentionKernel::flash_2) {
    Plan plan;
    plan.cluster.accelerator = *shipped_presets().accelerator(accelerator);
    plan.stack.attention = kernel;
    plan.stack.host_seconds_per_layer = 1e-3;
    return plan;
}

constexpr double exactly = 1e-12;
#define EXPECT_SAME(actual, expected) EXPECT_NEAR((actual) / (expected), 1, exactly)

TEST(Matrix, ThatFillsItsLastWaveTakesTwiceMNKOverTheSustainedRate) {
    const Plan plan = plan_on("h100-sxm-80gb");
    const double m = 128 * 256.0;
    const double n = 132 * 128.0; // 128 tiles per multiprocessor, also with columns and depth exchanged
    const KernelSeconds seconds = Device(plan, no_tiles()).matrix(m, n, n, MatrixUnits::compute);
    const double rate = plan.cluster.accelerator.peak(DataType::bf16) * no_gaps()[ConstantId::matrix_efficiency_hopper];
    EXPECT_SAME(seconds.forward, 2 * m * n * n / rate);
    EXPECT_SAME(seconds.input_gradient, 2 * m * n * n / rate);
}

TEST(Matrix, StartsAWaveForOneTileMore) {
    const Plan plan = plan_on("h100-sxm-80gb");
    const Device device(plan, Assumptions({{"kernel-gap", 0}, {"matrix-tile-latency", 5e-6}}));
    const double k = 16384;
    // 132 tiles, one per multiprocessor
    const double one = device.matrix(12 * 256, 11 * 128, k, MatrixUnits::compute).forward;
    const double rate = device.half_flops_per_second() / 132;
    EXPECT_SAME(one, 2 * 256 * 128 * k / rate + 5e-6);
    EXPECT_SAME(device.matrix(24 * 256, 11 * 128, k, MatrixUnits::compute).forward, 2 * one);
    // One more row needs a second wave of tiles; their depth is split into four.
    EXPECT_GT(device.matrix(12 * 256 + 1, 11 * 128, k, MatrixUnits::compute).forward, 1.2 * one);
    // Six tiles do not fill the device. Splitting the depth in four gives twenty-four tiles of a quarter each, and
    // partial sums in FP32.
    EXPECT_SAME(device.matrix(2 * 256, 3 * 128, k, MatrixUnits::compute).forward,
                2 * 256 * 128 * k / 4 / rate + 5e-6 + 16.0 * 2 * 256 * 3 * 128 / device.memory_bytes_per_second());
}

TEST(Matrix, WithoutMultiprocessorsStreams) {
    const Plan plan = plan_on("tpu-v5p");
    const KernelSeconds seconds = Device(plan, no_gaps()).matrix(8191, 8193, 8192, MatrixUnits::compute);
    EXPECT_SAME(seconds.forward, 2 * 8191.0 * 8193 * 8192 / Device(plan, no_gaps()).half_flops_per_second());
}

/// Fits SimuMax's 183 GEMMs on A100 with a mean error of 3.2%: the start and end of a tile take as long as 136 steps of
/// depth at 0.782 of the peak on 108 multiprocessors.
TEST(Matrix, StartsATileInWhatWasMeasuredOnA100) {
    const double rate = 0.782 * 312e12 / 108;
    const double steps = formula::matrix_flops(256, 128, 136) / rate;
    EXPECT_NEAR(steps, 4e-6, 0.1e-6);
    // The constant fitted to training runs is close.
    EXPECT_NEAR(Assumptions()[ConstantId::matrix_tile_seconds] / steps, 1, 0.35);
}

TEST(Matrix, TooThinForItsUnitsTakesItsBytesOverTheMemoryRate) {
    const Plan plan = plan_on("a100-sxm-80gb");
    const double m = 1;
    const double n = 16384;
    const double k = 16384;
    const double rate =
        plan.cluster.accelerator.memory_bandwidth_bytes_per_second * no_gaps()[ConstantId::memory_bandwidth_efficiency];
    const KernelSeconds seconds = Device(plan, no_gaps()).matrix(m, n, k, MatrixUnits::compute);
    EXPECT_SAME(seconds.forward, 2 * (m * k + n * k + m * n) / rate);
    // The weight gradient is read and accumulated in FP32.
    EXPECT_SAME(seconds.weight_gradient, (2 * (m * k + m * n) + 8 * n * k) / rate);
}

TEST(Matrix, OfNothingTakesNoTime) {
    const Plan plan = plan_on("h100-sxm-80gb");
    EXPECT_EQ(Device(plan, Assumptions()).matrix(0, 8192, 8192, MatrixUnits::compute).forward, 0);
}

TEST(Matrix, OfExpertsPaysForBeingGroupedAndForTheirWeights) {
    const Plan plan = plan_on("h100-sxm-80gb");
    const Device device(plan, no_tiles());
    const double m = 65536;
    const double n = 8192;
    const double weights = 2 * 8 * n * n;
    EXPECT_SAME(device.matrix(m, n, n, MatrixUnits::compute, 8).forward,
                device.matrix(m, n, n, MatrixUnits::compute).forward / no_gaps()[ConstantId::grouped_matrix_factor]
                    + weights / device.memory_bytes_per_second());
}

/// SimuMax's table of grouped GEMMs on B200: fraction of 2,250 TFLOP/s by rows per expert, for 20 experts.
TEST(Matrix, OfExpertsReachesWhatWasMeasuredByRowsOfEach) {
    struct Measured {
        double rows, forward, weight_gradient;
    };
    constexpr double groups = 20;
    const Plan plan = plan_on("b200");
    const double peak = plan.cluster.accelerator.peak(DataType::bf16);
    const auto sustaining = [&](double share) {
        return Device(
            plan,
            Assumptions({{"kernel-gap", 0}, {"matrix-efficiency-blackwell", share}, {"grouped-matrix-factor", 1}}));
    };
    const Device forwards = sustaining(0.60); // the rate measured for many rows
    const Device backwards = sustaining(0.54);
    for (const auto &[rows, forward, weight_gradient] :
         {Measured{128, 0.19, 0.11}, {256, 0.29, 0.18}, {512, 0.38, 0.25}, {1024, 0.43, 0.29}, {2460, 0.49, 0.41}}) {
        const double m = rows * groups;
        const double least = 2 * m * 3072 * 5120 / peak;
        EXPECT_NEAR(least / forwards.matrix(m, 3072, 5120, MatrixUnits::compute, groups).forward, forward, 0.03);
        EXPECT_NEAR(least / backwards.matrix(m, 3072, 5120, MatrixUnits::compute, groups).weight_gradient,
                    weight_gradient, 0.045);
    }
}

TEST(Matrix, InAFormatThatThePartLacksRunsAtTheNextOneThatItHas) {
    Plan plan = plan_on("a100-sxm-80gb");
    const double bf16 = Device(plan, no_gaps()).matrix(8192, 8192, 8192, MatrixUnits::compute).forward;
    plan.precision.compute = DataType::fp8;
    EXPECT_SAME(Device(plan, no_gaps()).matrix(8192, 8192, 8192, MatrixUnits::compute).forward, bf16);
}

TEST(Matrix, ThatLowPrecisionLeavesAloneKeepsItsSixteenBits) {
    Plan plan = plan_on("h100-sxm-80gb");
    const double bf16 = Device(plan, no_gaps()).matrix(8192, 8192, 8192, MatrixUnits::half).forward;
    plan.precision.compute = DataType::fp8;
    const Device device(plan, no_gaps());
    EXPECT_SAME(device.matrix(8192, 8192, 8192, MatrixUnits::half).forward, bf16);
    EXPECT_LT(device.matrix(8192, 8192, 8192, MatrixUnits::compute).forward, bf16);
}

/// Maximum achievable GEMM rates from the ML Engineering book: no GEMM of the best shape was faster. FP8 on MI300X:
/// AMD, Measuring Max-Achievable FLOPs, part 2.
TEST(SustainedRate, StaysUnderWhatTheBestShapeReaches) {
    struct Ceiling {
        const char *accelerator;
        DataType type;
        double flops_per_second;
    };
    using enum DataType;
    for (const auto &[id, type, ceiling] :
         {Ceiling{"a100-sxm-80gb", bf16, 271e12}, Ceiling{"h100-sxm-80gb", bf16, 794.5e12},
          Ceiling{"gh200-144gb", bf16, 828.6e12}, Ceiling{"b200", bf16, 1745e12}, Ceiling{"b300", bf16, 1769e12},
          Ceiling{"gb200", bf16, 1822e12}, Ceiling{"mi300x", bf16, 668e12}, Ceiling{"mi325x", bf16, 785e12},
          Ceiling{"h100-sxm-80gb", fp8, 1402.6e12}, Ceiling{"b200", fp8, 3432.5e12}, Ceiling{"gb200", fp8, 3615.6e12},
          Ceiling{"mi300x", fp8, 1273e12}}) {
        Plan plan = plan_on(id);
        plan.precision.compute = type;
        EXPECT_LT(Device(plan, no_gaps()).compute_flops_per_second(), ceiling) << id;
    }
}

TEST(SustainedRate, GrowsWithThePowerThatAPartMayDraw) {
    const auto rate = [](const char *id) {
        const Plan plan = plan_on(id);
        return Device(plan, no_gaps()).half_flops_per_second();
    };
    EXPECT_NEAR(rate("b200-750w") / rate("b200"), std::sqrt(0.75), 1e-12);
    EXPECT_NEAR(rate("h100-96gb-hbm2e") / rate("h100-sxm-80gb"), std::sqrt(500.0 / 700), 1e-12);
    Plan free = plan_on("b200");
    free.cluster.accelerator.power_watts = 1400; // more power than the peak needs
    EXPECT_SAME(Device(free, no_gaps()).half_flops_per_second(), rate("b200"));
}

struct PublishedCurve {
    const char *name;
    const char *accelerator;
    AttentionKernel kernel;
    bool backward; ///< true for forward and backward together, false for forward alone
    std::vector<double> teraflops; ///< at 512, 1k, 2k, 4k, 8k, 16k tokens with head dimension 128, causal FLOPs only
    double low, high; ///< range of relative errors of the curve in the registry
};

/// A copy of a preset with another id is the same machine.
TEST(SustainedRate, DependsOnNoId) {
    for (const char *id : {"b300", "gb300", "b200", "h100-sxm-80gb"}) {
        const Plan plan = plan_on(id);
        Plan copy = plan;
        copy.cluster.accelerator.id = "ours";
        for (const MatrixUnits units : {MatrixUnits::compute, MatrixUnits::half})
            EXPECT_EQ(Device(copy, no_gaps()).matrix(4096, 8192, 8192, units).forward,
                      Device(plan, no_gaps()).matrix(4096, 8192, 8192, units).forward)
                << id;
    }
    EXPECT_NE(matrix_efficiency(*shipped_presets().accelerator("b300"), DataType::bf16).times,
              matrix_efficiency(*shipped_presets().accelerator("b200"), DataType::bf16).times);
}

TEST(Architecture, OfAFamilyWithoutARowOfItsOwnIsLikeTheFamily) {
    EXPECT_EQ(&architecture_of("cdna4"), &architecture_of("cdna"));
    EXPECT_EQ(&architecture_of("blackwell-next"), &architecture_of("blackwell"));
    EXPECT_EQ(architecture_of("something").matrix_efficiency, ConstantId::matrix_efficiency_other);
    EXPECT_EQ(family_of("blackwell-ultra"), "blackwell");
    EXPECT_EQ(family_of("something"), "something");
}

/// Read by eye off the bars of arXiv 2307.08691 (figures 5 to 7) and 2407.08608 (figures 5 and 6), for 16,384 tokens in
/// total and a hidden size of 2,048. The curves were scaled afterwards to match training runs: FlashAttention-2 on H100
/// is up to a tenth above its figure; the forward pass of FlashAttention-3 is up to a tenth below its figure at long
/// sequences, and above it at 512 tokens.
TEST(FusedAttention, FollowsThePublishedCurves) {
    using enum AttentionKernel;
    const std::vector<PublishedCurve> curves{
        {"FA2 on A100", "a100-sxm-80gb", flash_2, true, {99, 133, 155, 173, 182, 189}, -0.012, 0.008},
        {"FA2 on H100", "h100-sxm-80gb", flash_2, true, {163, 221, 265, 294, 308, 328}, 0.068, 0.103},
        {"FA3 on H100, forward", "h100-sxm-80gb", flash_3, false, {292, 423, 521, 579, 602, 616}, -0.091, 0.111}};
    for (const PublishedCurve &curve : curves) {
        const Plan plan = plan_on(curve.accelerator, curve.kernel);
        const Device device(plan, no_gaps());
        double low = 1;
        double high = -1;
        double keys = 512;
        for (const double published : curve.teraflops) {
            const KernelSeconds seconds = device.attention({.query_tokens = 16384,
                                                            .key_tokens = keys,
                                                            .attended_fraction = 0.5,
                                                            .heads = 16,
                                                            .query_key_dim = 128,
                                                            .value_dim = 128});
            const double flops = 2 * 16384.0 * keys * 0.5 * 16 * 256;
            const double rate =
                curve.backward ? 3.5 * flops / (seconds.forward + seconds.input_gradient) : flops / seconds.forward;
            low = std::min(low, rate / (published * 1e12) - 1);
            high = std::max(high, rate / (published * 1e12) - 1);
            keys *= 2;
        }
        EXPECT_NEAR(low, curve.low, 6e-4) << curve.name;
        EXPECT_NEAR(high, curve.high, 6e-4) << curve.name;
    }
}

TEST(UnfusedAttention, ComputesEveryScoreAndMovesThirtyTwoBytesOfEach) {
    const Plan plan = plan_on("a100-sxm-80gb", AttentionKernel::unfused);
    const KernelSeconds seconds = Device(plan, no_gaps())
                                      .attention({.query_tokens = 2048,
                                                  .key_tokens = 2048,
                                                  .attended_fraction = 0.5,
                                                  .heads = 12,
                                                  .query_key_dim = 128,
                                                  .value_dim = 128});
    const double scores = 2048.0 * 2048 * 12;
    const double rate =
        plan.cluster.accelerator.peak(DataType::bf16) * no_gaps()[ConstantId::unfused_attention_efficiency];
    const double memory =
        plan.cluster.accelerator.memory_bandwidth_bytes_per_second * no_gaps()[ConstantId::memory_bandwidth_efficiency];
    EXPECT_SAME(seconds.forward + seconds.input_gradient, 3 * 2 * scores * 256 / rate + 32 * scores / memory);
    EXPECT_EQ(seconds.weight_gradient, 0);
}

TEST(Traffic, MovesTheStacksBytesAtTheMemoryRateAndWaitsForItsLaunch) {
    Plan plan = plan_on("h100-sxm-80gb");
    plan.stack.memory_traffic_factor = 1.4;
    const Assumptions assumptions;
    const double rate = plan.cluster.accelerator.memory_bandwidth_bytes_per_second
        * assumptions[ConstantId::memory_bandwidth_efficiency];
    EXPECT_SAME(Device(plan, assumptions).traffic(1e9, 2e9).forward,
                1.4e9 / rate + assumptions[ConstantId::kernel_gap_seconds]);
}

RC_GTEST_PROP(Device, WithABiggerPeakOrMemoryRateIsNeverSlower, ()) {
    Plan plan = plan_on(*rc::gen::element("a100-sxm-80gb", "h100-sxm-80gb", "b200", "mi300x", "tpu-v5p"),
                        static_cast<AttentionKernel>(*rc::gen::inRange(0, 4)));
    plan.precision.compute = *rc::gen::element(DataType::bf16, DataType::fp8, DataType::fp32, DataType::nvfp4);
    Plan better = plan;
    for (auto &[type, peak] : better.cluster.accelerator.peak_flops_per_second)
        peak *= 1.7;
    better.cluster.accelerator.memory_bandwidth_bytes_per_second *= *rc::gen::element(1.0, 2.0);
    const Device slow(plan, Assumptions());
    const Device fast(better, Assumptions());
    const auto size = [] { return static_cast<double>(*rc::gen::inRange(1, 20'000)); };
    const double m = size();
    const double n = size();
    const double k = size();
    for (const MatrixUnits units : {MatrixUnits::compute, MatrixUnits::half}) {
        RC_ASSERT(fast.matrix(m, n, k, units).forward <= slow.matrix(m, n, k, units).forward);
        RC_ASSERT(fast.matrix(m, n, k, units).backward() <= slow.matrix(m, n, k, units).backward());
    }
    const AttentionShape shape{.query_tokens = m, .key_tokens = n, .heads = 16};
    RC_ASSERT(fast.attention(shape).forward <= slow.attention(shape).forward);
    RC_ASSERT(fast.attention(shape).backward() <= slow.attention(shape).backward());
}

} // namespace
} // namespace meshwright
