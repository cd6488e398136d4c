// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/collectives.h"
#include "pictures/collective_scene.h"
#include "pictures/picture_marks.h"

namespace meshwright {
namespace {

std::unique_ptr<PictureScene> makeHierarchical(const Picture &picture) {
    const auto value = [&picture](const char *name) { return picture.parameters.at(name); };
    const int ranksPerNode = int(value("ranks_per_node"));
    const int nodes = int(value("nodes"));
    const TwoTiers tiers{.fast_bandwidth = value("fast_bandwidth"),
                         .slow_bandwidth = value("slow_bandwidth"),
                         .slow_links_per_node = value("slow_links_per_node")};
    const double fast = formula::hierarchical_fast_seconds(value("bytes"), ranksPerNode, tiers.fast_bandwidth);
    const double slow =
        formula::hierarchical_slow_seconds(value("bytes"), nodes, tiers.slow_bandwidth, tiers.slow_links_per_node);
    return std::make_unique<CollectiveScene>(
        CollectiveScene::About{
            .title = QObject::tr("All-reduce over two tiers, %1 of %2")
                         .arg(nodes == 1 ? QObject::tr("1 node") : QObject::tr("%1 nodes").arg(nodes),
                              ranksPerNode == 1 ? QObject::tr("1 rank") : QObject::tr("%1 ranks").arg(ranksPerNode)),
            .shape = CollectiveShape::Nodes,
            .ranksPerNode = ranksPerNode,
            .bytes = value("bytes"),
            .note = QObject::tr("within nodes %1 · between nodes (hatched) %2")
                        .arg(marks::secondsText(fast), marks::secondsText(slow))},
        hierarchical_all_reduce(ranksPerNode, nodes, value("bytes"), tiers));
}

} // namespace

std::unique_ptr<PictureScene> makeCollectiveScene(const Picture &picture) {
    if (picture.name == "hierarchical")
        return makeHierarchical(picture);
    const int ranks = int(picture.parameters.at("ranks"));
    const double bytes = picture.parameters.at("bytes");
    const double bandwidth = picture.parameters.at("bandwidth");
    const double latency = picture.parameters.at("latency");
    const QString ring = marks::secondsText(formula::ring_all_reduce_seconds(ranks, bytes, bandwidth, latency));
    if (picture.name == "tree")
        return std::make_unique<CollectiveScene>(
            CollectiveScene::About{
                .title = QObject::tr("Single-tree all-reduce, %1 ranks").arg(ranks),
                .shape = CollectiveShape::Tree,
                .bytes = bytes,
                .note = QObject::tr("two pipelined trees %1 · ring %2")
                            .arg(marks::secondsText(formula::tree_all_reduce_seconds(ranks, bytes, bandwidth, latency)),
                                 ring)},
            tree_all_reduce(ranks, bytes, bandwidth, latency));
    if (picture.name == "naive")
        return std::make_unique<CollectiveScene>(
            CollectiveScene::About{.title = QObject::tr("Gather and broadcast, %1 ranks").arg(ranks),
                                   .shape = CollectiveShape::Star,
                                   .bytes = bytes,
                                   .note = QObject::tr("ring %1").arg(ring)},
            naive_all_reduce(ranks, bytes, bandwidth, latency));
    return std::make_unique<CollectiveScene>(
        CollectiveScene::About{.title = QObject::tr("Ring all-reduce, %1 ranks").arg(ranks),
                               .bytes = bytes,
                               .note = QObject::tr("%1 sent by each rank")
                                           .arg(marks::bytesText(formula::ring_all_reduce_bytes(ranks, bytes)))},
        ring_all_reduce(ranks, bytes, bandwidth, latency));
}

} // namespace meshwright
