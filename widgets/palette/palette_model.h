// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <QVector>

#include <functional>

class QWidget;

namespace meshwright {

/// Something that the palette finds.
struct PaletteItem {
    QString group; ///< "Formulas"; groups stand in the order in which they first come
    QString title;
    QString detail = {}; ///< quiet, at the right
    QString words = {}; ///< found by, though not shown: names of symbols, ids
    QString icon = {};
    std::function<void()> run = {};
    /// What is shown beside the list while the item is chosen; may be empty.
    std::function<QWidget *(QWidget *parent)> preview = {};
};

/// The items that fit what was typed, the best of each group first; groups by their best item.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { GroupRole = Qt::UserRole, DetailRole, IconRole, PositionsRole, StartsGroupRole };

    /// So many of one group are shown.
    static constexpr int MostOfGroup = 8;

    using QAbstractListModel::QAbstractListModel;

    void setItems(const QVector<PaletteItem> &items);
    void setTyped(const QString &typed);
    const PaletteItem &itemAt(int row) const { return m_items.at(m_rows.at(row).item); }
    /// How many items fit, those that are not shown included.
    int matchCount() const { return m_matches; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    struct Row {
        int item = 0;
        int score = 0;
        QVector<int> positions = {}; ///< in the title
    };
    void find();

    QVector<PaletteItem> m_items;
    QString m_typed;
    QVector<Row> m_rows;
    int m_matches = 0;
};

} // namespace meshwright
