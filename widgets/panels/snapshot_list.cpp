// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/snapshot_list.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "theme/control_states.h"
#include "theme/icon.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace meshwright {

SnapshotList::SnapshotList(QWidget *parent)
    : QWidget(parent)
    , m_rows(new QWidget(this))
    , m_column(new QVBoxLayout(m_rows)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(2);
    auto *save = new QPushButton(tr("Save Snapshot …"), this);
    save->setObjectName(QStringLiteral("saveSnapshot"));
    save->setToolTip(tr("Saves the current state of the plan under a name, in the plan file"));
    setButtonRole(save, ButtonRole::Flat);
    connect(save, &QPushButton::clicked, this, &SnapshotList::saveWanted);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_rows);
    column->addWidget(save, 0, Qt::AlignLeft);
    m_rows->hide();
}

void SnapshotList::showSnapshots(const QVector<Entry> &entries) {
    if (entries == m_entries)
        return;
    m_entries = entries;
    for (QWidget *row : m_rows->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
        row->hide();
        row->deleteLater(); // this code may be running in a slot of one of the row's buttons
    }
    for (int index = int(entries.size()) - 1; index >= 0; --index)
        m_column->addWidget(newRow(index));
    m_rows->setVisible(!entries.isEmpty());
}

QWidget *SnapshotList::newRow(int index) {
    const Entry &entry = m_entries.at(index);
    auto *row = new QWidget(m_rows);
    row->setObjectName(QStringLiteral("snapshot%1").arg(index));
    auto *name = new TextLabel(entry.name, TypeRole::Body, ColourRole::Text, TextWeight::Regular, row);
    name->setTextFormat(Qt::PlainText);
    name->setElided(true);
    name->setToolTip(tr("%1\nSaved %2").arg(entry.name, entry.time));
    showsNoFigures(name, NotFigures::name);
    auto *restore = new QPushButton(tr("Restore"), row);
    restore->setAccessibleName(tr("Restore %1").arg(entry.name));
    setButtonRole(restore, ButtonRole::Flat);
    connect(restore, &QPushButton::clicked, this, [this, index] { Q_EMIT restoreWanted(index); });
    auto *remove = new QToolButton(row);
    remove->setIcon(icons::icon(QStringLiteral("trash")));
    remove->setToolTip(tr("Remove"));
    remove->setAccessibleName(tr("Remove %1").arg(entry.name));
    remove->setFocusPolicy(Qt::TabFocus);
    setButtonRole(remove, ButtonRole::Flat);
    connect(remove, &QToolButton::clicked, this, [this, index] { Q_EMIT removeWanted(index); });
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    line->addWidget(name, 1);
    line->addWidget(restore);
    line->addWidget(remove);
    return row;
}

} // namespace meshwright
