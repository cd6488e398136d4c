// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/node_picture.h"

#include "explain/derivation_text.h"
#include "explain/node_formula.h"
#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "formulas/collectives.h"
#include "pictures/linear_split.h"
#include "pictures/overlap_lanes.h"
#include "pictures/picture_view.h"
#include "plan/plan.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr int dialogWidth = 760;

using Arguments = std::map<std::string, double, std::less<>>;

QString timeText(double value) {
    return figureText(value, Quantity::seconds);
}

template <typename Predicate>
const Derivation *findNode(const Derivation &node, const Predicate &isWanted) {
    if (isWanted(node))
        return &node;
    for (const Derivation &input : node.inputs)
        if (const Derivation *const found = findNode(input, isWanted))
            return found;
    return nullptr;
}

Arguments argumentsOf(const Derivation &node) {
    Arguments arguments;
    for (const Derivation &input : node.inputs)
        arguments[input.name] = input.value;
    return arguments;
}

void addNote(std::optional<PictureOfFormula> &of, const QString &note) {
    if (of)
        of->note = of->note.isEmpty() ? note : note + QLatin1Char(' ') + of->note;
}

/// The backward pass that overlaps a node's traffic; null if the forward pass overlaps it.
const Derivation *backwardOf(const Derivation &node) {
    const Derivation *const window = node.find("window_seconds");
    const Derivation &from = window != nullptr ? *window : node;
    const Derivation *const backward = from.find("backward_seconds");
    const Derivation *const pass = backward != nullptr ? backward : from.find("pass_seconds");
    // The whole pass; in paired schedules, only a part of it overlaps.
    const Derivation *const whole = pass == nullptr ? nullptr : pass->find("pass");
    const auto isBackward = [](const Derivation *each) {
        return each != nullptr
            && (each->figure == "pipeline_backward_seconds" || each->find("weight_gradient") != nullptr);
    };
    return isBackward(pass) || isBackward(whole) ? pass : nullptr;
}

/// Animation of gradients that are reduced layer by layer. The plan's model does not simulate individual layers; its
/// exposed communication is fitted to measured runs.
std::optional<PictureOfFormula> overlapPicture(const Derivation &node, const Plan &plan) {
    const Derivation *const traffic = node.find("traffic_seconds");
    const Derivation *const window = node.find("window_seconds");
    const Derivation *const share = node.find("exposed_share");
    const Derivation *const pass = backwardOf(node);
    if (traffic == nullptr || share == nullptr || pass == nullptr)
        return {};
    const double layers = std::max(
        1.0,
        std::round(static_cast<double>(plan.model.layer_count()) / static_cast<double>(plan.parallelism.pipeline)));
    // With chunks, or one reduction per microbatch, the overlap window is longer than one pass.
    const double backward = window != nullptr && window->result != "seconds" ? window->value : pass->value;
    const double each = traffic->value / layers;
    std::optional<PictureOfFormula> of =
        pictureOf("overlap",
                  Arguments{{"layers", layers}, {"backward_seconds", backward}, {"layer_communication_seconds", each}});
    if (of)
        of->parameters = {{"traffic_seconds", "layer_communication_seconds"}, {"window_seconds", "backward_seconds"}};
    const QString why = window == nullptr
        ? QObject::tr(
              "in measured runs, the slowdown is %1 of the time in which compute and intra-node links are both busy")
              .arg(figureText(share->value, Quantity::share))
        : share->value * traffic->value >= node.value
        ? QObject::tr("at least %1 of this traffic is exposed in measured runs")
              .arg(figureText(share->value, Quantity::share))
        : QObject::tr("only %1 of compute can overlap with the communication").arg(timeText(window->value));
    const double exposed = overlap_lanes(static_cast<int>(layers), backward, each, 1, 0).exposed_seconds();
    addNote(of,
            QObject::tr("Identical layers would expose %1; this plan exposes %2, because %3.")
                .arg(timeText(exposed), timeText(node.value), why));
    return of;
}

/// A matmul whose weights are split across tensor-parallel ranks.
struct SplitMatmul {
    WeightSplit split = WeightSplit::columns;
    double ranks = 1;
    double tokens = 0;
    double rows = 0; ///< input features, over all ranks
    double columns = 0; ///< output features, over all ranks
};

std::optional<SplitMatmul> splitOf(const Derivation &node) {
    const Derivation *const tokens = node.find("rows");
    const Derivation *const outputs = node.find("columns");
    const Derivation *const inputs = node.find("depth");
    const Derivation *const groups = node.find("groups");
    if (node.calculator != "matrix-multiply" || tokens == nullptr || outputs == nullptr || inputs == nullptr
        || (groups != nullptr && groups->value > 1))
        return {};
    const auto isDegree = [](const Derivation &each) { return each.field == "/parallelism/tensor"; };
    const Derivation *const ofInputs = findNode(*inputs, isDegree);
    const Derivation *const ofOutputs = findNode(*outputs, isDegree);
    if (ofInputs != nullptr)
        return SplitMatmul{.split = WeightSplit::rows,
                           .ranks = ofInputs->value,
                           .tokens = tokens->value,
                           .rows = inputs->value * ofInputs->value,
                           .columns = outputs->value};
    if (ofOutputs != nullptr)
        return SplitMatmul{.split = WeightSplit::columns,
                           .ranks = ofOutputs->value,
                           .tokens = tokens->value,
                           .rows = inputs->value,
                           .columns = outputs->value * ofOutputs->value};
    return {};
}

/// @param exposed  the tensor-parallel communication of a layer
std::optional<PictureOfFormula> splitPicture(const SplitMatmul &matmul, const Derivation &exposed, const Plan &plan) {
    const Derivation *const gather = exposed.find("gather_seconds");
    const Derivation *const collective = gather != nullptr ? gather : exposed.find("reduce_seconds");
    const Derivation *const bytes = collective == nullptr ? nullptr : collective->find("bytes");
    const Derivation *const bandwidth = collective == nullptr ? nullptr : collective->find("bandwidth");
    if (bytes == nullptr || bandwidth == nullptr)
        return {};
    const double elementBytes = bytes->value / (matmul.tokens * static_cast<double>(plan.model.hidden));
    const bool byRows = matmul.split == WeightSplit::rows;
    std::optional<PictureOfFormula> of = pictureOf("tensor-shard",
                                                   Arguments{{"rows", matmul.rows},
                                                             {"columns", matmul.columns},
                                                             {"ranks", matmul.ranks},
                                                             {"split", byRows ? 1 : 0},
                                                             {"sequence", matmul.tokens},
                                                             {"element_bytes", elementBytes},
                                                             {"bandwidth", bandwidth->value}});
    const LinearSplit linear = split_linear({.micro_batch = 1,
                                             .sequence = matmul.tokens,
                                             .rows = matmul.rows,
                                             .columns = matmul.columns,
                                             .element_bytes = elementBytes},
                                            matmul.split, static_cast<int>(matmul.ranks), bandwidth->value);
    const std::optional<PartialSums> &sums = byRows ? linear.forward : linear.backward;
    if (!sums)
        return {};
    addNote(of,
            (gather != nullptr
                 ? QObject::tr("Without latency, the all-reduce takes %1. In the plan, an all-gather and a "
                               "reduce-scatter replace it and take %2, including launch and hop latency.")
                 : QObject::tr("Without latency, the all-reduce takes %1. In the plan, it takes %2, including launch "
                               "and hop latency."))
                .arg(timeText(sums->seconds), timeText(gather != nullptr ? 2 * gather->value : collective->value)));
    return of;
}

std::optional<PictureOfFormula> splitPicture(const Derivation &node, const Derivation &tree, const Plan &plan) {
    const bool isTraffic = node.calculator == "tensor-exposed";
    const auto isSplit = [](const Derivation &each) {
        const std::optional<SplitMatmul> matmul = splitOf(each);
        return matmul && matmul->split == WeightSplit::rows;
    };
    const auto hasCollective = [](const Derivation &each) {
        return each.calculator == "tensor-exposed"
            && (each.find("gather_seconds") != nullptr || each.find("reduce_seconds") != nullptr);
    };
    const Derivation *const matmul = isTraffic ? findNode(tree, isSplit) : &node;
    const std::optional<SplitMatmul> split = matmul == nullptr ? std::nullopt : splitOf(*matmul);
    if (!split)
        return {};
    const Derivation *const traffic = isTraffic ? &node : findNode(tree, hasCollective);
    std::optional<PictureOfFormula> of = traffic == nullptr ? std::nullopt : splitPicture(*split, *traffic, plan);
    if (of)
        of->parameters = {
            {"rows", "sequence"}, {"depth", "rows"}, {"gather_seconds", "bandwidth"}, {"reduce_seconds", "bandwidth"}};
    if (isTraffic)
        addNote(of, QObject::tr("The matmul is %1.").arg(QString::fromStdString(matmul->title)));
    return of;
}

/// Animation of a ring all-reduce, whose halves are a reduce-scatter and an all-gather.
std::optional<PictureOfFormula> ringPicture(const Derivation &node) {
    const Arguments arguments = argumentsOf(node);
    std::optional<PictureOfFormula> of = pictureOf("ring-all-reduce", arguments);
    if (!of)
        return of;
    of->parameters = {{"ring_seconds", "latency"}};
    const double whole = formula::ring_all_reduce_seconds(
        arguments.find("ranks")->second, arguments.find("bytes")->second, arguments.find("bandwidth")->second, 0.0);
    if (node.calculator == "tiers-all-reduce")
        addNote(of,
                QObject::tr(
                    "Without latency, the ring takes %1. In the plan, it takes %2, including launch and hop latency.")
                    .arg(timeText(whole), timeText(node.value)));
    else
        addNote(
            of,
            QObject::tr(
                "A reduce-scatter is the first half of this ring all-reduce, and an all-gather the second. "
                "Without latency, each half takes %1. In the plan, a half takes %2, including launch and hop latency.")
                .arg(timeText(whole / 2), timeText(node.value)));
    return of;
}

/// Animation of how ZeRO shards all model states, for a node with one state's bytes on a rank.
std::optional<PictureOfFormula> zeroPicture(const Derivation &node, const Derivation &tree) {
    const auto bytesIn = [](const Derivation &part, const char *name) {
        const Derivation *const found = findNode(part, [name](const Derivation &each) {
            return each.calculator == "zero-memory" && each.find(name) != nullptr;
        });
        return found == nullptr ? 0.0 : found->find(name)->value;
    };
    Arguments arguments = argumentsOf(node);
    arguments["weight_bytes"] = bytesIn(tree, "weight_bytes");
    arguments["gradient_bytes"] = bytesIn(tree, "gradient_bytes");
    double optimizer = 0;
    for (const char *const state : {"master_bytes", "moments_bytes"})
        if (const Derivation *const part = findNode(tree, [&](const Derivation &each) {
                return each.name == state && bytesIn(each, "optimizer_bytes") > 0;
            }))
            optimizer += bytesIn(*part, "optimizer_bytes");
    arguments["optimizer_bytes"] = optimizer;
    return pictureOf("zero-memory", arguments);
}

} // namespace

std::optional<PictureOfFormula> pictureOf(const Derivation &node, const Derivation &tree, const Plan &plan) {
    if (node.calculator == "data-exposed")
        return overlapPicture(node, plan);
    if (node.calculator == "matrix-multiply" || node.calculator == "tensor-exposed")
        return splitPicture(node, tree, plan);
    if (node.calculator == "tiers-all-gather" || (node.calculator == "tiers-all-reduce" && node.result == "seconds"))
        return ringPicture(node);
    if (node.calculator == "zero-memory" && node.value > 0)
        return zeroPicture(node, tree);
    return {};
}

QDialog *newPictureDialog(const Derivation &node, const PictureOfFormula &picture, QWidget *parent) {
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("nodePicture"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(titleOf(node));
    showsNoFigures(dialog, NotFigures::derivation);
    auto *formula = new NodeFormula(dialog);
    formula->showNode(node);
    auto *shown = new FormulaPicture(dialog);
    QObject::connect(formula, &NodeFormula::inputHovered, shown, [formula, shown](const QString &input) {
        formula->light(input);
        shown->light(input);
    });
    shown->showPicture(picture);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto *column = new QVBoxLayout(dialog);
    column->setSpacing(12);
    column->addWidget(formula);
    column->addWidget(shown, 1);
    column->addWidget(buttons);
    shown->view()->setFocus(); // its keys play and step the animation
    dialog->resize(dialogWidth, dialog->sizeHint().height());
    return dialog;
}

} // namespace meshwright
