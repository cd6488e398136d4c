// SPDX-License-Identifier: GPL-3.0-or-later
#include "field_differences.h"

#include <nlohmann/json.hpp>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

constexpr qsizetype longestValue = 60;

QString shortText(const ordered_json &value) {
    const QString text = QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
    return text.size() <= longestValue ? text : text.left(longestValue - 1) + QStringLiteral("…");
}

void compare(const QString &field, const ordered_json &theirs, const ordered_json &mine,
             std::vector<FieldDifference> &into) {
    if (theirs == mine)
        return;
    const auto part = [&field](const std::string &key) {
        const QString name = QString::fromStdString(key);
        return field.isEmpty() ? name : QString(field + QLatin1Char('.') + name);
    };
    if (theirs.is_object() && mine.is_object()) {
        static const ordered_json leftOut;
        for (const auto &[key, value] : mine.items())
            compare(part(key), theirs.contains(key) ? theirs.at(key) : leftOut, value, into);
        for (const auto &[key, value] : theirs.items())
            if (!mine.contains(key))
                compare(part(key), value, leftOut, into);
        return;
    }
    if (theirs.is_array() && mine.is_array() && theirs.size() == mine.size()) {
        for (std::size_t i = 0; i < mine.size(); ++i)
            compare(part(std::to_string(i)), theirs[i], mine[i], into);
        return;
    }
    const auto text = [](const ordered_json &value) { return value.is_null() ? QString() : shortText(value); };
    into.push_back({.field = field, .theirs = text(theirs), .mine = text(mine)});
}

} // namespace

std::vector<FieldDifference> fieldDifferences(const ordered_json &theirs, const ordered_json &mine) {
    std::vector<FieldDifference> differences;
    compare({}, theirs, mine, differences);
    return differences;
}

} // namespace meshwright
