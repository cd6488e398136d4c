// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/import_question.h"

#include <QString>

namespace meshwright {

class Library;

/// Summary of an imported plan in two sentences.
struct ImportPreview {
    QString plan; ///< model, cluster, configuration and batch
    QString verdict; ///< whether the plan fits and how fast it is, or why it cannot be evaluated
    bool valid = false;
    bool fits = false;
};

/// Reads and evaluates a plan's document; a document of another kind is only described.
ImportPreview previewOf(const std::string &what, const nlohmann::ordered_json &document, const Library &library);

} // namespace meshwright
