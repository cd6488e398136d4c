// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

class QVBoxLayout;

namespace meshwright {

/// Named states of the plan under its history, newest first: each can be restored or removed, and a new one saved.
class SnapshotList : public QWidget {
    Q_OBJECT

public:
    struct Entry {
        QString name;
        QString time; ///< when it was saved, as shown when pointed at
        bool operator==(const Entry &) const = default;
    };

    explicit SnapshotList(QWidget *parent = nullptr);

    /// In the order in which they were saved.
    void showSnapshots(const QVector<Entry> &entries);

Q_SIGNALS:
    void saveWanted();
    /// By its index in what was shown.
    void restoreWanted(int index);
    void removeWanted(int index);

private:
    QWidget *newRow(int index);

    QVector<Entry> m_entries;
    QWidget *m_rows;
    QVBoxLayout *m_column;
};

} // namespace meshwright
