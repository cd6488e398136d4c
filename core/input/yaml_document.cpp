// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/yaml_document.h"

#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "input/json_members.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_values =
    1'000'000; ///< maximum number of values, because aliases can expand a document without limit

Json scalar(const YAML::Node &node) {
    const std::string &text = node.Scalar();
    if (node.Tag() == "!") // quoted
        return text;
    if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
        return nullptr;
    if (text == "true" || text == "True" || text == "TRUE")
        return true;
    if (text == "false" || text == "False" || text == "FALSE")
        return false;
    std::string digits;
    for (const char c : text)
        if (c != '_')
            digits += c;
    std::string_view body = digits;
    if (body.size() > 1 && body.front() == '+')
        body.remove_prefix(1);
    std::int64_t integer = 0;
    const char *const end = body.data() + body.size();
    if (const auto read = std::from_chars(body.data(), end, integer); read.ec == std::errc() && read.ptr == end)
        return integer;
    double number = 0;
    const bool numeric = !body.empty()
        && (std::isdigit(static_cast<unsigned char>(body.front())) != 0 || body.front() == '-' || body.front() == '.');
    if (const auto read = std::from_chars(body.data(), end, number);
        numeric && read.ec == std::errc() && read.ptr == end && std::isfinite(number))
        return number;
    return text;
}

class YamlReading {
public:
    YamlReading(const YamlLines &lines, int first_line)
        : m_lines(lines)
        , m_first_line(first_line) { }

    Json converted(const YAML::Node &node, int depth, const std::string &pointer) {
        if (m_lines)
            m_lines(pointer, m_first_line + std::max(node.Mark().line, 0));
        if (depth > deepest_input_nesting)
            throw InputError("", fmt::format("the YAML is nested deeper than {} levels", deepest_input_nesting),
                             "expected a YAML document");
        if (++m_values > most_values)
            throw InputError("", "the YAML's aliases expand to too many values", "expected a YAML document");
        if (node.IsSequence()) {
            Json list = Json::array();
            for (const YAML::Node &item : node)
                list.push_back(converted(item, depth + 1, below(pointer, std::to_string(list.size()))));
            return list;
        }
        if (node.IsMap()) {
            JsonMembers members;
            for (const auto &item : node) {
                const std::string key = item.first.IsScalar() ? item.first.Scalar() : "?";
                if (key == "<<" && item.second.IsMap()) { // the map's own keys override merged ones
                    for (const auto &merged : item.second)
                        if (merged.first.IsScalar() && !members.has(merged.first.Scalar()))
                            members.set(merged.first.Scalar(),
                                        converted(merged.second, depth + 1, below(pointer, merged.first.Scalar())));
                    continue;
                }
                members.set(key, converted(item.second, depth + 1, below(pointer, key)));
            }
            return std::move(members).object();
        }
        return node.IsScalar() ? scalar(node) : Json(nullptr);
    }

private:
    /// The JSON pointer of a child; built only if the caller asked for line numbers.
    std::string below(const std::string &pointer, const std::string &key) const {
        return m_lines ? pointer + "/" + pointer_token(key) : std::string();
    }

    const YamlLines &m_lines;
    int m_first_line;
    std::size_t m_values = 0;
};

} // namespace

Json parse_yaml(std::string_view text, const YamlLines &lines, int first_line) {
    try {
        return YamlReading(lines, first_line).converted(YAML::Load(std::string(text)), 0, "");
    } catch (const YAML::DeepRecursion &) {
        throw InputError("", fmt::format("the YAML is nested deeper than {} levels", deepest_input_nesting),
                         "expected a YAML document");
    } catch (const YAML::Exception &error) {
        throw InputError("", fmt::format("line {}: not YAML: {}", error.mark.line + first_line, error.msg),
                         "expected a YAML document");
    }
}

} // namespace meshwright
