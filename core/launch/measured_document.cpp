// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/measured_document.h"

#include <cmath>
#include <cstdint>
#include <utility>

namespace meshwright {

namespace {

using MeasuredJson = nlohmann::ordered_json;

constexpr std::string_view measured_prefix = "/measured";

bool is_measured_field(const std::string &field) {
    return field.starts_with(measured_prefix);
}

/// Stores integral values as JSON integers, like the counts and bytes in other documents.
void make_whole(MeasuredJson &value) {
    constexpr double exact = 9e15;
    if (value.is_number_float()) {
        const auto number = value.get<double>();
        if (number == std::floor(number) && std::abs(number) < exact)
            value = static_cast<std::int64_t>(number);
    } else if (value.is_structured()) {
        for (MeasuredJson &item : value)
            make_whole(item);
    }
}

MeasuredJson::json_pointer pointer_inside(const std::string &field) {
    return MeasuredJson::json_pointer(is_measured_field(field) ? field.substr(measured_prefix.size()) : field);
}

} // namespace

MeasuredDocument::MeasuredDocument(std::string kind, std::string what) {
    m_imported.kind = std::move(kind);
    m_imported.what = std::move(what);
    m_imported.document = MeasuredJson::object();
    m_imported.measured = MeasuredJson::object();
}

void MeasuredDocument::read(std::string option, std::string printed, const std::string &field, MeasuredJson value) {
    set(field, std::move(value));
    understand(std::move(option), std::move(printed), field);
}

void MeasuredDocument::understand(std::string option, std::string printed, std::string field) {
    m_imported.understood.push_back({std::move(option), std::move(printed), std::move(field)});
}

void MeasuredDocument::set(const std::string &field, MeasuredJson value) {
    make_whole(value);
    (is_measured_field(field) ? m_imported.measured : m_imported.document)[pointer_inside(field)] = std::move(value);
}

void MeasuredDocument::assume(const std::string &field, MeasuredJson value, std::string why) {
    make_whole(value);
    set(field, value);
    m_imported.assumed.push_back({field, std::move(value), std::move(why)});
}

void MeasuredDocument::ignore(std::string option, std::string printed, std::string why) {
    m_imported.ignored.push_back({std::move(option), std::move(printed), std::move(why)});
}

void MeasuredDocument::fault(std::string option, std::string why) {
    m_imported.faults.push_back({std::move(option), std::move(why)});
}

const MeasuredJson *MeasuredDocument::find(const std::string &field) const {
    const MeasuredJson &part = is_measured_field(field) ? m_imported.measured : m_imported.document;
    const MeasuredJson::json_pointer pointer = pointer_inside(field);
    return part.contains(pointer) ? &part[pointer] : nullptr;
}

} // namespace meshwright
