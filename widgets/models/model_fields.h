// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"

#include <QString>
#include <QStringList>
#include <QVariant>

#include <cstdint>
#include <vector>

namespace meshwright {

enum class FieldType { Count, Flag, Word, Text, Number };

/// One editable value of a model, at its place in the model's JSON.
struct ModelField {
    QString pointer; ///< within the model: "/blocks/0/mixer/heads"
    QString label;
    FieldType type = FieldType::Count;
    QVariant value;
    double low = 0; ///< of counts and numbers
    double high = 0;
    QStringList words; ///< of words
};

struct ModelFieldGroup {
    QString title;
    std::vector<ModelField> fields;
};

/// Every field that a model can have, with its present value: first the model's own, then block by block, the order of
/// the layers, and what stands behind them. From the same lists that read and write a model, so that none is missing.
std::vector<ModelFieldGroup> modelFields(const Model &model);

/// A model's JSON with one field set. Another kind of mixer or transform brings its smallest complete set of fields.
nlohmann::ordered_json withModelField(const Model &model, const ModelField &field, const QVariant &value);

} // namespace meshwright
