// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

class QDialog;
class QWidget;

namespace meshwright {

/// A run whose makers disclosed too little to evaluate it: what is known of it, with the source of each, and what is
/// not. Deletes itself when it is closed. @param card  of the schema meshwright.card/1
QDialog *newPlanCardDialog(const nlohmann::ordered_json &card, QWidget *parent);

} // namespace meshwright
