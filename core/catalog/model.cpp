// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/model.h"

#include "catalog/model_fields.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Writes required fields, and optional fields that differ from their defaults.
template <typename T>
class FieldWriter {
public:
    FieldWriter(Json &target, const T &value)
        : m_target(target)
        , m_value(value) { }

    void count(const char *key, std::int64_t T::*member, CountLimits limits) { write(key, member, limits.required); }
    void flag(const char *key, bool T::*member) { write(key, member, false); }
    void text(const char *key, std::string T::*member) { write(key, member, false); }
    void number(const char *key, double T::*member, double, double) {
        const double number = m_value.*member;
        const bool whole = number == std::floor(number) && std::abs(number) < 9e15;
        if (number != m_default.*member)
            m_target[key] = whole ? Json(static_cast<std::int64_t>(number)) : Json(number);
    }
    template <typename Enum>
    void word(const char *key, Enum T::*member, const std::vector<std::string> &words) {
        if (m_value.*member != m_default.*member)
            m_target[key] = words.at(static_cast<std::size_t>(m_value.*member));
    }

private:
    template <typename Field>
    void write(const char *key, Field T::*member, bool always) {
        if (always || m_value.*member != m_default.*member)
            m_target[key] = m_value.*member;
    }

    Json &m_target;
    const T &m_value;
    const T m_default{};
};

template <typename T>
void write_fields(Json &target, const T &value) {
    FieldWriter<T> writer(target, value);
    describe(writer, static_cast<T *>(nullptr));
}

const char *kind_word(const Nothing &) {
    return "none";
}
const char *kind_word(const Attention &) {
    return "attention";
}
const char *kind_word(const LatentAttention &) {
    return "latent-attention";
}
const char *kind_word(const RecurrentMixer &) {
    return "recurrent";
}
const char *kind_word(const FeedForward &) {
    return "feed-forward";
}
const char *kind_word(const Experts &) {
    return "experts";
}

template <typename Variant>
Json part_to_json(const Variant &part) {
    return std::visit(
        [](const auto &value) {
            Json json;
            json["kind"] = kind_word(value);
            write_fields(json, value);
            return json;
        },
        part);
}

Json block_to_json(const Block &block) {
    const Block standard;
    Json json;
    json["name"] = block.name;
    json["mixer"] = part_to_json(block.mixer);
    json["transform"] = part_to_json(block.transform);
    if (block.norms != standard.norms)
        json["norms"] = block.norms;
    if (block.parallel)
        json["parallel"] = true;
    if (block.other_parameters != 0)
        json["other_parameters"] = block.other_parameters;
    return json;
}

Json layers_to_json(const Model &model) {
    if (model.blocks.size() == 1 && model.layers.size() == 1)
        return Json(model.layers.front().count);
    Json layers = Json::array();
    for (const LayerRun &run : model.layers)
        layers.push_back(Json{{"block", run.block}, {"count", run.count}});
    return layers;
}

} // namespace

std::int64_t Model::layer_count() const {
    return std::accumulate(layers.begin(), layers.end(), std::int64_t{0},
                           [](std::int64_t sum, const LayerRun &run) { return sum + run.count; });
}

const Block &Model::block_of(std::int64_t index) const {
    std::int64_t left = index;
    for (const LayerRun &run : layers) {
        if (left >= 0 && left < run.count)
            return blocks.at(static_cast<std::size_t>(run.block));
        left -= run.count;
    }
    throw std::out_of_range("layer index out of range");
}

Json to_json(const Model &model) {
    Json json;
    json["schema"] = "meshwright.model/1";
    FieldWriter<Model> writer(json, model);
    describe_before(writer, static_cast<Model *>(nullptr));
    json["blocks"] = Json::array();
    for (const Block &block : model.blocks)
        json["blocks"].push_back(block_to_json(block));
    json["layers"] = layers_to_json(model);
    describe_after(writer, static_cast<Model *>(nullptr));
    if (model.published != PublishedSize{})
        write_fields(json["published"], model.published);
    write_sources(json, model.sources);
    return json;
}

} // namespace meshwright
