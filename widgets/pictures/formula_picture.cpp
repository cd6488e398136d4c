// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/formula_picture.h"

#include "controls/text_label.h"
#include "figures/figure_text.h"
#include "input/diagnostic.h"
#include "pictures/picture_view.h"

#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int pictureHeight = 320;

using Arguments = std::map<std::string, double, std::less<>>;

bool hasAll(const Arguments &arguments, std::initializer_list<const char *> names) {
    return std::all_of(names.begin(), names.end(),
                       [&arguments](const char *name) { return arguments.find(name) != arguments.end(); });
}

QString drawnFewer(double drawn, double wanted, const QString &what) {
    return FormulaPicture::tr("Drawn with %1 of %2 %3; all figures are for %1 %3.")
        .arg(countText(drawn), countText(wanted), what);
}

/// Selects a picture whose parameters have the same names as the formula's arguments.
PictureOfFormula pictureNamed(const char *name, const Arguments &arguments) {
    PictureOfFormula of{.picture = {.name = name}};
    for (const PictureParameter &parameter : parameters_of_picture(name))
        if (const auto found = arguments.find(parameter.name); found != arguments.end())
            of.picture.parameters[std::string(parameter.name)] = found->second;
    if (const auto ranks = of.picture.parameters.find("ranks");
        ranks != of.picture.parameters.end() && ranks->second > most_drawn_ranks) {
        of.note = drawnFewer(most_drawn_ranks, ranks->second, FormulaPicture::tr("ranks"));
        ranks->second = most_drawn_ranks;
    }
    return of;
}

/// Limits nodes and ranks per node to the numbers that can be drawn.
PictureOfFormula hierarchicalPicture(const Arguments &arguments) {
    PictureOfFormula of = pictureNamed("hierarchical", arguments);
    double &members = of.picture.parameters["ranks_per_node"];
    double &nodes = of.picture.parameters["nodes"];
    const double all = members * nodes;
    if (all <= most_drawn_ranks)
        return of;
    constexpr double side = 4; // ranks per node are not reduced below this number
    members = std::min(members, std::max(side, std::floor(most_drawn_ranks / nodes)));
    nodes = std::min(nodes, std::floor(most_drawn_ranks / members));
    of.note = drawnFewer(members * nodes, all, FormulaPicture::tr("ranks"));
    return of;
}

/// The second layer of a feed-forward network, whose partial outputs the all-reduce sums.
PictureOfFormula tensorPicture(const Arguments &arguments) {
    PictureOfFormula of = pictureNamed("row-split", arguments);
    constexpr double wider = 4; // MLP hidden size / model hidden size, as in the formula tensor-weights
    const double hidden = arguments.find("hidden")->second;
    of.picture.parameters["columns"] = hidden;
    of.parameters = {{"hidden", "columns"}};
    of.picture.parameters["rows"] = wider * hidden;
    const QString layer =
        FormulaPicture::tr("The drawing shows the second layer of an MLP whose hidden size is four times the model's.");
    of.note = of.note.isEmpty() ? layer : layer + QLatin1Char(' ') + of.note;
    return of;
}

PictureOfFormula overlapPicture(const Arguments &arguments) {
    PictureOfFormula of = pictureNamed("overlap", arguments);
    double &layers = of.picture.parameters["layers"];
    if (layers <= most_drawn_layers)
        return of;
    of.note = drawnFewer(most_drawn_layers, layers, FormulaPicture::tr("layers"));
    of.picture.parameters["backward_seconds"] *= most_drawn_layers / layers;
    layers = most_drawn_layers;
    return of;
}

std::optional<PictureOfFormula> wantedPicture(std::string_view formula, const Arguments &arguments) {
    if (formula == "ring-all-reduce" && hasAll(arguments, {"ranks", "bytes", "bandwidth"}))
        return pictureNamed("ring", arguments);
    if (formula == "naive-all-reduce" && hasAll(arguments, {"ranks", "bytes", "bandwidth"}))
        return pictureNamed("naive", arguments);
    if (formula == "tree-all-reduce" && hasAll(arguments, {"ranks", "bytes", "bandwidth"}))
        return pictureNamed("tree", arguments);
    if (formula == "hierarchical-all-reduce"
        && hasAll(arguments, {"bytes", "ranks_per_node", "nodes", "fast_bandwidth", "slow_bandwidth"}))
        return hierarchicalPicture(arguments);
    if (formula == "tensor-shard" && hasAll(arguments, {"rows", "columns", "ranks", "split"}))
        return pictureNamed(arguments.find("split")->second == 0 ? "column-split" : "row-split", arguments);
    if (formula == "tensor-all-reduce"
        && hasAll(arguments, {"micro_batch", "sequence", "hidden", "ranks", "bandwidth"}))
        return tensorPicture(arguments);
    if (formula == "zero-memory" && hasAll(arguments, {"parameters", "ranks", "stage"}))
        return pictureNamed("zero", arguments);
    if ((formula == "overlap" || formula == "bucket-overlap")
        && hasAll(arguments, {"layers", "backward_seconds", "layer_communication_seconds"}))
        return overlapPicture(arguments);
    return {};
}

} // namespace

std::optional<PictureOfFormula> pictureOf(std::string_view formula, const Arguments &arguments) {
    std::optional<PictureOfFormula> of = wantedPicture(formula, arguments);
    try {
        if (of)
            of->picture = complete(of->picture);
    } catch (const InputError &) {
        return {}; // a single rank sends nothing, and some values are too large or too small to draw
    }
    return of;
}

FormulaPicture::FormulaPicture(QWidget *parent)
    : QWidget(parent)
    , m_note(new TextLabel({}, TypeRole::Body, ColourRole::Text3, TextWeight::Regular, this)) {
    m_note->setObjectName(QStringLiteral("pictureNote"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 4);
    column->setSpacing(4);
    column->addWidget(m_note);
    hide();
}

void FormulaPicture::showPicture(const std::optional<PictureOfFormula> &of) {
    setVisible(of.has_value());
    if (!of)
        return;
    if (m_view == nullptr) {
        m_view = new PictureView(of->picture, this);
        m_view->setObjectName(QStringLiteral("formulaPicture"));
        m_view->setFixedHeight(pictureHeight);
        static_cast<QVBoxLayout *>(layout())->insertWidget(0, m_view);
    } else {
        m_view->setPicture(of->picture);
    }
    m_parameters = of->parameters;
    m_note->setText(of->note);
    m_note->setVisible(!of->note.isEmpty());
}

void FormulaPicture::light(const QString &symbol) {
    if (m_view == nullptr)
        return;
    const auto found = m_parameters.find(symbol.toStdString());
    m_view->light(found != m_parameters.end() ? QString::fromStdString(found->second) : symbol);
}

} // namespace meshwright
