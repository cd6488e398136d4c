// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "published/published_model.h"

#include <QDialog>

class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace meshwright {

class Library;
class TextLabel;

/// Table of all plan presets, with the authors' figures next to the predictions. Any column can be sorted.
/// Plans are evaluated in the background when the dialog opens. Enter or a double-click opens a plan.
class PublishedDialog : public QDialog {
    Q_OBJECT

public:
    explicit PublishedDialog(const Library &library, QWidget *parent = nullptr);
    QTableView *table() const { return m_table; }
    bool isReady() const { return !m_model->rows().empty(); }

Q_SIGNALS:
    void ready();
    void chosen(const QString &id);

private:
    struct Question {
        const Library *library;
    };
    void receive(const std::vector<PresetRow> &rows);
    void choose(const QModelIndex &index);

    PublishedModel *m_model;
    QSortFilterProxyModel *m_sorted;
    QTableView *m_table;
    TextLabel *m_state;
    /// Declared last, so that its thread stops before the other members are destroyed.
    LatestWorker<Question, std::vector<PresetRow>> m_worker;
};

} // namespace meshwright
