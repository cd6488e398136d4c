// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "glossary/glossary.h"

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace meshwright {

/// The glossary's terms that match the typed text: matches in names first, then matches in definitions.
class GlossaryModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { IdRole = Qt::UserRole };

    /// @param glossary  must outlive the model
    explicit GlossaryModel(const Glossary &glossary, QObject *parent = nullptr);

    void setTyped(const QString &typed);
    const GlossaryTerm &termAt(int row) const { return *m_rows.at(static_cast<std::size_t>(row)); }
    int rowOf(const QString &id) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    const Glossary &m_glossary;
    std::vector<const GlossaryTerm *> m_rows;
};

} // namespace meshwright
