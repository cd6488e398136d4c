// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "pictures/formula_picture.h"

#include <optional>

class QDialog;
class QWidget;

namespace meshwright {

struct Plan;

/// The moving picture of what a node of a plan's derivation calculates, with the node's own inputs: gradient reduction
/// that overlaps with the backward pass, a matmul that tensor parallelism splits, a collective, ZeRO's shards. If the
/// picture is simpler than the plan's model, the note states both values and the reason for the difference. Nothing if
/// the node has no picture.
/// @param tree  the derivation that contains the node
std::optional<PictureOfFormula> pictureOf(const Derivation &node, const Derivation &tree, const Plan &plan);

/// A dialog with the picture, which deletes itself when it is closed.
QDialog *newPictureDialog(const QString &title, const PictureOfFormula &picture, QWidget *parent);

} // namespace meshwright
