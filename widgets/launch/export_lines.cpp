// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/export_lines.h"

#include "theme/theme.h"

#include <QFontDatabase>

#include <algorithm>

namespace meshwright {

namespace {

QString fromText(const ExportLine &line) {
    QString field = QString::fromStdString(line.field);
    if (field.startsWith(QLatin1Char('/')))
        field.remove(0, 1);
    field.replace(QLatin1Char('/'), QLatin1Char('.'));
    return field.isEmpty() ? QString::fromStdString(line.why) : field;
}

} // namespace

ExportLines::ExportLines(const ExportQuestion &question, QObject *parent)
    : QAbstractTableModel(parent)
    , m_question(question) { }

void ExportLines::setFile(int file) {
    beginResetModel();
    m_file = file;
    endResetModel();
}

const ExportFile *ExportLines::shown() const {
    const auto &files = m_question.exported.files;
    return m_file >= 0 && m_file < static_cast<int>(files.size()) ? &files[static_cast<std::size_t>(m_file)] : nullptr;
}

int ExportLines::longestLine() const {
    std::size_t longest = 0;
    if (shown() != nullptr)
        for (const ExportLine &line : shown()->lines)
            longest = std::max(longest, line.text.size());
    return static_cast<int>(longest);
}

int ExportLines::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || shown() == nullptr ? 0 : static_cast<int>(shown()->lines.size());
}

int ExportLines::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString ExportLines::explanation(const ExportLine &line) const {
    QStringList parts;
    if (!line.field.empty()) {
        const QString value = m_question.valueOf ? m_question.valueOf(line.field) : QString();
        parts << (value.isEmpty() ? tr("From the plan's %1").arg(fromText(line))
                                  : tr("From the plan's %1 = %2").arg(fromText(line), value));
    }
    if (!line.why.empty())
        parts << QString::fromStdString(line.why);
    return parts.isEmpty() ? tr("The same for every plan") : parts.join(QLatin1Char('\n'));
}

QVariant ExportLines::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ExportLine &line = shown()->lines[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Number ? QVariant(index.row() + 1)
            : index.column() == Text    ? QVariant(QString::fromStdString(line.text))
                                        : QVariant(fromText(line));
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
        return explanation(line);
    case Qt::FontRole:
        if (index.column() == Text) {
            QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
            font.setPixelSize(Theme::current().font(TypeRole::Body).pixelSize());
            return font;
        }
        return Theme::current().font(TypeRole::Caption);
    case Qt::ForegroundRole:
        return Theme::current().colour(index.column() == Text   ? ColourRole::Text
                                           : line.field.empty() ? ColourRole::Text3
                                                                : ColourRole::Accent);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() == Number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case FieldRole:
        return QString::fromStdString(line.field);
    default:
        return {};
    }
}

QVariant ExportLines::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == Number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == Number ? QString() : section == Text ? tr("Line") : tr("Comes from");
}

} // namespace meshwright
