// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/imported.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace meshwright {

/// Collects the document of a measurement, and how each entry of the file was used. A field is a JSON pointer into the
/// document ("/step_seconds"), or starts with "/measured" for a figure that fits no field of the document.
class MeasuredDocument {
public:
    MeasuredDocument(std::string kind, std::string what);

    /// Sets a field from an entry of the file. @param printed  value as printed in the file
    void read(std::string option, std::string printed, const std::string &field, nlohmann::ordered_json value);
    /// Marks an entry as understood if several fields follow from it, or if it is part of a sum or mean.
    void understand(std::string option, std::string printed, std::string field);
    /// Sets a field that follows from entries whose use is recorded elsewhere.
    void set(const std::string &field, nlohmann::ordered_json value);
    void assume(const std::string &field, nlohmann::ordered_json value, std::string why);
    void ignore(std::string option, std::string printed, std::string why);
    void fault(std::string option, std::string why);

    /// The value of a field; null if it has not been set.
    const nlohmann::ordered_json *find(const std::string &field) const;

    Imported take() && { return std::move(m_imported); }

private:
    Imported m_imported;
};

} // namespace meshwright
