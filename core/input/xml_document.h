// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

/// An element of an XML document. Text between child elements is joined and trimmed.
struct XmlElement {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes;
    std::string text;
    std::vector<XmlElement> children;

    const XmlElement *child(std::string_view of_name) const; ///< the first of that name; null if there is none
    /// The text of a descendant by its path, "gpu_power_readings/current_power_limit"; empty if there is none.
    std::string at(std::string_view path) const;
};

/// Parses the XML that device tools print: elements, attributes, text, comments, CDATA, the five predefined entities
/// and character references, in UTF-8. A document type declaration is skipped, never fetched; one that declares
/// entities is rejected, and so is nesting deeper than 64 levels or more than 500,000 elements.
/// @throws InputError with the line of the first error
XmlElement parse_xml(std::string_view text);

} // namespace meshwright
