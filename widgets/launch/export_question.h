// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

#include <QString>

#include <functional>

class QWidget;

namespace meshwright {

/// Exported files to look at, copy and save.
struct ExportQuestion {
    QString title; ///< title of the target: "Megatron-LM shell script"
    QString plan; ///< name of the plan
    LaunchExport exported;
    /// Text of a plan field's value, shown in the margin of the lines that the field sets; empty if the plan does not
    /// state the value.
    std::function<QString(const std::string &pointer)> valueOf;
    /// Asks where to save a file (-1: all files) and saves it. Returns one line to show; empty if canceled.
    std::function<QString(QWidget *dialog, int file)> save;
};

} // namespace meshwright
