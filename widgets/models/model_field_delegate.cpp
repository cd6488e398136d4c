// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/model_field_delegate.h"

#include "controls/text_undo.h"
#include "models/model_fields_model.h"
#include "quantities/text.h"

#include <QComboBox>
#include <QLineEdit>

namespace meshwright {

namespace {

constexpr int rowHeight = 24;

ModelField fieldAt(const QModelIndex &index) {
    return index.data(ModelFieldsModel::FieldRole).value<ModelField>();
}

} // namespace

QWidget *ModelFieldDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &,
                                          const QModelIndex &index) const {
    const ModelField field = fieldAt(index);
    if (field.type == FieldType::Word) {
        auto *box = new QComboBox(parent);
        box->addItems(field.words);
        box->setAccessibleName(field.label);
        return box;
    }
    auto *line = new QLineEdit(parent);
    line->setAccessibleName(field.label);
    leaveUndoToPlan(line, line);
    return line;
}

void ModelFieldDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const {
    const ModelField field = fieldAt(index);
    if (auto *box = qobject_cast<QComboBox *>(editor))
        box->setCurrentText(field.value.toString());
    else if (auto *line = qobject_cast<QLineEdit *>(editor))
        line->setText(field.value.toString());
}

void ModelFieldDelegate::setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const {
    const ModelField field = fieldAt(index);
    if (auto *box = qobject_cast<QComboBox *>(editor)) {
        model->setData(index, box->currentText(), Qt::EditRole);
        return;
    }
    auto *line = qobject_cast<QLineEdit *>(editor);
    if (line == nullptr)
        return;
    if (field.type == FieldType::Text) {
        model->setData(index, line->text(), Qt::EditRole);
        return;
    }
    const Quantity quantity = field.type == FieldType::Count ? Quantity::count : Quantity::number;
    const auto value = quantity_from(line->text().toStdString(), quantity);
    if (!value || *value < field.low || *value > field.high)
        return;
    model->setData(index, field.type == FieldType::Count ? QVariant(static_cast<qlonglong>(*value)) : QVariant(*value),
                   Qt::EditRole);
}

QSize ModelFieldDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const {
    return {QStyledItemDelegate::sizeHint(option, index).width(), rowHeight};
}

} // namespace meshwright
