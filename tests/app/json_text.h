// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <nlohmann/json.hpp>

namespace meshwright {

/// For QCOMPARE: a failure then shows both documents.
inline QString textOf(const nlohmann::ordered_json &json) {
    return QString::fromStdString(json.dump());
}

} // namespace meshwright
