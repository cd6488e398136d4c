// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <QStringList>
#include <QVector>

#include <functional>
#include <optional>

class QWidget;

namespace meshwright {

/// What an item is to the plan: of equally good matches those nearer to it come first.
enum class PaletteKind { knowledge, place, command, preset, figure, field };

/// Something that the palette finds.
struct PaletteItem {
    QString group; ///< "Formulas"
    QString title;
    QString value = {}; ///< that it has in the present plan: "8", "43.1 %"
    QString detail = {}; ///< quiet, at the right
    QString words = {}; ///< found by, though not shown, one a line: names of symbols, ids
    QStringList names = {}; ///< other names of the thing itself: "nodes", "free memory"; as good as the title
    PaletteKind kind = PaletteKind::knowledge;
    QString icon = {};
    std::function<void()> run = {};
    /// What is shown beside the list while the item is chosen; may be empty.
    std::function<QWidget *(QWidget *parent)> preview = {};
};

/// The items that match what was typed: whole names first, then names that begin with it, words that do, symbols, and
/// strewn letters last. Each group shows its best, and groups stand by their best item.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { GroupRole = Qt::UserRole, DetailRole, ValueRole, IconRole, PositionsRole, StartsGroupRole };

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
    std::optional<Row> matched(int item) const;

    QVector<PaletteItem> m_items;
    QString m_typed;
    QVector<Row> m_rows;
    int m_matches = 0;
};

} // namespace meshwright
