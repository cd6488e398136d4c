// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

class QDialog;
class QWidget;

namespace meshwright {

/// Dialog for a run whose authors disclosed too little to evaluate it: what is known, with the source of each fact, and
/// what is not disclosed. Deletes itself when it is closed.
/// @param card  document of schema meshwright.card/1
QDialog *newPlanCardDialog(const nlohmann::ordered_json &card, QWidget *parent);

} // namespace meshwright
