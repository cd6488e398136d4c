// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/import_account.h"

#include "figures/figure_text.h"
#include "input/diagnostic.h"
#include "input/json_document.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace meshwright {

namespace {

constexpr qsizetype longestCell = 400;

QString shown(const std::string &text) {
    const QString whole = QString::fromStdString(text);
    return whole.size() > longestCell ? whole.left(longestCell - 1) + QStringLiteral("…") : whole;
}

/// The option's value, and the values of its other occurrences in brackets, as many as fit a cell.
QString valueOf(const std::string &value, const std::vector<std::string> &otherValues) {
    if (otherValues.empty())
        return shown(value);
    QString others;
    for (const std::string &other : otherValues) {
        others += (others.isEmpty() ? QString() : QStringLiteral(", ")) + shown(other);
        if (others.size() > longestCell)
            break;
    }
    return ImportAccount::tr("%1 (also stated: %2)").arg(shown(value), shown(others.toStdString()));
}

QString fieldName(const std::string &pointer) {
    QString name = shown(pointer);
    if (name.startsWith(QLatin1Char('/')))
        name.remove(0, 1);
    return name.replace(QLatin1Char('/'), QLatin1Char('.'));
}

} // namespace

QString writtenValue(const nlohmann::ordered_json &value) {
    return shown(value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : value.dump());
}

nlohmann::ordered_json readValue(const QString &text) {
    const std::string written = text.trimmed().toStdString();
    if (written.empty())
        return nullptr;
    try {
        return parse_json(written);
    } catch (const InputError &) {
        return written;
    }
}

ImportAccount::ImportAccount(const ImportQuestion &question, QObject *parent)
    : QAbstractTableModel(parent)
    , m_imported(question.imported)
    , m_compared(question.compared) { }

void ImportAccount::setPage(Page page) {
    beginResetModel();
    m_page = page;
    endResetModel();
}

int ImportAccount::countOf(Page page) const {
    switch (page) {
    case Page::Understood:
        return static_cast<int>(m_imported.understood.size());
    case Page::Assumed:
        return static_cast<int>(m_imported.assumed.size());
    case Page::Ignored:
        return static_cast<int>(m_imported.ignored.size());
    case Page::Faults:
        return static_cast<int>(m_imported.faults.size());
    case Page::Compared:
        break;
    }
    return m_compared ? static_cast<int>(m_compared->figures.size() + m_compared->differing.size()) : 0;
}

int ImportAccount::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : countOf(m_page);
}

int ImportAccount::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : m_page == Page::Faults ? 2 : m_page == Page::Compared ? 4 : 3;
}

QString ImportAccount::text(int row, int column) const {
    const auto at = static_cast<std::size_t>(row);
    switch (m_page) {
    case Page::Understood: {
        const UnderstoodOption &option = m_imported.understood[at];
        return column == 0 ? shown(option.option)
            : column == 1  ? valueOf(option.value, option.other_values)
                           : fieldName(option.field);
    }
    case Page::Assumed: {
        const AssumedField &field = m_imported.assumed[at];
        return column == 0 ? fieldName(field.field) : column == 1 ? writtenValue(field.value) : shown(field.why);
    }
    case Page::Ignored: {
        const IgnoredOption &option = m_imported.ignored[at];
        return column == 0 ? shown(option.option)
            : column == 1  ? valueOf(option.value, option.other_values)
                           : shown(option.why);
    }
    case Page::Faults: {
        const LaunchFault &fault = m_imported.faults[at];
        return column == 0 ? shown(fault.option) : shown(fault.why);
    }
    case Page::Compared:
        break;
    }
    return comparedText(at, column);
}

/// Text of a cell. The first rows are figures, and the others are settings that differ between run and plan.
QString ImportAccount::comparedText(std::size_t row, int column) const {
    if (row < m_compared->figures.size()) {
        const ComparedMeasurement &figure = m_compared->figures[row];
        const double share = figure.difference();
        return column == 0 ? shown(figure.title)
            : column == 1  ? figureText(figure.measured, figure.quantity)
            : column == 2  ? figureText(figure.predicted, figure.quantity)
                           : (share > 0 ? QStringLiteral("+") : QString()) + shareText(share);
    }
    const DifferingSetting &setting = m_compared->differing[row - m_compared->figures.size()];
    return column == 0 ? shown(setting.column)
        : column == 1  ? writtenValue(setting.measured)
        : column == 2  ? writtenValue(setting.planned)
                       : tr("different");
}

QVariant ImportAccount::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role == Qt::DisplayRole || role == Qt::EditRole || role == Qt::ToolTipRole)
        return text(index.row(), index.column());
    return {};
}

/// Whether the field is a single value in the document. Lists and objects are edited after the plan is open. A field of
/// a preset that the document refers to by id cannot be set here.
bool ImportAccount::isSimple(const AssumedField &field) const {
    const nlohmann::ordered_json::json_pointer at(field.field);
    if (m_imported.document.contains(at))
        return m_imported.document.at(at).is_primitive();
    const auto parent = at.parent_pointer();
    return !at.empty() && !field.value.is_structured()
        && (parent.empty() ? m_imported.document.is_object()
                           : m_imported.document.contains(parent) && m_imported.document.at(parent).is_object());
}

Qt::ItemFlags ImportAccount::flags(const QModelIndex &index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (m_page != Page::Assumed || index.column() != 1)
        return flags;
    return isSimple(m_imported.assumed[static_cast<std::size_t>(index.row())]) ? flags | Qt::ItemIsEditable : flags;
}

bool ImportAccount::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    AssumedField &field = m_imported.assumed[static_cast<std::size_t>(index.row())];
    const nlohmann::ordered_json written = readValue(value.toString());
    if (written == field.value)
        return true;
    if (!m_take || !m_take(field.field, written))
        return false;
    field.value = written;
    field.why = tr("set here").toStdString();
    Q_EMIT dataChanged(index.siblingAtColumn(0), index.siblingAtColumn(2));
    return true;
}

QVariant ImportAccount::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return orientation == Qt::Horizontal && role == Qt::TextAlignmentRole
            ? QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter)
            : QVariant();
    if (m_page == Page::Compared)
        return section == 0 ? tr("Figure")
            : section == 1  ? tr("Measured")
            : section == 2  ? tr("This plan")
                            : tr("Difference");
    const bool assumed = m_page == Page::Assumed;
    if (section == 0)
        return assumed ? tr("Plan field") : tr("Option");
    if (section == 1)
        return m_page == Page::Faults ? tr("Why the run cannot start") : tr("Value");
    return m_page == Page::Understood ? tr("Plan field") : tr("Why");
}

} // namespace meshwright
