// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

#include <QString>

#include <functional>

class QWidget;

namespace meshwright {

/// Exported files that the dialog previews, copies and saves.
struct ExportQuestion {
    QString title; ///< title of the target: "Megatron-LM shell script"
    QString plan;
    LaunchExport exported;
    /// Formats a plan field's value for the margin of the lines that the field sets. Empty if the plan does not state
    /// the value.
    std::function<QString(const std::string &pointer)> valueOf;
    /// Asks where to save one file, or all files if `file` is -1, and saves. Returns one line to show; empty if
    /// canceled.
    std::function<QString(QWidget *dialog, int file)> save;
};

} // namespace meshwright
