// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/picture.h"

#include "input/diagnostic.h"
#include "input/field_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace meshwright {

namespace {

constexpr double most_bytes = 1e18;
constexpr double least_rate = 1;
constexpr double most_rate = 1e15;
constexpr double most_seconds = 1e9;
constexpr double most_features = 1e7;

constexpr PictureParameter drawn_ranks{"ranks", 2, most_drawn_ranks, 8, true};
constexpr PictureParameter data_bytes{"bytes", 0, most_bytes, 1e9, false};
constexpr PictureParameter element_bytes{"element_bytes", 0.5, 8, 2, false};

constexpr PictureParameter rate(std::string_view name, double otherwise) {
    return {name, least_rate, most_rate, otherwise, false};
}
constexpr PictureParameter state_bytes(std::string_view name, double otherwise) {
    constexpr double most = 64;
    return {name, 0, most, otherwise, false};
}
constexpr PictureParameter duration(std::string_view name, double otherwise) {
    return {name, 0, most_seconds, otherwise, false};
}
constexpr PictureParameter features(std::string_view name, double otherwise) {
    return {name, 1, most_features, otherwise, true};
}

struct KnownPicture {
    std::string name;
    std::vector<PictureParameter> parameters;
};

const std::vector<KnownPicture> &known_pictures() {
    constexpr double network = 50e9;
    constexpr double links = 450e9;
    const std::vector<PictureParameter> flat{drawn_ranks, data_bytes, rate("bandwidth", network),
                                             duration("latency", 0)};
    const auto split = [](double rows, double columns) {
        return std::vector<PictureParameter>{drawn_ranks,
                                             features("micro_batch", 1),
                                             features("sequence", 4096),
                                             features("rows", rows),
                                             features("columns", columns),
                                             element_bytes,
                                             rate("bandwidth", links)};
    };
    static const std::vector<KnownPicture> pictures{{"ring", flat},
                                                    {"tree", flat},
                                                    {"naive", flat},
                                                    {"hierarchical",
                                                     {data_bytes,
                                                      {"ranks_per_node", 1, most_drawn_ranks, 4, true},
                                                      {"nodes", 1, most_drawn_ranks, 2, true},
                                                      rate("fast_bandwidth", links),
                                                      rate("slow_bandwidth", network),
                                                      {"slow_links_per_node", 1, 1e4, 1, true}}},
                                                    {"column-split", split(4096, 16384)},
                                                    {"row-split", split(16384, 4096)},
                                                    {"zero",
                                                     {{"ranks", 1, most_drawn_ranks, 8, true},
                                                      {"stage", 0, 3, 0, true},
                                                      {"parameters", 1, 1e15, 7e9, false},
                                                      state_bytes("weight_bytes", 2),
                                                      state_bytes("gradient_bytes", 2),
                                                      state_bytes("optimizer_bytes", 12)}},
                                                    {"overlap",
                                                     {{"layers", 1, most_drawn_layers, 8, true},
                                                      {"bucket_layers", 1, most_drawn_layers, 1, true},
                                                      duration("backward_seconds", 0.2),
                                                      duration("layer_communication_seconds", 0.02),
                                                      duration("latency", 0)}}};
    return pictures;
}

const PictureParameter &find_parameter(const std::string &picture, const std::string &name) {
    const std::vector<PictureParameter> &known = parameters_of_picture(picture);
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&name](const PictureParameter &parameter) { return parameter.name == name; });
    if (found != known.end())
        return *found;
    std::vector<std::string> names;
    for (const PictureParameter &parameter : known)
        names.emplace_back(parameter.name);
    throw InputError("/" + pointer_token(name), fmt::format("not a parameter of the picture \"{}\"", picture),
                     "expected " + listed(names));
}

void check_range(const PictureParameter &parameter, double value) {
    if (value >= parameter.low && value <= parameter.high && (!parameter.whole || value == std::floor(value)))
        return;
    throw InputError("/" + std::string(parameter.name), fmt::format("{:g} is not an allowed value", value),
                     fmt::format("expected {} from {:g} to {:g}", parameter.whole ? "an integer" : "a number",
                                 parameter.low, parameter.high));
}

} // namespace

const std::vector<std::string> &picture_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const KnownPicture &picture : known_pictures())
            all.push_back(picture.name);
        return all;
    }();
    return names;
}

const std::vector<PictureParameter> &parameters_of_picture(std::string_view name) {
    for (const KnownPicture &picture : known_pictures())
        if (picture.name == name)
            return picture.parameters;
    const std::optional<std::string> near = nearest_word(name, picture_names());
    throw InputError("",
                     fmt::format("\"{}\" is not a picture{}", name.substr(0, 80),
                                 near ? fmt::format(" (did you mean \"{}\"?)", *near) : ""),
                     "expected " + listed(picture_names()));
}

Picture complete(Picture picture) {
    for (const auto &[name, value] : picture.parameters)
        check_range(find_parameter(picture.name, name), value);
    for (const PictureParameter &parameter : parameters_of_picture(picture.name))
        picture.parameters.emplace(parameter.name, parameter.otherwise);
    if (picture.name == "hierarchical") {
        const double ranks = picture.parameters.at("nodes") * picture.parameters.at("ranks_per_node");
        if (ranks < 2 || ranks > most_drawn_ranks)
            throw InputError("/nodes", fmt::format("{:g} ranks cannot be drawn", ranks),
                             fmt::format("expected ranks_per_node x nodes from 2 to {}", most_drawn_ranks));
    }
    return picture;
}

} // namespace meshwright
