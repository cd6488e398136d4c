// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

class QVBoxLayout;

namespace meshwright {

/// Snapshots of the plan, newest first. Each can be restored or removed, and the current plan can be saved.
class SnapshotList : public QWidget {
    Q_OBJECT

public:
    struct Entry {
        QString name;
        QString time;
        bool operator==(const Entry &) const = default;
    };

    explicit SnapshotList(QWidget *parent = nullptr);

    /// @param entries  oldest first
    void showSnapshots(const QVector<Entry> &entries);

Q_SIGNALS:
    void saveWanted();
    /// @param index  index of the entry in showSnapshots()
    void restoreWanted(int index);
    void removeWanted(int index);

private:
    QWidget *newRow(int index);

    QVector<Entry> m_entries;
    QWidget *m_rows;
    QVBoxLayout *m_column;
};

} // namespace meshwright
