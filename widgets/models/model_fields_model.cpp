// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/model_fields_model.h"

#include "quantities/text.h"

#include <QScopedValueRollback>

#include <utility>

namespace meshwright {

namespace {

/// internalId of a group's index. The internalId of a field's index is the number of the field's group, counted from 1.
constexpr quintptr groupLevel = 0;

bool sameShape(const std::vector<ModelFieldGroup> &first, const std::vector<ModelFieldGroup> &second) {
    if (first.size() != second.size())
        return false;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i].title != second[i].title || first[i].fields.size() != second[i].fields.size())
            return false;
        for (std::size_t j = 0; j < first[i].fields.size(); ++j) {
            if (first[i].fields[j].pointer != second[i].fields[j].pointer)
                return false;
        }
    }
    return true;
}

QString display(const ModelField &field) {
    switch (field.type) {
    case FieldType::Count:
        return QString::fromStdString(grouped(field.value.toDouble()));
    case FieldType::Flag:
        return field.value.toBool() ? ModelFieldsModel::tr("yes") : ModelFieldsModel::tr("no");
    case FieldType::Number:
        return QString::number(field.value.toDouble(), 'g', 12);
    case FieldType::Word:
    case FieldType::Text:
        break;
    }
    return field.value.toString();
}

} // namespace

void ModelFieldsModel::setModel(const Model &model) {
    std::vector<ModelFieldGroup> groups = modelFields(model);
    const bool reset = !sameShape(groups, m_groups);
    if (reset && m_editing) {
        m_later = model;
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (const std::optional<Model> later = std::exchange(m_later, std::nullopt))
                    setModel(*later);
            },
            Qt::QueuedConnection);
        return;
    }
    m_later.reset();
    if (reset) {
        beginResetModel();
        m_groups = std::move(groups);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        for (std::size_t j = 0; j < groups[i].fields.size(); ++j) {
            if (groups[i].fields[j].value == m_groups[i].fields[j].value)
                continue;
            m_groups[i].fields[j] = groups[i].fields[j];
            const QModelIndex changed = index(static_cast<int>(j), ValueColumn, index(static_cast<int>(i), 0));
            Q_EMIT dataChanged(changed, changed);
        }
    }
}

QModelIndex ModelFieldsModel::index(int row, int column, const QModelIndex &parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : groupLevel);
}

QModelIndex ModelFieldsModel::parent(const QModelIndex &child) const {
    if (!child.isValid() || child.internalId() == groupLevel)
        return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, groupLevel);
}

int ModelFieldsModel::rowCount(const QModelIndex &parent) const {
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    if (parent.internalId() != groupLevel || parent.column() != 0)
        return 0;
    return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].fields.size());
}

int ModelFieldsModel::columnCount(const QModelIndex &) const {
    return ColumnCount;
}

const ModelField *ModelFieldsModel::field(const QModelIndex &index) const {
    if (!index.isValid() || index.internalId() == groupLevel)
        return nullptr;
    return &m_groups[index.internalId() - 1].fields[static_cast<std::size_t>(index.row())];
}

QVariant ModelFieldsModel::data(const QModelIndex &index, int role) const {
    const ModelField *found = field(index);
    if (found == nullptr) {
        const bool title = role == Qt::DisplayRole && index.isValid() && index.column() == NameColumn;
        return title ? QVariant(m_groups[static_cast<std::size_t>(index.row())].title) : QVariant();
    }
    if (role == FieldRole)
        return QVariant::fromValue(*found);
    if (role == Qt::ToolTipRole)
        return found->pointer;
    if (index.column() == NameColumn)
        return role == Qt::DisplayRole ? QVariant(found->label) : QVariant();
    if (role == Qt::EditRole)
        return found->value;
    if (found->type == FieldType::Flag && role == Qt::CheckStateRole)
        return found->value.toBool() ? Qt::Checked : Qt::Unchecked;
    return role == Qt::DisplayRole ? QVariant(display(*found)) : QVariant();
}

bool ModelFieldsModel::setData(const QModelIndex &index, const QVariant &value, int role) {
    const ModelField *found = field(index);
    if (found == nullptr || index.column() != ValueColumn)
        return false;
    QVariant wanted = value;
    if (role == Qt::CheckStateRole)
        wanted = value.toInt() == Qt::Checked;
    else if (role != Qt::EditRole)
        return false;
    if (wanted == found->value)
        return false;
    const ModelField copy = *found; // because the edit calls setModel(), which assigns to the field
    const QScopedValueRollback<bool> editing(m_editing, true);
    Q_EMIT edited(copy, wanted);
    return true;
}

QVariant ModelFieldsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Field") : tr("Value");
}

Qt::ItemFlags ModelFieldsModel::flags(const QModelIndex &index) const {
    const ModelField *found = field(index);
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (found == nullptr || index.column() != ValueColumn)
        return flags;
    return flags | (found->type == FieldType::Flag ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable);
}

} // namespace meshwright
