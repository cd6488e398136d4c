// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "pictures/formula_picture.h"

#include <optional>

class QDialog;
class QWidget;

namespace meshwright {

struct Plan;

/// The animation of a derivation node's calculation, with the node's own inputs: gradient reduction that
/// overlaps with the backward pass, a matmul that tensor parallelism splits, a collective, ZeRO's shards. If the
/// animation is simpler than the plan's model, its note states both values and the reason for the difference. Nothing
/// if the node has no animation.
/// @param tree  the derivation that contains the node
std::optional<PictureOfFormula> pictureOf(const Derivation &node, const Derivation &tree, const Plan &plan);

/// A dialog with the node's formula and the picture, which deletes itself when it is closed. Where the pointer is on a
/// symbol or its value, what it stands for is outlined in the picture.
QDialog *newPictureDialog(const Derivation &node, const PictureOfFormula &picture, QWidget *parent);

} // namespace meshwright
