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

/// Kind of an item, ordered by increasing relevance to the plan. Among equally good matches, more relevant kinds come
/// first.
enum class PaletteKind { definition, knowledge, place, command, preset, figure, field };

struct PaletteItem {
    QString group; ///< "Formulas"
    QString title;
    QString value = {}; ///< value in the current plan: "8", "43.1%"
    QString detail = {}; ///< shown muted on the right
    QString words = {}; ///< further search terms, not shown, one per line: symbol names, ids
    QStringList names = {}; ///< synonyms, matched like the title: "nodes", "free memory"
    PaletteKind kind = PaletteKind::knowledge;
    QString icon = {};
    std::function<void()> run = {};
    /// Makes the preview that is shown next to the list while the item is selected; may be empty.
    std::function<QWidget *(QWidget *parent)> preview = {};
};

/// The items that match the typed text. The best matches are complete names, then names that begin with the text, names
/// with a word that begins with it, symbols, names that contain its letters in order, and search terms that contain it.
/// Each group shows its best matches; groups are ordered by their best match.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { GroupRole = Qt::UserRole, DetailRole, ValueRole, IconRole, PositionsRole, StartsGroupRole };

    static constexpr int MaxOfGroup = 8;

    using QAbstractListModel::QAbstractListModel;

    void setItems(const QVector<PaletteItem> &items);
    void setTyped(const QString &typed);
    const PaletteItem &itemAt(int row) const { return m_items.at(m_rows.at(row).item); }
    /// Number of items that match, including those not shown.
    int matchCount() const { return m_matches; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    struct Row {
        int item = 0;
        int score = 0;
        QVector<int> positions = {}; ///< positions of the matched letters in the title
    };
    void find();
    std::optional<Row> matched(int item) const;

    QVector<PaletteItem> m_items;
    QString m_typed;
    QVector<Row> m_rows;
    int m_matches = 0;
};

} // namespace meshwright
