// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/model.h"

#include "catalog/json_values.h"
#include "catalog/model_fields.h"
#include "input/field_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

template <typename T>
class FieldsOf {
public:
    FieldsOf(FieldReader &reader, T &value)
        : m_reader(reader)
        , m_value(value) { }

    void count(const char *key, std::int64_t T::*member, CountLimits limits) {
        if (limits.required)
            m_reader.require(key, fmt::format("expected an integer from {} to {}", limits.low, limits.high));
        m_reader.count(key, m_value.*member, limits.low, limits.high);
    }
    void flag(const char *key, bool T::*member) { m_reader.boolean(key, m_value.*member); }
    void text(const char *key, std::string T::*member) { m_reader.text(key, m_value.*member); }
    void number(const char *key, double T::*member, double low, double high) {
        m_reader.number(key, m_value.*member, {low, high});
    }
    template <typename Enum>
    void word(const char *key, Enum T::*member, const std::vector<std::string> &words) {
        m_reader.choice(key, m_value.*member, words);
    }

private:
    FieldReader &m_reader;
    T &m_value;
};

template <typename T>
T read_part(FieldReader &reader) {
    T value;
    FieldsOf<T> fields(reader, value);
    describe(fields, static_cast<T *>(nullptr));
    return value;
}

void require_divisible(FieldReader &reader, const char *key, std::int64_t value, const char *by, std::int64_t divisor) {
    if (value % divisor != 0)
        reader.problem(key, fmt::format("{} is not a multiple of {} {}", value, by, divisor),
                       fmt::format("expected a multiple of {}", by));
}

void check(FieldReader &reader, const Attention &attention) {
    require_divisible(reader, "heads", attention.heads, "kv_heads", attention.kv_heads);
    require_divisible(reader, "heads", attention.heads, "output_groups", attention.output_groups);
    if (attention.index_heads > 0 && attention.index_head_dim == 0)
        reader.problem("index_head_dim", "missing, but index_heads is set", "expected an integer from 1");
    if (attention.shared_key_value && attention.value_head_dim != 0 && attention.value_head_dim != attention.head_dim)
        reader.problem("value_head_dim", "differs from head_dim although keys and values are shared",
                       "expected head_dim or no value");
}

void check(FieldReader &reader, const LatentAttention &attention) {
    if (attention.index_heads > 0 && attention.index_head_dim == 0)
        reader.problem("index_head_dim", "missing, but index_heads is set", "expected an integer from 1");
}

void check(FieldReader &reader, const RecurrentMixer &mixer) {
    require_divisible(reader, "value_heads", mixer.value_heads, "key_heads", mixer.key_heads);
}

void check(FieldReader &reader, const Experts &experts) {
    if (experts.experts_per_token > experts.experts)
        reader.problem("experts_per_token",
                       fmt::format("{} is more than the {} experts", experts.experts_per_token, experts.experts),
                       "expected at most the number of experts");
}

Mixer read_mixer(FieldReader &reader) {
    int kind = 0;
    reader.require("kind", "expected none, attention, latent-attention or recurrent");
    reader.word("kind", kind, {"none", "attention", "latent-attention", "recurrent"});
    if (kind == 1) {
        const auto attention = read_part<Attention>(reader);
        check(reader, attention);
        return attention;
    }
    if (kind == 2) {
        const auto attention = read_part<LatentAttention>(reader);
        check(reader, attention);
        return attention;
    }
    if (kind == 3) {
        auto mixer = read_part<RecurrentMixer>(reader);
        check(reader, mixer);
        return mixer;
    }
    return Nothing{};
}

Transform read_transform(FieldReader &reader) {
    int kind = 0;
    reader.require("kind", "expected none, feed-forward or experts");
    reader.word("kind", kind, {"none", "feed-forward", "experts"});
    if (kind == 1)
        return read_part<FeedForward>(reader);
    if (kind == 2) {
        const auto experts = read_part<Experts>(reader);
        check(reader, experts);
        return experts;
    }
    return Nothing{};
}

Block read_block(FieldReader &reader) {
    Block block;
    reader.text("name", block.name);
    reader.require("mixer", "expected an object");
    reader.object("mixer", [&](FieldReader &inner) { block.mixer = read_mixer(inner); });
    reader.require("transform", "expected an object");
    reader.object("transform", [&](FieldReader &inner) { block.transform = read_transform(inner); });
    reader.count("norms", block.norms, 0, 16);
    reader.boolean("parallel", block.parallel);
    reader.count("other_parameters", block.other_parameters, exact_rest.low, exact_rest.high);
    return block;
}

void read_blocks(FieldReader &reader, Model &model) {
    reader.require("blocks", "expected an array of objects");
    std::vector<Block> blocks;
    const bool read = reader.objects("blocks", [&](FieldReader &inner) {
        if (static_cast<std::int64_t>(blocks.size()) < max_blocks)
            blocks.push_back(read_block(inner));
    });
    if (!read)
        return;
    if (const Json *raw = reader.raw("blocks"); raw->empty() || raw->size() > static_cast<std::size_t>(max_blocks))
        reader.problem("blocks", fmt::format("{} types of layers", raw->size()),
                       fmt::format("expected 1 to {}", max_blocks));
    model.blocks = std::move(blocks);
}

LayerRun read_run(FieldReader &reader, std::int64_t blocks) {
    LayerRun run;
    reader.require("block", "expected an index into blocks");
    reader.count("block", run.block, 0, std::max<std::int64_t>(blocks, 1) - 1);
    reader.require("count", "expected a number of layers");
    reader.count("count", run.count, 1, max_layers);
    return run;
}

void read_layers(FieldReader &reader, Model &model) {
    reader.require("layers", "expected a number of layers or an array of {block, count}");
    const Json *raw = reader.raw("layers");
    if (raw == nullptr)
        return;
    const auto blocks = static_cast<std::int64_t>(model.blocks.size());
    if (raw->is_number()) {
        LayerRun run;
        if (blocks > 1)
            reader.problem("layers", "a single number does not give the number of layers of each block",
                           "expected an array of {block, count}");
        else if (reader.count("layers", run.count, 1, max_layers))
            model.layers = {run};
        return;
    }
    std::vector<LayerRun> layers;
    if (!reader.objects("layers", [&](FieldReader &inner) {
            if (static_cast<std::int64_t>(layers.size()) < max_layers)
                layers.push_back(read_run(inner, blocks));
        }))
        return;
    model.layers = std::move(layers);
    const std::int64_t total =
        raw->size() > static_cast<std::size_t>(max_layers) ? max_layers + 1 : model.layer_count();
    if (total < 1 || total > max_layers)
        reader.problem("layers", total < 1 ? "no layers" : "too many layers",
                       fmt::format("expected 1 to {} layers", max_layers));
}

} // namespace

void read_fields(FieldReader &reader, Model &model) {
    read_schema(reader, "meshwright.model/1");
    FieldsOf<Model> fields(reader, model);
    describe_before(fields, static_cast<Model *>(nullptr));
    read_blocks(reader, model);
    read_layers(reader, model);
    describe_after(fields, static_cast<Model *>(nullptr));
    reader.object("published", [&](FieldReader &inner) { model.published = read_part<PublishedSize>(inner); });
    read_sources(reader, model.sources);
    if (model.mtp_layers > 0 && model.mtp_block >= static_cast<std::int64_t>(model.blocks.size()))
        reader.problem("mtp_block", fmt::format("{} is not the index of a block", model.mtp_block),
                       fmt::format("expected an index below {}", model.blocks.size()));
}

} // namespace meshwright
