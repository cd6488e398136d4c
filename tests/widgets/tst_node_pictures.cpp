// SPDX-License-Identifier: GPL-3.0-or-later
// Animated pictures in a plan's derivation have the same values as their nodes.
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "explain/explain.h"
#include "explain/node_picture.h"
#include "figures/figure_text.h"
#include "formulas/collectives.h"
#include "listed_test.h"
#include "pictures/linear_split.h"
#include "pictures/overlap_lanes.h"
#include "pictures/zero_shards.h"
#include "plan/plan_json.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <functional>

using namespace meshwright;

namespace {

/// A plan with the derivations of its figures.
struct Explained {
    Plan plan;
    Derivation tree;

    std::optional<PictureOfFormula> picture(const Derivation &node) const { return pictureOf(node, tree, plan); }
};

Explained explained(const char *preset, std::initializer_list<const char *> settings = {}) {
    const Library &library = Library::standard();
    nlohmann::ordered_json document = library.json(PresetKind::plan, preset);
    for (const char *const setting : settings)
        set_field(document, setting, library);
    const Plan plan = plan_from_json(document, library);
    return {plan, explain(evaluate(plan, Depth::numbers))};
}

void visit(const Derivation &node, const std::function<void(const Derivation &)> &look) {
    look(node);
    for (const Derivation &input : node.inputs)
        visit(input, look);
}

std::vector<const Derivation *> nodesOf(const Derivation &tree, std::string_view calculator) {
    std::vector<const Derivation *> nodes;
    visit(tree, [&](const Derivation &node) {
        if (node.calculator == calculator)
            nodes.push_back(&node);
    });
    return nodes;
}

bool isAlmost(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

QString secondsText(double value) {
    return figureText(value, Quantity::seconds);
}

double at(const Picture &picture, const char *name) {
    return picture.parameters.at(name);
}

class NodePicturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gradients_that_overlap_have_their_lanes() {
        const Explained plan = explained("pretrain-8b");
        const Derivation &data = *find_figure(plan.tree, "step_data_exposed_seconds");
        const Derivation &reduce = *data.find("reduce");
        const std::optional<PictureOfFormula> of = plan.picture(reduce);
        QVERIFY(of.has_value());
        QCOMPARE(of->picture.name, std::string("overlap"));
        QCOMPARE(at(of->picture, "layers"), double(plan.plan.model.layer_count()));
        QVERIFY(isAlmost(at(of->picture, "layers") * at(of->picture, "layer_communication_seconds"),
                         reduce.find("traffic_seconds")->value));
        QCOMPARE(at(of->picture, "backward_seconds"), find_figure(plan.tree, "pipeline_backward_seconds")->value);
        const double drawn = overlap_lanes(int(at(of->picture, "layers")), at(of->picture, "backward_seconds"),
                                           at(of->picture, "layer_communication_seconds"), 1, 0)
                                 .exposed_seconds();
        QVERIFY(!isAlmost(drawn, reduce.value));
        for (const QString &part : {secondsText(drawn), secondsText(reduce.value), QStringLiteral("measured runs")})
            QVERIFY2(of->note.contains(part), qPrintable(of->note));
        QVERIFY(!plan.picture(*data.find("gather")).has_value()); // no picture shows gathering in the forward pass

        // The schedule pairs microbatches, and its busiest rank is not the rank that waits for gradients.
        const Explained paired = explained("deepseek-v3");
        const Derivation &exposed = *find_figure(paired.tree, "step_data_exposed_seconds");
        QCOMPARE(at(paired.picture(*exposed.find("reduce"))->picture, "backward_seconds"),
                 exposed.find("reduce")->find("window_seconds")->find("pass_seconds")->value);
        QVERIFY(!paired.picture(*exposed.find("gather")).has_value());

        const Explained slow = explained("pretrain-8b", {"cluster.tiers.1.bandwidth_bytes_per_second=1e9"});
        const Derivation &bound = *find_figure(slow.tree, "step_data_exposed_seconds")->find("reduce");
        const QString note = slow.picture(bound)->note;
        QVERIFY2(note.contains(secondsText(bound.find("window_seconds")->value)), qPrintable(note));
        QVERIFY2(!note.contains(QLatin1String("measured runs")), qPrintable(note));
    }

    void sharded_weights_have_their_lanes() {
        const Explained plan = explained("pretrain-8b", {"parallelism.zero_stage=3"});
        int pictures = 0;
        for (const Derivation *const node : nodesOf(plan.tree, "data-exposed")) {
            const std::optional<PictureOfFormula> of = plan.picture(*node);
            if (!of)
                continue;
            ++pictures;
            QCOMPARE(node->result, std::string("sharded_seconds"));
            QCOMPARE(at(of->picture, "backward_seconds"), node->find("pass_seconds")->value);
            QVERIFY2(of->note.contains(secondsText(node->value)), qPrintable(of->note));
        }
        QVERIFY(pictures > 0);
    }

    void a_matmul_is_split_as_its_rank_has_it() {
        for (const char *const sequence :
             {"parallelism.sequence_parallel=true", "parallelism.sequence_parallel=false"}) {
            const Explained plan =
                explained("pretrain-8b", {"parallelism.tensor=4", "parallelism.data=null", sequence});
            std::map<std::string, std::string> splits;
            for (const Derivation *const node : nodesOf(plan.tree, "matrix-multiply")) {
                const std::optional<PictureOfFormula> of = plan.picture(*node);
                QVERIFY2(of.has_value(), node->name.c_str());
                const Picture &picture = of->picture;
                splits[node->name] = picture.name;
                QCOMPARE(at(picture, "ranks"), 4.0);
                QCOMPARE(at(picture, "sequence"), node->find("rows")->value);
                QVERIFY(isAlmost(at(picture, "rows") * at(picture, "columns") / 4,
                                 node->find("depth")->value * node->find("columns")->value));
                QCOMPARE(at(picture, "element_bytes"), 2.0);
                QVERIFY2(of->note.contains(QLatin1String("latency")), qPrintable(of->note));
            }
            QCOMPARE(splits.at("attention_query_key_value"), std::string("column-split"));
            QCOMPARE(splits.at("attention_output"), std::string("row-split"));
            QCOMPARE(splits.at("feed_forward_gate_up"), std::string("column-split"));
            QCOMPARE(splits.at("feed_forward_down"), std::string("row-split"));
        }
    }

    void tensor_parallel_traffic_has_the_layer_that_it_sums() {
        const Explained plan = explained(
            "pretrain-8b", {"parallelism.tensor=4", "parallelism.data=null", "parallelism.sequence_parallel=true"});
        const std::vector<const Derivation *> traffic = nodesOf(plan.tree, "tensor-exposed");
        QVERIFY(!traffic.empty());
        const Derivation &gather = *traffic.front()->find("gather_seconds");
        const std::optional<PictureOfFormula> of = plan.picture(*traffic.front());
        QVERIFY(of.has_value());
        QCOMPARE(of->picture.name, std::string("row-split"));
        QCOMPARE(at(of->picture, "columns"), double(plan.plan.model.hidden));
        QCOMPARE(at(of->picture, "bandwidth"), gather.find("bandwidth")->value);
        const LinearSplit split = split_linear({.micro_batch = 1,
                                                .sequence = at(of->picture, "sequence"),
                                                .rows = at(of->picture, "rows"),
                                                .columns = at(of->picture, "columns"),
                                                .element_bytes = at(of->picture, "element_bytes")},
                                               WeightSplit::rows, 4, at(of->picture, "bandwidth"));
        QCOMPARE(split.forward->tensor.rows * split.forward->tensor.columns * at(of->picture, "element_bytes"),
                 gather.find("bytes")->value);
        for (const double value : {split.forward->seconds, 2 * gather.value})
            QVERIFY2(of->note.contains(secondsText(value)), qPrintable(of->note));
    }

    void nothing_is_split_on_a_single_rank() {
        for (const Explained &plan : {explained("pretrain-8b"), explained("deepseek-v3")})
            for (const char *const calculator : {"matrix-multiply", "tensor-exposed"})
                for (const Derivation *const node : nodesOf(plan.tree, calculator))
                    QVERIFY2(!plan.picture(*node).has_value(), node->name.c_str());
    }

    void a_collective_has_its_ring() {
        const Explained plan = explained("pretrain-8b");
        const Derivation &gather =
            *find_figure(plan.tree, "step_data_exposed_seconds")->find("reduce")->find("traffic_seconds");
        const std::optional<PictureOfFormula> of = plan.picture(gather);
        QVERIFY(of.has_value());
        QCOMPARE(of->picture.name, std::string("ring"));
        QCOMPARE(at(of->picture, "bytes"), gather.find("bytes")->value);
        const double half = formula::ring_all_reduce_seconds(gather.find("ranks")->value, gather.find("bytes")->value,
                                                             gather.find("bandwidth")->value, 0.0)
            / 2;
        QVERIFY(half < gather.value);
        for (const double value : {half, gather.value})
            QVERIFY2(of->note.contains(secondsText(value)), qPrintable(of->note));
    }

    void states_of_a_rank_have_their_shards() {
        for (const char *const stage : {"parallelism.zero_stage=1", "parallelism.zero_stage=3"}) {
            const Explained plan = explained("pretrain-8b", {stage, "parallelism.data=16", "parallelism.tensor=2"});
            int pictures = 0;
            for (const Derivation *const node : nodesOf(plan.tree, "zero-memory")) {
                const std::optional<PictureOfFormula> of = plan.picture(*node);
                if (!of)
                    continue;
                ++pictures;
                const ModelStates states{.parameters = at(of->picture, "parameters"),
                                         .weight_bytes = at(of->picture, "weight_bytes"),
                                         .gradient_bytes = at(of->picture, "gradient_bytes"),
                                         .optimizer_bytes = at(of->picture, "optimizer_bytes")};
                QCOMPARE(states.optimizer_bytes, 12.0); // FP32 master weights and two moments
                const ZeroShards shards =
                    zero_shards(states, int(node->find("ranks")->value), int(at(of->picture, "stage")));
                if (node->result == "weights_bytes")
                    QVERIFY(isAlmost(shards.weights.held, node->value));
                else if (node->result == "gradients_bytes")
                    QVERIFY(isAlmost(shards.gradients.held, node->value));
            }
            QVERIFY(pictures > 0);
        }
    }

    /// For any plan, a picture is drawn completely or left out.
    void pictures_of_presets_are_complete() {
        for (const char *const preset :
             {"deepseek-v3", "llama3-405b-16k", "megatron-1t-2021", "palm-540b", "ten-to-25"}) {
            const Explained plan = explained(preset);
            int pictures = 0;
            visit(plan.tree, [&](const Derivation &node) {
                const std::optional<PictureOfFormula> of = plan.picture(node);
                if (!of)
                    return;
                ++pictures;
                QCOMPARE(complete(of->picture), of->picture);
                QVERIFY2(!of->note.contains(QLatin1String("nan")), qPrintable(of->note));
            });
            QVERIFY2(pictures > 0, preset);
        }
    }
};

} // namespace

LISTED_TEST(NodePicturesTest)
#include "tst_node_pictures.moc"
