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

/// One editable value of a model, identified by its JSON pointer.
struct ModelField {
    QString pointer; ///< JSON pointer within the model: "/blocks/0/mixer/heads"
    QString label;
    FieldType type = FieldType::Count;
    QVariant value;
    double low = 0;
    double high = 0;
    QStringList words; ///< allowed values of a Word
};

struct ModelFieldGroup {
    QString title;
    std::vector<ModelField> fields;
};

/// All fields of a model with their current values: the model's own fields, the layers, each block, the remaining
/// fields and the published size. Built from the same field lists that read and write a model, so that none is missing.
std::vector<ModelFieldGroup> modelFields(const Model &model);

/// The model's JSON with one field changed. A new kind of mixer or transform comes with its smallest complete set of
/// fields.
nlohmann::ordered_json withModelField(const Model &model, const ModelField &field, const QVariant &value);

} // namespace meshwright
