// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace meshwright::plain_numbers {

/// "16,384", "1e6", "16 384 GPUs"; an optional unit behind the figures must be `unit`. Nothing for anything else.
std::optional<double> parseReal(const QString &text, const QString &unit);
/// As above, whole numbers of 64 bits only.
std::optional<qint64> parseInteger(const QString &text, const QString &unit);

/// Up to six significant figures, thousands separated by commas, a true minus sign.
QString text(double value);
QString text(qint64 value);

} // namespace meshwright::plain_numbers
