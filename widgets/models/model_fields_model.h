// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/model_fields.h"

#include <QAbstractItemModel>

#include <optional>

namespace meshwright {

/// A model's fields as a two-level tree of groups and fields, with the name in the first column and the editable value
/// in the second. An edit does not change this model: it emits edited(), and the changed plan arrives through
/// setModel().
class ModelFieldsModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { NameColumn, ValueColumn, ColumnCount };
    enum Role { FieldRole = Qt::UserRole }; ///< the ModelField, for the delegate

    using QAbstractItemModel::QAbstractItemModel;

    /// The fields of `model`. If an edit changes which fields there are, such as the kind of a mixer, the view is reset
    /// from the event loop, because Qt's views do not expect that a commit resets the model.
    void setModel(const Model &model);

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

    /// Null for a group.
    const ModelField *field(const QModelIndex &index) const;

Q_SIGNALS:
    void edited(const meshwright::ModelField &field, const QVariant &value);

private:
    std::vector<ModelFieldGroup> m_groups;
    bool m_editing = false; ///< whether edited() is being emitted
    std::optional<Model> m_later; ///< model with other fields, which the view gets after it has closed the editor
};

} // namespace meshwright

Q_DECLARE_METATYPE(meshwright::ModelField)
