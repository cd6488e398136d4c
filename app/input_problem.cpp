// SPDX-License-Identifier: GPL-3.0-or-later
#include "input_problem.h"

#include "input/diagnostic.h"

namespace meshwright {

QString inputProblem(const InputError &error) {
    const Diagnostic &first = error.diagnostics().front();
    QString text = QString::fromStdString(first.message.text);
    if (!first.expected.text.empty())
        text += QStringLiteral("; ") + QString::fromStdString(first.expected.text);
    return text;
}

} // namespace meshwright
