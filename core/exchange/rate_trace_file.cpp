// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/rate_trace_file.h"

#include "evidence/csv_table.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "input/printable.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <system_error>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char *columns_expected =
    "expected a table with the columns seconds and share, or seconds and bits_per_second";
constexpr std::size_t max_points = 100'000;

double number_in(const std::vector<std::string> &row, std::size_t column, std::size_t line) {
    const std::optional<double> value = quantity_from(row[column], Quantity::number);
    if (!value)
        throw InputError("", fmt::format("row {} has a value that is not a number", line), "expected only numbers");
    return *value;
}

double nominal_rate(const Json &link, const Json &otherwise) {
    for (const Json *from : {&link, &otherwise}) {
        const auto found = from->find("uplink_bits_per_second");
        if (found != from->end() && found->is_number())
            return found->get<double>();
    }
    return 0;
}

/// The base folder of relative file names, and which file names a plan may use.
struct TraceFiles {
    const std::filesystem::path &folder;
    TracePlaces places;
};

bool leaves_folder(const std::filesystem::path &name) {
    return name.is_absolute() || std::find(name.begin(), name.end(), "..") != name.end();
}

void take_in(Json &link, const Json &otherwise, const TraceFiles &files, const std::string &pointer) {
    if (!link.is_object())
        return;
    const auto trace = link.find("rate_trace");
    if (trace == link.end() || !trace->is_string())
        return;
    const std::filesystem::path name(trace->get<std::string>());
    if (files.places == TracePlaces::InFolder && leaves_folder(name))
        throw InputError(pointer + "/rate_trace", "names a file outside the plan's folder",
                         "expected a file in the plan's folder or below it; --set accepts any path");
    try {
        *trace = read_rate_trace_file(files.folder / name, nominal_rate(link, otherwise));
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        throw InputError(pointer + "/rate_trace", first.message.text, first.expected.text);
    }
}

} // namespace

Json read_rate_trace_text(std::string_view text, double nominal_bits_per_second) {
    const CsvTable table = read_csv(text);
    const std::size_t seconds = table.column("seconds");
    const std::size_t shares = table.column("share");
    const std::size_t rates = table.column("bits_per_second");
    if (seconds == CsvTable::missing || (shares == CsvTable::missing) == (rates == CsvTable::missing))
        throw InputError("", "does not have the columns of a link rate table", columns_expected);
    if (shares == CsvTable::missing && !(nominal_bits_per_second > 0))
        throw InputError("", "gives rates in bits/s, but the link's nominal rate is not known",
                         "expected uplink_bits_per_second, or shares");
    if (table.rows.size() < 2 || table.rows.size() > max_points)
        throw InputError("", fmt::format("has {} rows", table.rows.size()),
                         fmt::format("expected 2 to {} rows", max_points));
    Json points = Json::array();
    double first = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const double time = number_in(table.rows[row], seconds, row + 1);
        if (row == 0)
            first = time;
        const double share = shares != CsvTable::missing
            ? number_in(table.rows[row], shares, row + 1)
            : number_in(table.rows[row], rates, row + 1) / nominal_bits_per_second;
        points.push_back({{"seconds", time - first}, {"share", share}});
    }
    return points;
}

Json read_rate_trace_file(const std::filesystem::path &file, double nominal_bits_per_second) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) // plans may come from others, so reject devices as well
        throw FileError(printable(file.string()) + ": is not a file; expected a table of link rates");
    const std::string text = read_file(file);
    try {
        return read_rate_trace_text(text, nominal_bits_per_second);
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        const std::string line =
            first.fields.empty() || first.fields.front().empty() ? "" : first.fields.front() + ": ";
        throw InputError("", printable(file.filename().string()) + ": " + line + first.message.text,
                         first.expected.text);
    }
}

void take_in_rate_traces(Json &plan, const std::filesystem::path &folder, TracePlaces places) {
    const Json::json_pointer place("/cluster/wan");
    if (!plan.is_object() || !plan.contains(place) || !plan[place].is_object())
        return;
    Json &wan = plan[place];
    const TraceFiles files{.folder = folder, .places = places};
    take_in(wan, wan, files, "/cluster/wan");
    const auto groups = wan.find("groups");
    if (groups == wan.end() || !groups->is_array())
        return;
    for (std::size_t i = 0; i < groups->size(); ++i)
        take_in((*groups)[i], wan, files, fmt::format("/cluster/wan/groups/{}", i));
}

} // namespace meshwright
