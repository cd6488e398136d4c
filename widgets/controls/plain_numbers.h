// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace meshwright::plain_numbers {

/// Parses "16,384", "1e6" or "16 384 GPUs"; a unit after the number must be `unit`. Empty for anything else.
std::optional<double> parseReal(const QString &text, const QString &unit);
/// Like parseReal(), for 64-bit integers only.
std::optional<qint64> parseInteger(const QString &text, const QString &unit);

/// Formats up to six significant digits, with commas between thousands and a typographic minus sign (U+2212).
QString text(double value);
QString text(qint64 value);

} // namespace meshwright::plain_numbers
