// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

namespace meshwright {

/// Resolves the references of a YAML document in OmegaConf's notation: "${model.hidden_size}" from the top, "${.name}"
/// from the same section, "${..name}" from the one above; "${multiply:4, ${.hidden_size}}" and the other arithmetic of
/// NeMo's launcher; "${oc.env:NAME,default}" takes the default. A launcher's file is only one section of the whole
/// configuration, so "${training.model.x}" is also looked up as "model.x". Unresolved references stay in the text.
nlohmann::ordered_json with_references_filled(const nlohmann::ordered_json &document);

} // namespace meshwright
