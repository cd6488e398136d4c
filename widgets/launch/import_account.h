// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/import_question.h"

#include <QAbstractTableModel>

#include <functional>

namespace meshwright {

/// How the options of an imported file were used: one page each for understood, assumed and ignored options, for errors
/// that prevent the run, and for a comparison of a measured run's figures with the plan's. Assumed values can be
/// edited.
class ImportAccount : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Page { Understood, Assumed, Ignored, Faults, Compared };

    /// Sets a field of the document to an edited value; returns false if the value is not valid for the field.
    using Take = std::function<bool(const std::string &field, const nlohmann::ordered_json &value)>;

    explicit ImportAccount(const ImportQuestion &question, QObject *parent = nullptr);

    void setTake(Take take) { m_take = std::move(take); }
    void setPage(Page page);
    Page page() const { return m_page; }
    int countOf(Page page) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(int row, int column) const;
    bool isSimple(const AssumedField &field) const;
    QString comparedText(std::size_t row, int column) const;

    Imported m_imported;
    std::optional<RunComparison> m_compared;
    Page m_page = Page::Understood;
    Take m_take;
};

/// A value of a document as a user would type it, with strings unquoted.
QString writtenValue(const nlohmann::ordered_json &value);
/// The value that a user has typed: parsed as JSON if possible, otherwise a string.
nlohmann::ordered_json readValue(const QString &text);

} // namespace meshwright
