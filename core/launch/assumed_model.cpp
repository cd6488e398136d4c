// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/assumed_model.h"

#include "catalog/library.h"
#include "catalog/weights.h"
#include "input/printable.h"
#include "plan/plan_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <vector>

namespace meshwright {

namespace {

constexpr const char *usual_model = "llama-3.1-8b";
/// Characters of a model's name that are read: the time to read it grows with the square of its length.
constexpr std::size_t longest_model_name = 1'000;
/// Names such as "8x7b" count what the experts share once per expert: Mixtral 8x7B has 46.7e9 parameters, 8x22B 141e9.
constexpr double unshared = 0.82;

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_figure(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The family in a model's name, in lower case: the leading letters of the last part, separated by slashes, that begins
/// with at least two letters and meets a condition. "llama" for "llama/llama3_30b", "gpt" for "gpt3/5b".
template <typename IsFamily>
std::string family_of(std::string_view name, IsFamily is_family) {
    constexpr std::size_t shortest_word = 2;
    while (true) {
        const std::size_t slash = name.rfind('/');
        const std::string_view part = slash == std::string_view::npos ? name : name.substr(slash + 1);
        std::string letters;
        for (std::size_t i = 0; i < part.size() && is_letter(part[i]); ++i)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(part[i])));
        if (letters.size() >= shortest_word && is_family(letters))
            return letters;
        if (slash == std::string_view::npos)
            return {};
        name = name.substr(0, slash);
    }
}
std::string family_of(std::string_view name) {
    return family_of(name, [](const std::string &) { return true; });
}

/// Number of experts in a name such as "8x22b" or "8X22B": the number before the "x", if the digits at `at` come
/// right after it; otherwise 1.
double experts_before(std::string_view name, std::size_t at) {
    if (at < 2 || (name[at - 1] != 'x' && name[at - 1] != 'X') || !is_figure(name[at - 2]))
        return 1;
    std::size_t start = at - 1;
    while (start > 0 && is_figure(name[start - 1]))
        --start;
    double count = 1;
    std::from_chars(name.data() + start, name.data() + at - 1, count);
    return std::max(1.0, count);
}

/// Whether a name says that the model has experts: "8x22b", or a number of active parameters as in "30b-a3b".
bool names_experts(std::string_view name) {
    for (std::size_t at = 1; at < name.size(); ++at) {
        if (!is_figure(name[at]))
            continue;
        const std::size_t unit = std::min(name.find_first_not_of("0123456789.", at), name.size());
        const bool is_active = (name[at - 1] == 'a' || name[at - 1] == 'A') && (at < 2 || !is_letter(name[at - 2]))
            && unit < name.size() && (name[unit] == 'b' || name[unit] == 'B');
        if ((is_active && named_parameters(name) > 0) || experts_before(name, at) > 1)
            return true;
    }
    return false;
}

/// Whether all layers have attention, and the model has experts exactly if `with_experts` is true.
bool is_plain(const Model &model, bool with_experts) {
    const auto has_experts = [](const Block &block) { return std::holds_alternative<Experts>(block.transform); };
    return std::any_of(model.blocks.begin(), model.blocks.end(), has_experts) == with_experts
        && std::all_of(model.blocks.begin(), model.blocks.end(), [](const Block &block) {
               return std::holds_alternative<Attention>(block.mixer)
                   || std::holds_alternative<LatentAttention>(block.mixer);
           });
}

/// Makes a name safe to print and short: of a path with several slashes, the last part; "llama/llama3_30b" is
/// unchanged.
std::string shown(std::string_view name) {
    constexpr std::size_t longest = 60;
    const bool is_path = std::count(name.begin(), name.end(), '/') > 1;
    std::string text = printable(std::string(is_path ? name.substr(name.rfind('/') + 1) : name));
    std::size_t end = std::min(longest, text.size());
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end; // keeps a UTF-8 character whole
    text.resize(end);
    return text;
}

struct Candidate {
    std::string id;
    double distance = 0; ///< absolute logarithm of the ratio of parameter counts
};

/// Presets with their distances in size. For models of another family, the ratio of parameter counts is doubled. A name
/// of no known family counts as Llama.
std::vector<Candidate> candidates_for(std::string_view name, bool with_experts, const Library &library) {
    const double stated = named_parameters(name);
    const double parameters = stated > 0 ? stated : parameters_of(*library.model(usual_model)).total;
    const auto is_model_of = [](const PresetEntry &entry, const std::string &family) {
        return entry.kind == PresetKind::model && family_of(entry.id) == family;
    };
    std::string family = family_of(name, [&](const std::string &letters) {
        return std::any_of(library.entries().begin(), library.entries().end(),
                           [&](const PresetEntry &entry) { return is_model_of(entry, letters); });
    });
    if (family.empty())
        family = family_of(usual_model);
    std::vector<Candidate> candidates;
    for (const PresetEntry &entry : library.entries()) {
        if (entry.kind != PresetKind::model)
            continue;
        const auto model = library.model(entry.id);
        if (!is_plain(*model, with_experts))
            continue;
        const double ratio = parameters_of(*model).total / parameters;
        const double strangeness = is_model_of(entry, family) ? 0 : std::log(2.0);
        candidates.push_back({.id = entry.id, .distance = std::abs(std::log(ratio)) + strangeness});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate &a, const Candidate &b) { return a.distance < b.distance; });
    return candidates;
}

std::vector<Diagnostic> errors_of(const nlohmann::ordered_json &document, const Library &library) {
    std::vector<Diagnostic> errors = read_plan(document, library).diagnostics;
    std::erase_if(errors, [](const Diagnostic &problem) { return problem.severity != Severity::error; });
    return errors;
}

std::size_t errors_with(nlohmann::ordered_json &document, const std::string &model, const Library &library) {
    document["model"] = model;
    return errors_of(document, library).size();
}

} // namespace

double named_parameters(std::string_view name) {
    name = name.substr(0, longest_model_name);
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (!is_figure(name[at]) || (at > 0 && (is_figure(name[at - 1]) || name[at - 1] == '.')))
            continue;
        std::string figures;
        std::size_t end = at;
        const auto is_point = [&](char c) { return c == '.' || c == 'p' || (c == '_' && figures == "0"); };
        for (; end < name.size() && (is_figure(name[end]) || is_point(name[end])); ++end)
            figures += is_figure(name[end]) ? name[end] : '.';
        const char unit =
            end < name.size() ? static_cast<char>(std::tolower(static_cast<unsigned char>(name[end]))) : ' ';
        const bool ends = end + 1 >= name.size() || std::isalnum(static_cast<unsigned char>(name[end + 1])) == 0;
        const double experts = experts_before(name, at);
        const bool is_active = at > 0 && is_letter(name[at - 1]) && experts == 1;
        double value = 0;
        std::from_chars(figures.data(), figures.data() + figures.size(), value);
        if (ends && !is_active && value > 0 && (unit == 'b' || unit == 'm'))
            return value * (unit == 'b' ? 1e9 : 1e6) * (experts > 1 ? experts * unshared : 1);
    }
    return 0;
}

AssumedModel assumed_model(nlohmann::ordered_json document, std::string_view name, const Library &library) {
    name = name.substr(0, longest_model_name);
    std::string best = usual_model;
    std::size_t fewest = errors_with(document, best, library);
    bool is_closest = true;
    const bool states_size = named_parameters(name) > 0;
    const bool with_experts = names_experts(name) || document.value("/parallelism/expert"_json_pointer, 1) > 1
        || document.value("/parallelism/expert_tensor"_json_pointer, 1) > 1;
    if (states_size || fewest > 0) {
        const std::vector<Candidate> candidates = candidates_for(name, with_experts, library);
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const std::size_t errors = errors_with(document, candidates[i].id, library);
            if ((i > 0 || !(states_size || with_experts)) && errors >= fewest)
                continue;
            best = candidates[i].id;
            is_closest = states_size && i == 0;
            fewest = errors;
            if (errors == 0)
                break;
        }
    }
    document["model"] = best;
    const bool unsuited = fewest > errors_of_any_model(document, library).size();
    const char *const preset = with_experts ? "preset with experts" : "preset";
    std::string why = name.empty() ? std::string("the file does not state the model's shape")
                                   : fmt::format("no preset is named {}", shown(name));
    if (states_size)
        why += fmt::format("; the model is the {} closest in size", preset);
    else if (!is_closest)
        why += fmt::format("; the model is the {} closest in size to Llama 3.1 8B", preset);
    else if (!name.empty())
        why += "; the model is Llama 3.1 8B, because the name states no size";
    if (!is_closest && !unsuited)
        why += " among those that these parallel degrees divide";
    return {.id = best, .why = unsuited ? "no preset fits these parallel degrees; " + why : why};
}

std::vector<Diagnostic> errors_of_any_model(const nlohmann::ordered_json &document, const Library &library) {
    constexpr const char *unlike = "smollm-135m"; // differs from usual_model in layers, heads and sizes
    std::vector<Diagnostic> errors = errors_of(document, library);
    nlohmann::ordered_json other = document;
    other["model"] = document.value("model", unlike) == unlike ? usual_model : unlike;
    const std::vector<Diagnostic> others = errors_of(other, library);
    std::erase_if(errors, [&](const Diagnostic &error) {
        return std::none_of(others.begin(), others.end(), [&](const Diagnostic &each) {
            return each.fields == error.fields && each.message == error.message;
        });
    });
    return errors;
}

} // namespace meshwright
