// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/network.h"

#include "cost/placement.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace meshwright {
namespace {

/// Assumptions of ideal links: full bandwidth, no start-up time of collectives, and no difference between protocols.
const Assumptions &perfect() {
    static const Assumptions assumptions({{"link-efficiency", 1},
                                          {"network-efficiency", 1},
                                          {"all-to-all-efficiency", 1},
                                          {"collective-base-latency", 0},
                                          {"ll-bandwidth", 1},
                                          {"ll-link-latency", 1},
                                          {"ll-network-latency", 1},
                                          {"ll128-bandwidth", 1},
                                          {"ll128-link-latency", 1},
                                          {"ll128-network-latency", 1},
                                          {"tree-bandwidth", 1},
                                          {"pipeline-send-factor", 1},
                                          {"pipeline-send-latency", 0}});
    return assumptions;
}

Cluster cluster_with(std::vector<Tier> tiers) {
    Cluster cluster;
    cluster.tiers = std::move(tiers);
    return cluster;
}

Cluster one_tier(std::int64_t accelerators, double bandwidth, double latency = 0) {
    return cluster_with({{"links", accelerators, bandwidth, latency}});
}

Cluster two_tiers(std::int64_t inner, double inner_bandwidth, std::int64_t outer, double outer_bandwidth,
                  double inner_latency = 0, double outer_latency = 0) {
    return cluster_with(
        {{"node", inner, inner_bandwidth, inner_latency}, {"network", outer, outer_bandwidth, outer_latency}});
}

constexpr double exactly = 1e-12;
#define EXPECT_SAME(actual, expected) EXPECT_NEAR((actual) / (expected), 1, exactly)

TEST(RingAllReduce, OfBytesOverNRanksTakesTwiceNMinusOneOverNOfThem) {
    EXPECT_SAME(Network(one_tier(8, 50e9), perfect()).all_reduce_seconds({8, 1}, 2e9), 0.07);
    EXPECT_SAME(Network(one_tier(64, 600e9), perfect()).all_reduce_seconds({64, 1}, 20e9), 0.065625);
    EXPECT_SAME(Network(one_tier(128, 50e9), perfect()).all_reduce_seconds({128, 1}, 7.38e9), 0.29289375);
    // The tensor-parallel collectives of one sequence send 2 x 7/8 x 64 MiB per rank.
    EXPECT_SAME(Network(one_tier(8, 1), perfect()).all_reduce_seconds({8, 1}, 4096.0 * 8192 * 2), 117440512);
}

TEST(RingAllReduce, PaysTwiceNMinusOneHops) {
    EXPECT_SAME(Network(one_tier(8, 50e9, 5e-6), perfect()).all_reduce_seconds({8, 1}, 2e9), 0.07 + 14 * 5e-6);
}

TEST(TreeAllReduce, IsTakenWhereItHasFewerHops) {
    // On 64 nodes of one accelerator, a ring has 63 edges and a tree 6 levels; an all-reduce goes both up and down.
    const Network network(two_tiers(1, 1e12, 64, 50e9, 0, 1e-5), perfect());
    EXPECT_SAME(network.all_reduce_seconds({64, 1}, 1e-3), 2 * 6 * 1e-5 + 2 * 1e-3 / 50e9);
    EXPECT_SAME(network.all_gather_seconds({64, 1}, 1e-3), 63 * 1e-5 + 63.0 / 64 * 1e-3 / 50e9);
}

TEST(Zero3Traffic, IsThreeGathersAStepAndHalfAsMuchAgainAsAnAllReduce) {
    const Network network(one_tier(64, 100e9), perfect());
    const double gather = network.all_gather_seconds({64, 1}, 2 * 7e9);
    EXPECT_SAME(3 * gather, 0.4134375);
    EXPECT_SAME(3 * gather / network.all_reduce_seconds({64, 1}, 2 * 7e9), 1.5);
}

TEST(HierarchicalCollective, IsBoundByTheSlowerOfAllLinksInsideAndAllNicsBetweenNodes) {
    const double bytes = 1e9;
    const Network slow_nics(two_tiers(8, 600e9, 64, 10e9), perfect());
    EXPECT_SAME(slow_nics.all_gather_seconds({64, 1}, bytes), 63.0 / 64 * bytes / (8 * 10e9));
    const Network fast_nics(two_tiers(8, 600e9, 64, 100e9), perfect());
    EXPECT_SAME(fast_nics.all_gather_seconds({64, 1}, bytes), 63.0 / 64 * bytes / 600e9);
}

TEST(HierarchicalCollective, WithOneMemberANodeHasOneNicEach) {
    const Network network(two_tiers(8, 600e9, 64, 10e9), perfect());
    EXPECT_SAME(network.all_gather_seconds({8, 8}, 1e9), 7.0 / 8 * 1e9 / 10e9);
}

TEST(HierarchicalRing, HasOneHopANodeBetweenNodesAndTheRestInside) {
    const Network network(two_tiers(8, 1e15, 32, 1e15, 3e-6, 14e-6), perfect());
    EXPECT_NEAR(network.all_gather_seconds({32, 1}, 1), (32 - 4) * 3e-6 + (4 - 1) * 14e-6, 1e-12);
}

TEST(AllToAll, SendsAllButItsOwnShare) {
    EXPECT_SAME(Network(one_tier(8, 100e9), perfect()).all_to_all_seconds({8, 1}, 1e9, 8), 7.0 / 8 * 1e9 / 100e9);
}

TEST(AllToAll, CrossesToANodeOnceForAllOfATokensExpertsThere) {
    // With 8 nodes and 8 experts per token, a token reaches 8 (1 - (7/8)^8) = 5.25 nodes, so 5.25/8 of the copies cross
    // nodes.
    const Network network(two_tiers(8, 1e15, 64, 50e9), perfect());
    const double met = 8 * (1 - std::pow(7.0 / 8, 8));
    EXPECT_SAME(network.all_to_all_seconds({64, 1}, 1e9, 8), 1e9 * met / 8 * 7 / 8 / 50e9);
}

TEST(Send, AlongALineTakesTheMeanOverItsBoundaries) {
    // Eight consecutive stages in nodes of four have six boundaries within a node and one between nodes.
    const Network network(two_tiers(4, 400e9, 8, 10e9), perfect());
    EXPECT_SAME(network.send_seconds({8, 1}, 1e9), (6 * 1e9 / 400e9 + 1e9 / 10e9) / 7);
    // With a stride of two, the boundaries are within, between and within nodes.
    EXPECT_SAME(network.send_seconds({4, 2}, 1e9), (2 * 1e9 / 400e9 + 1e9 / 10e9) / 3);
    EXPECT_SAME(network.send_seconds({2, 4}, 1e9), 1e9 / 10e9);
}

TEST(Send, OfSixStagesInNodesOfFourCrossesOnce) {
    const Network network(two_tiers(4, 400e9, 12, 10e9), perfect());
    EXPECT_SAME(network.send_seconds({6, 1}, 1e9), (4 * 1e9 / 400e9 + 1e9 / 10e9) / 5);
}

TEST(Collective, OfNothingOrOfOneCostsNothing) {
    const Network network(one_tier(8, 50e9, 5e-6), Assumptions());
    EXPECT_EQ(network.all_gather_seconds({8, 1}, 0), 0);
    EXPECT_EQ(network.all_reduce_seconds({8, 1}, 0), 0);
    EXPECT_EQ(network.all_to_all_seconds({8, 1}, 0, 8), 0);
    EXPECT_EQ(network.all_gather_seconds({1, 1}, 1e9), 0);
    EXPECT_EQ(network.all_reduce_seconds({1, 1}, 1e9), 0);
    EXPECT_EQ(network.all_to_all_seconds({1, 1}, 1e9, 8), 0);
}

TEST(Group, LeavesTheInnermostTierWhenItIsTooWideOrStandsTooFarApart) {
    const Network network(two_tiers(8, 1e12, 64, 1e11), perfect());
    EXPECT_EQ(network.widest_tier({8, 1}), 0u);
    EXPECT_EQ(network.widest_tier({16, 1}), 1u);
    EXPECT_EQ(network.widest_tier({2, 4}), 0u);
    EXPECT_EQ(network.widest_tier({2, 8}), 1u);
}

Cluster nodes_of_eight(const char *architecture, double link, double nic) {
    Cluster cluster = two_tiers(8, link, 64, nic, 3e-6, 14e-6);
    cluster.accelerator.architecture = architecture;
    return cluster;
}

double bus_of_all_reduce(const Network &network, std::int64_t members, double bytes) {
    const auto n = static_cast<double>(members);
    return 2 * (n - 1) / n * bytes / network.all_reduce_seconds({members, 1}, bytes);
}

struct MeasuredCurve {
    const char *machine;
    const char *architecture;
    double link, nic; ///< rates in bytes/s
    std::int64_t members;
    std::vector<double> bus; ///< GB/s, as nccl-tests prints it: 32 KiB, 1, 4, 16, 64, 256 MiB, 1 and 16 GiB
    std::vector<double> errors; ///< predicted / measured - 1 of the current model, to two decimals
};

/// nccl-tests results collected in the reference notes. The model is off at sizes where NCCL switches protocols, and on
/// the network of the B200 nodes, where every message takes 350 microseconds and NICs reach 0.96 of their rate instead
/// of the assumed 0.80.
TEST(AllReduce, MeetsMeasuredBusBandwidthBySize) {
    constexpr double mebi = 1024.0 * 1024;
    const std::vector<double> sizes{mebi / 32, mebi,       4 * mebi,    16 * mebi,
                                    64 * mebi, 256 * mebi, 1024 * mebi, 16 * 1024 * mebi};
    const std::vector<MeasuredCurve> curves{{"A100",
                                             "ampere",
                                             300e9,
                                             25e9,
                                             8,
                                             {1.3, 18, 72, 106, 172, 194, 229, 235},
                                             {-0.08, 0.60, 0.04, 0.37, 0.13, 0.12, -0.03, -0.04}},
                                            {"H200, summed in the switch from 4 MiB on",
                                             "hopper",
                                             450e9,
                                             50e9,
                                             8,
                                             {1.4, 40, 107, 220, 347, 436, 464, 482},
                                             {-0.14, -0.21, -0.15, 0.05, 0.09, 0.02, 0.01, -0.01}},
                                            {"B200, summed in the switch from 16 MiB on",
                                             "blackwell",
                                             900e9,
                                             50e9,
                                             8,
                                             {1.2, 36, 76, 255, 401, 646, 723, 846},
                                             {0.00, -0.04, 0.40, 0.15, 0.43, 0.16, 0.13, -0.01}},
                                            {"B200, four nodes",
                                             "blackwell",
                                             900e9,
                                             50e9,
                                             32,
                                             {0, 5.4, 19, 64, 157, 229, 362, 382},
                                             {0, 4.19, 2.89, 1.53, 0.46, 0.20, -0.15, -0.16}}};
    for (const MeasuredCurve &curve : curves) {
        const Network network(nodes_of_eight(curve.architecture, curve.link, curve.nic), Assumptions());
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (curve.bus[i] == 0)
                continue;
            const double bus = bus_of_all_reduce(network, curve.members, sizes[i]);
            EXPECT_NEAR(bus / (1e9 * curve.bus[i]) - 1, curve.errors[i], 6e-3) << curve.machine << ", " << sizes[i];
        }
    }
}

TEST(AllReduce, InTheSwitchGrowsWithItsMembersAsMeasured) {
    const Network network(nodes_of_eight("hopper", 450e9, 50e9), Assumptions());
    const std::vector<double> measured{363, 414, 436, 460, 473}; // GB/s for 4 to 8 H200 at 8 GiB
    for (std::size_t i = 0; i < measured.size(); ++i)
        EXPECT_NEAR(bus_of_all_reduce(network, 4 + static_cast<std::int64_t>(i), 8 * 1024.0 * 1024 * 1024)
                        / (1e9 * measured[i]),
                    1, 0.02)
            << 4 + i;
}

/// All-reduces of 256 MB on two to 64 nodes of H100 over EFA, best runs of a published set: 436, 219, 193 and 188 GB/s.
/// On two nodes, reduction in the switches beats a ring. The further loss on more nodes is due to the network and is
/// not modeled.
TEST(AllReduce, OnTwoNodesWithSwitchesPassesTheNetworkOnce) {
    const Network network(nodes_of_eight("hopper", 450e9, 50e9), Assumptions());
    EXPECT_EQ(network.all_reduce_way({16, 1}, 256e6).algorithm, Network::Algorithm::switch_trees);
    EXPECT_NEAR(bus_of_all_reduce(network, 16, 256e6) / 436e9 - 1, 0.0, 0.1);
    const Network without(nodes_of_eight("ampere", 450e9, 50e9), Assumptions());
    EXPECT_LT(bus_of_all_reduce(without, 16, 256e6), 330e9);
}

Cluster measured_nodes(std::vector<BusBandwidth> lines) {
    Cluster cluster = nodes_of_eight("ampere", 300e9, 25e9);
    cluster.health = NetworkHealth::measured;
    cluster.tiers.back().bus_bandwidth = std::move(lines);
    return cluster;
}

TEST(MeasuredBandwidth, IsWhatCollectivesTakeAndStraightBetweenOnLogarithmicAxes) {
    const Network network(measured_nodes({{Collective::all_reduce, 16, 1e6, 2e9},
                                          {Collective::all_reduce, 16, 1e8, 50e9},
                                          {Collective::all_gather, 16, 1e8, 40e9}}),
                          Assumptions());
    EXPECT_SAME(bus_of_all_reduce(network, 16, 1e6), 2e9);
    EXPECT_SAME(bus_of_all_reduce(network, 16, 1e8), 50e9);
    EXPECT_SAME(bus_of_all_reduce(network, 16, 1e7), std::sqrt(2e9 * 50e9));
    EXPECT_SAME(bus_of_all_reduce(network, 16, 1e10), 50e9); // larger than the largest measured size
    EXPECT_SAME(network.all_gather_seconds({16, 1}, 1e8), 15.0 / 16 * 1e8 / 40e9);
    EXPECT_SAME(network.all_gather_seconds({16, 1}, 1e9, 10), 10 * 15.0 / 16 * 1e8 / 40e9); // sent in ten pieces
    EXPECT_LE(network.all_reduce_seconds({16, 1}, 1e3), network.all_reduce_seconds({16, 1}, 1e6));
}

TEST(MeasuredBandwidth, FallsBetweenMeasuredRanksAndStaysBeyondThem) {
    const Network network(
        measured_nodes({{Collective::all_reduce, 16, 1e8, 50e9}, {Collective::all_reduce, 64, 1e8, 20e9}}),
        Assumptions());
    EXPECT_SAME(bus_of_all_reduce(network, 32, 1e8), std::sqrt(50e9 * 20e9));
    EXPECT_SAME(bus_of_all_reduce(network, 64, 1e8), 20e9);
}

TEST(MeasuredBandwidth, IsSharedByTheGroupsOfANode) {
    // Eight groups with one member per node that send at once load the network as much as one group of all ranks.
    const Network network(measured_nodes({{Collective::all_reduce, 32, 1e8, 40e9}}), Assumptions());
    EXPECT_SAME(network.all_gather_seconds({4, 8}, 1e8), 3.0 / 4 * 1e8 / (40e9 / 8));
    EXPECT_SAME(network.all_gather_seconds({8, 4}, 1e8), 7.0 / 8 * 1e8 / (40e9 / 4));
}

TEST(MeasuredBandwidth, IsLeftAloneOnANominalNetwork) {
    Cluster cluster = measured_nodes({{Collective::all_reduce, 16, 1e6, 2e9}});
    cluster.health = NetworkHealth::nominal;
    const Network nominal(nodes_of_eight("ampere", 300e9, 25e9), Assumptions());
    EXPECT_EQ(Network(cluster, Assumptions()).all_reduce_seconds({16, 1}, 1e7),
              nominal.all_reduce_seconds({16, 1}, 1e7));
}

RC_GTEST_PROP(MeasuredBandwidth, OfMoreBytesIsNeverQuicker, ()) {
    std::vector<BusBandwidth> lines;
    for (const std::int64_t ranks : {16, 64}) {
        double bandwidth = 1e8 * *rc::gen::inRange(1, 100);
        for (double bytes = 1e5; bytes < 1e10; bytes *= 10) {
            lines.push_back({Collective::all_reduce, ranks, bytes, bandwidth});
            bandwidth *= 0.1 * *rc::gen::inRange(5, 101); // at most tenfold, so more bytes never take less time
        }
    }
    const Network network(measured_nodes(std::move(lines)), Assumptions());
    const Group group{*rc::gen::element<std::int64_t>(16, 32, 48, 64), 1};
    const double bytes = std::pow(10.0, *rc::gen::inRange(0, 110) / 10.0);
    RC_ASSERT(network.all_reduce_seconds(group, bytes)
              <= network.all_reduce_seconds(group, 1.3 * bytes) * (1 + exactly));
    RC_ASSERT(network.all_gather_seconds(group, bytes)
              <= network.all_gather_seconds(group, 1.3 * bytes) * (1 + exactly));
}

/// A leaf switch of 64 ports joins the accelerators with the same index in 64 nodes, 512 accelerators in total. Rails
/// are a tier of that size, and a group of accelerators with the same index stays within it.
TEST(Rails, AreATierThatGroupsOfOnePlaceStayWithin) {
    Cluster cluster = nodes_of_eight("hopper", 450e9, 50e9);
    cluster.tiers[1].accelerators = 512;
    cluster.tiers.push_back({"spine", 4096, 12.5e9, 20e-6}); // a quarter of the rails' rate
    const Network network(cluster, Assumptions());
    EXPECT_EQ(network.widest_tier({64, 8}), 1u);
    EXPECT_EQ(network.widest_tier({128, 8}), 2u);
    EXPECT_LT(network.all_gather_seconds({64, 8}, 1e9), network.all_gather_seconds({2, 512}, 1e9));
}

/// A TPU v5p has six links, two along each of three axes, so a ring along one axis uses a third of them (How to Scale
/// Your Model, chapter 2).
TEST(Torus, GivesAGroupTheLinksAlongItsAxes) {
    Cluster cluster = one_tier(4096, 600e9);
    cluster.tiers.front().torus = true;
    const Network network(cluster, perfect());
    const double bytes = 1e12;
    EXPECT_SAME(network.all_gather_seconds({16, 1}, bytes), 15.0 / 16 * bytes / 200e9);
    EXPECT_SAME(network.all_gather_seconds({16, 256}, bytes), 15.0 / 16 * bytes / 200e9);
    EXPECT_SAME(network.all_gather_seconds({256, 16}, bytes), 255.0 / 256 * bytes / 400e9);
    EXPECT_SAME(network.all_gather_seconds({4096, 1}, bytes), 4095.0 / 4096 * bytes / 600e9);
}

RC_GTEST_PROP(Torus, NeverGivesAGroupMoreThanLinksThatAllGoEverywhere, ()) {
    const auto accelerators = std::int64_t{1} << *rc::gen::inRange(1, 14);
    const auto members = std::int64_t{1} << *rc::gen::inRange(1, 14);
    Cluster cluster = one_tier(accelerators, 100e9, 1e-6);
    const auto seconds = [&](bool torus) {
        cluster.tiers.front().torus = torus;
        return Network(cluster, perfect()).all_reduce_seconds({std::min(members, accelerators), 1}, 1e9);
    };
    RC_ASSERT(seconds(true) >= seconds(false) * (1 - exactly));
    if (members >= accelerators)
        RC_ASSERT(seconds(true) == seconds(false));
}

TEST(AllGather, OnOneNodeOfH200ReachesWhatIsMeasured) {
    const Network network(nodes_of_eight("hopper", 450e9, 50e9), Assumptions());
    const double bytes = 16e9;
    EXPECT_NEAR(7.0 / 8 * bytes / network.all_gather_seconds({8, 1}, bytes) / 361e9 - 1, -0.066, 6e-4);
}

TEST(Protocol, IsQuickForFewBytesAndPlainForMany) {
    const Network network(nodes_of_eight("ampere", 300e9, 25e9), Assumptions());
    using Protocol = Network::Protocol;
    EXPECT_EQ(network.all_gather_way({8, 1}, 1e4).protocol, Protocol::ll);
    EXPECT_EQ(network.all_gather_way({8, 1}, 1e7).protocol, Protocol::ll128);
    EXPECT_EQ(network.all_gather_way({8, 1}, 1e9).protocol, Protocol::simple);
    EXPECT_EQ(network.all_reduce_way({64, 1}, 1e6).algorithm, Network::Algorithm::trees);
    EXPECT_EQ(network.all_reduce_way({64, 1}, 1e10).algorithm, Network::Algorithm::ring);
}

TEST(SharedCluster, MakesKernelsWaitForEveryFurtherNodeAndTrafficBesideThemOnce) {
    Cluster cluster = nodes_of_eight("hopper", 450e9, 50e9);
    const auto extra = [&](std::int64_t members, std::optional<double> pieces) {
        cluster.health = NetworkHealth::measured;
        const double shared = Network(cluster, Assumptions({{"measured-latency-factor", 1}}))
                                  .all_gather_seconds({members, 1}, 1e6, pieces);
        cluster.health = NetworkHealth::nominal;
        return shared - Network(cluster, Assumptions()).all_gather_seconds({members, 1}, 1e6, pieces);
    };
    const double one = Assumptions()[ConstantId::measured_collective_seconds];
    EXPECT_NEAR(extra(8, std::nullopt), 0, 1e-12);
    EXPECT_NEAR(extra(16, std::nullopt), one, 1e-12);
    EXPECT_NEAR(extra(32, std::nullopt), 3 * one, 1e-12);
    EXPECT_NEAR(extra(32, 1), one, 1e-12);
}

RC_GTEST_PROP(Network, MoreBytesAreNeverQuicker, ()) {
    const Network network(nodes_of_eight(*rc::gen::element("ampere", "hopper"), 450e9, 50e9), Assumptions());
    const Group group{*rc::gen::element<std::int64_t>(2, 3, 8, 16, 64), 1};
    const double bytes = std::pow(10.0, *rc::gen::inRange(0, 11));
    RC_ASSERT(network.all_gather_seconds(group, bytes) <= network.all_gather_seconds(group, 3 * bytes));
    RC_ASSERT(network.all_reduce_seconds(group, bytes) <= network.all_reduce_seconds(group, 3 * bytes));
}

RC_GTEST_PROP(Network, AFasterLinkIsNeverSlower, ()) {
    const auto bandwidth = [] { return 1e9 * static_cast<double>(*rc::gen::inRange(1, 1000)); };
    const double inner = bandwidth();
    const double outer = bandwidth();
    const auto members = *rc::gen::element<std::int64_t>(2, 3, 8, 12, 16, 64);
    const auto stride = *rc::gen::element<std::int64_t>(1, 2, 4, 8);
    RC_PRE(members * stride <= 512);
    const Group group{members, stride};
    const double bytes = std::pow(10.0, *rc::gen::inRange(3, 11));
    const Network slow(two_tiers(8, inner, 512, outer, 3e-6, 14e-6), Assumptions());
    const Network fast(two_tiers(8, 2 * inner, 512, 1.5 * outer, 3e-6, 14e-6), Assumptions());
    RC_ASSERT(fast.all_gather_seconds(group, bytes) <= slow.all_gather_seconds(group, bytes));
    RC_ASSERT(fast.all_reduce_seconds(group, bytes) <= slow.all_reduce_seconds(group, bytes));
    RC_ASSERT(fast.all_to_all_seconds(group, bytes, 4) <= slow.all_to_all_seconds(group, bytes, 4));
    RC_ASSERT(fast.send_seconds(group, bytes) <= slow.send_seconds(group, bytes));
}

RC_GTEST_PROP(Placement, EveryGroupFitsIntoItsSite, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const Groups groups = groups_of(*plan);
    const std::int64_t site = plan->site_accelerators();
    for (const Group &group : {groups.tensor, groups.context, groups.expert_tensor, groups.data, groups.expert_data}) {
        RC_ASSERT(group.members >= 1);
        RC_ASSERT(group.members == 1 || group.stride >= 1);
        RC_ASSERT(group.members == 1 || group.stride * 2 <= site);
        RC_ASSERT(group.members <= site);
    }
    const std::int64_t expert_ranks = plan->parallelism.expert * plan->parallelism.expert_tensor;
    RC_ASSERT(groups.expert_data.members * expert_ranks * plan->parallelism.pipeline == site);
}

TEST(Placement, OfDeepSeekV3PutsEightExpertRanksIntoEachNode) {
    const Groups groups = groups_of(preset_plan("deepseek-v3"));
    EXPECT_EQ(groups.expert.members, 64);
    EXPECT_EQ(groups.expert.stride, 1);
    EXPECT_EQ(groups.pipeline.stride, 64);
    EXPECT_EQ(groups.data.members, 128);
    EXPECT_EQ(groups.expert_data.members, 2);
    EXPECT_EQ(groups.expert_data.stride, 64 * 16);
}

TEST(Placement, OfLlama3PutsTensorIntoTheNodeAndDataOutermost) {
    const Groups groups = groups_of(preset_plan("llama3-405b-16k"));
    EXPECT_EQ(groups.tensor.members, 8);
    EXPECT_EQ(groups.tensor.stride, 1);
    EXPECT_EQ(groups.pipeline.stride, 8);
    EXPECT_EQ(groups.data.members, 128);
    EXPECT_EQ(groups.data.stride, 8 * 16);
}

} // namespace
} // namespace meshwright
