// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/model_fields.h"

#include "catalog/model_fields.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>

#include <variant>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("ModelFields", text);
}

QStringList listOf(const std::vector<std::string> &words) {
    QStringList list;
    for (const std::string &word : words)
        list.append(QString::fromStdString(word));
    return list;
}

/// Label of a JSON key: "kv_heads" becomes "Kv heads".
QString labelOf(const char *key) {
    QString label = QLatin1String(key);
    label.replace(QLatin1Char('_'), QLatin1Char(' '));
    label[0] = label[0].toUpper();
    return label;
}

/// Collects fields: takes the place of the core's field readers and writers, and records the fields that they would
/// read or write.
template <typename T>
class FieldCollector {
public:
    FieldCollector(const QString &pointer, const T &value, std::vector<ModelField> &fields)
        : m_pointer(pointer)
        , m_value(value)
        , m_fields(fields) { }

    void count(const char *key, std::int64_t T::*member, CountLimits limits) {
        ModelField &field = add(key, FieldType::Count, static_cast<qlonglong>(m_value.*member));
        field.low = static_cast<double>(limits.low);
        field.high = static_cast<double>(limits.high);
    }
    void flag(const char *key, bool T::*member) { add(key, FieldType::Flag, m_value.*member); }
    void text(const char *key, std::string T::*member) {
        add(key, FieldType::Text, QString::fromStdString(m_value.*member));
    }
    void number(const char *key, double T::*member, double low, double high) {
        ModelField &field = add(key, FieldType::Number, m_value.*member);
        field.low = low;
        field.high = high;
    }
    template <typename Enum>
    void word(const char *key, Enum T::*member, const std::vector<std::string> &words) {
        ModelField &field =
            add(key, FieldType::Word, QString::fromStdString(words[static_cast<std::size_t>(m_value.*member)]));
        field.words = listOf(words);
    }

private:
    ModelField &add(const char *key, FieldType type, const QVariant &value) {
        m_fields.push_back({.pointer = m_pointer + QLatin1Char('/') + QLatin1String(key),
                            .label = labelOf(key),
                            .type = type,
                            .value = value,
                            .low = 0,
                            .high = 0,
                            .words = {}});
        return m_fields.back();
    }

    QString m_pointer;
    const T &m_value;
    std::vector<ModelField> &m_fields;
};

const QStringList &mixerKinds() {
    static const QStringList kinds{QStringLiteral("none"), QStringLiteral("attention"),
                                   QStringLiteral("latent-attention"), QStringLiteral("recurrent")};
    return kinds;
}

const QStringList &transformKinds() {
    static const QStringList kinds{QStringLiteral("none"), QStringLiteral("feed-forward"), QStringLiteral("experts")};
    return kinds;
}

template <typename Variant>
void addPart(const QString &pointer, const QString &label, const Variant &part, const QStringList &kinds,
             std::vector<ModelField> &fields) {
    fields.push_back({.pointer = pointer,
                      .label = label,
                      .type = FieldType::Word,
                      .value = kinds.at(static_cast<qsizetype>(part.index())),
                      .low = 0,
                      .high = 0,
                      .words = kinds});
    std::visit(
        [&](const auto &value) {
            using Value = std::decay_t<decltype(value)>;
            FieldCollector<Value> collector(pointer, value, fields);
            describe(collector, static_cast<Value *>(nullptr));
        },
        part);
}

ModelFieldGroup blockGroup(const Model &model, std::size_t index) {
    const Block &block = model.blocks[index];
    const QString pointer = QStringLiteral("/blocks/%1").arg(index);
    ModelFieldGroup group{.title = tr("Block %1: %2").arg(index).arg(QString::fromStdString(block.name)), .fields = {}};
    FieldCollector<Block> collector(pointer, block, group.fields);
    collector.text("name", &Block::name);
    addPart(pointer + QStringLiteral("/mixer"), tr("Mixer"), block.mixer, mixerKinds(), group.fields);
    addPart(pointer + QStringLiteral("/transform"), tr("Transform"), block.transform, transformKinds(), group.fields);
    collector.count("norms", &Block::norms, {0, 100});
    collector.flag("parallel", &Block::parallel);
    collector.count("other_parameters", &Block::other_parameters, exact_rest);
    return group;
}

ModelFieldGroup layerGroup(const Model &model) {
    ModelFieldGroup group{.title = tr("Layers"), .fields = {}};
    const bool single = model.blocks.size() == 1 && model.layers.size() == 1;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const auto block = static_cast<std::size_t>(model.layers[i].block);
        const QString name = block < model.blocks.size() ? QString::fromStdString(model.blocks[block].name) : QString();
        group.fields.push_back(
            {.pointer = single ? QStringLiteral("/layers") : QStringLiteral("/layers/%1/count").arg(i),
             .label = single ? tr("Layers") : tr("Group %1: %2 layers").arg(i + 1).arg(name),
             .type = FieldType::Count,
             .value = static_cast<qlonglong>(model.layers[i].count),
             .low = 1,
             .high = static_cast<double>(max_layers),
             .words = {}});
    }
    return group;
}

ordered_json partOfKind(const QString &pointer, const QString &kind) {
    Model sample;
    sample.blocks.resize(1);
    sample.layers = {LayerRun{}};
    Block &block = sample.blocks.front();
    if (pointer.endsWith(QStringLiteral("/mixer"))) {
        const std::vector<Mixer> mixers{Nothing{}, Attention{}, LatentAttention{}, RecurrentMixer{}};
        block.mixer = mixers[static_cast<std::size_t>(mixerKinds().indexOf(kind))];
        return to_json(sample)["blocks"][0]["mixer"];
    }
    const std::vector<Transform> transforms{Nothing{}, FeedForward{}, Experts{}};
    block.transform = transforms[static_cast<std::size_t>(transformKinds().indexOf(kind))];
    return to_json(sample)["blocks"][0]["transform"];
}

} // namespace

std::vector<ModelFieldGroup> modelFields(const Model &model) {
    std::vector<ModelFieldGroup> groups;
    groups.push_back({.title = tr("Model"), .fields = {}});
    FieldCollector<Model> before({}, model, groups.back().fields);
    describe_before(before, static_cast<Model *>(nullptr));
    groups.push_back(layerGroup(model));
    for (std::size_t i = 0; i < model.blocks.size(); ++i)
        groups.push_back(blockGroup(model, i));
    groups.push_back({.title = tr("Other"), .fields = {}});
    FieldCollector<Model> after({}, model, groups.back().fields);
    describe_after(after, static_cast<Model *>(nullptr));
    groups.push_back({.title = tr("Published size"), .fields = {}});
    FieldCollector<PublishedSize> published(QStringLiteral("/published"), model.published, groups.back().fields);
    describe(published, static_cast<PublishedSize *>(nullptr));
    return groups;
}

ordered_json withModelField(const Model &model, const ModelField &field, const QVariant &value) {
    ordered_json json = to_json(model);
    const bool isPart =
        field.pointer.endsWith(QStringLiteral("/mixer")) || field.pointer.endsWith(QStringLiteral("/transform"));
    ordered_json &place = json[ordered_json::json_pointer(field.pointer.toStdString())];
    switch (field.type) {
    case FieldType::Count:
        place = static_cast<std::int64_t>(value.toLongLong());
        break;
    case FieldType::Flag:
        place = value.toBool();
        break;
    case FieldType::Number:
        place = value.toDouble();
        break;
    case FieldType::Text:
        place = value.toString().toStdString();
        break;
    case FieldType::Word:
        place = isPart ? partOfKind(field.pointer, value.toString()) : ordered_json(value.toString().toStdString());
        break;
    }
    return json;
}

} // namespace meshwright
