// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/assumptions_model.h"

#include "catalog/constants.h"
#include "controls/figure_path.h"
#include "models/figures_table.h"
#include "panels/figure_text.h"
#include "theme/theme.h"

#include <QCoreApplication>
#include <QLocale>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr auto prefix = "/assumptions/";

const Constant &constantOf(int row) {
    return constants().at(static_cast<std::size_t>(row));
}

QString nameOf(const Constant &constant) {
    return QString::fromUtf8(constant.name.data(), static_cast<qsizetype>(constant.name.size()));
}

QString words(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString pointerOf(const Constant &constant) {
    return QLatin1String(prefix) + nameOf(constant);
}

/// The unit stands once where both ends have the same.
QString rangeText(const Constant &constant) {
    const QString low = constantText(constant, constant.low);
    const QString high = constantText(constant, constant.high);
    const QString lowUnit = low.section(QLatin1Char(' '), 1);
    const bool isSame = constant.low == 0 || lowUnit == high.section(QLatin1Char(' '), 1);
    return QStringLiteral("%1 … %2").arg(isSame ? low.section(QLatin1Char(' '), 0, 0) : low, high);
}

QString changeText(double change) {
    return change == 0 ? QStringLiteral("–") : (change > 0 ? QStringLiteral("+") : QString()) + shareText(change);
}

/// By row; those of plan fields are left out.
std::vector<std::optional<ShownInfluence>> ofConstants(const std::vector<Influence> &influences, const char *figure) {
    std::vector<std::optional<ShownInfluence>> rows(constants().size());
    for (ShownInfluence &shown : shownInfluences(influences, {.figure = figure}, QLatin1String(figure)))
        if (const int row = AssumptionsModel::rowOf(QString::fromStdString(shown.influence.variation.pointer));
            row >= 0)
            rows[static_cast<std::size_t>(row)] = std::move(shown);
    return rows;
}

double changeOf(const std::vector<std::optional<ShownInfluence>> &rows, std::size_t row) {
    return row < rows.size() && rows[row] ? rows[row]->influence.change : 0;
}

} // namespace

QString constantTitle(const Constant &constant) {
    static const QStringList capitals{QStringLiteral("ampere"), QStringLiteral("hopper"), QStringLiteral("blackwell")};
    QStringList parts = nameOf(constant).split(QLatin1Char('-'));
    for (QString &part : parts) {
        const bool isName = std::any_of(part.cbegin(), part.cend(), [](QChar c) { return c.isDigit(); });
        if (isName || part == QStringLiteral("tpu"))
            part = part.toUpper();
        else if (capitals.contains(part) || &part == &parts.front())
            part[0] = part.at(0).toUpper();
    }
    return parts.join(QLatin1Char(' '));
}

QString constantText(const Constant &constant, double value) {
    if (constant.unit == "s")
        return figureText(value, Quantity::seconds);
    QString number = QString::number(value, 'g', 4);
    number.replace(QStringLiteral("e+"), QStringLiteral("e"));
    return constant.unit == "1" ? number : number + QLatin1Char(' ') + words(constant.unit);
}

QString provenanceText(Provenance provenance) {
    switch (provenance) {
    case Provenance::physics:
        return QCoreApplication::translate("AssumptionsModel", "by definition");
    case Provenance::published:
        return QCoreApplication::translate("AssumptionsModel", "published");
    case Provenance::fitted:
        return QCoreApplication::translate("AssumptionsModel", "fitted");
    case Provenance::assumed:
        break;
    }
    return QCoreApplication::translate("AssumptionsModel", "assumed");
}

void AssumptionsModel::showPlan(const PlanView &view) {
    m_view = view;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void AssumptionsModel::setInfluences(const std::vector<Influence> &step, const std::vector<Influence> &memory) {
    m_step = ofConstants(step, "step.seconds");
    m_memory = ofConstants(memory, "memory.peak_bytes");
    m_widest = 0;
    for (std::size_t row = 0; row < m_step.size(); ++row)
        m_widest = std::max(m_widest, std::abs(changeOf(m_step, row)));
    Q_EMIT dataChanged(index(0, StepBar), index(rowCount() - 1, ColumnCount - 1));
}

int AssumptionsModel::rowOf(const QString &pointer) {
    if (!pointer.startsWith(QLatin1String(prefix)))
        return -1;
    const Constant *const found = find_constant(pointer.mid(qstrlen(prefix)).toStdString());
    return found == nullptr ? -1 : static_cast<int>(found - constants().data());
}

double AssumptionsModel::valueOf(int row) const {
    const auto own = m_view.plan.assumptions.find(std::string(constantOf(row).name));
    return own == m_view.plan.assumptions.end() ? constantOf(row).value : own->second;
}

bool AssumptionsModel::isOverridden(int row) const {
    return m_view.plan.own_assumptions().contains(std::string(constantOf(row).name));
}

bool AssumptionsModel::isMeasured(int row) const {
    return !isOverridden(row) && m_view.plan.assumptions.contains(std::string(constantOf(row).name));
}

int AssumptionsModel::overridden() const {
    return static_cast<int>(m_view.plan.own_assumptions().size());
}

int AssumptionsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(constants().size());
}

int AssumptionsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString AssumptionsModel::textOf(int row, int column) const {
    const Constant &constant = constantOf(row);
    const auto place = static_cast<std::size_t>(row);
    switch (column) {
    case Name:
        return constantTitle(constant);
    case Value:
        return constantText(constant, valueOf(row));
    case Range:
        return rangeText(constant);
    case Origin:
        return isOverridden(row) ? tr("this plan")
            : isMeasured(row)    ? tr("this machine")
                                 : provenanceText(constant.provenance);
    case Step:
        return m_step.empty() ? QString() : changeText(changeOf(m_step, place));
    case Memory:
        return m_memory.empty() ? QString() : changeText(changeOf(m_memory, place));
    default:
        return {};
    }
}

/// Path of a cell's making; empty where it says no number.
QString AssumptionsModel::figureOf(int row, int column) const {
    const auto place = static_cast<std::size_t>(row);
    if (column == Step || column == Memory) {
        const auto &rows = column == Step ? m_step : m_memory;
        return place < rows.size() && rows[place] ? rows[place]->path : QString();
    }
    const char *const part = column == Value ? "constant." : column == Range ? "range." : nullptr;
    return part == nullptr ? QString()
                           : figurepath::ofView(QLatin1String(part) + nameOf(constantOf(row)), views::evidence);
}

std::optional<Derivation> AssumptionsModel::makingOf(const QString &figure) const {
    return constantMaking(figure, Assumptions(m_view.plan.assumptions));
}

QVariant AssumptionsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const int row = index.row();
    const Constant &constant = constantOf(row);
    const auto place = static_cast<std::size_t>(row);
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column());
    case Qt::EditRole:
        return index.column() == Value ? QVariant(QString::number(valueOf(row), 'g', 12)) : QVariant();
    case Qt::TextAlignmentRole:
        return int((index.column() == Name || index.column() == Origin ? Qt::AlignLeft : Qt::AlignRight)
                   | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return QStringLiteral("%1\n%2").arg(words(constant.meaning), words(constant.source));
    case Qt::ForegroundRole:
        if (isOverridden(row) && (index.column() == Value || index.column() == Origin))
            return Theme::current().colour(ColourRole::Accent);
        return {};
    case FiguresTable::FigureRole:
        return figureOf(row, index.column());
    case ShareRole:
        return m_widest > 0 ? std::abs(changeOf(m_step, place)) / m_widest : 0.0;
    case WordsRole:
        return QStringLiteral("%1 %2 %3 %4")
            .arg(textOf(row, Name), textOf(row, Origin), words(constant.meaning), words(constant.source));
    case OverriddenRole:
        return isOverridden(row);
    default:
        return {};
    }
}

bool AssumptionsModel::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::EditRole || !index.isValid() || index.column() != Value)
        return false;
    const Constant &constant = constantOf(index.row());
    const QString typed = value.toString().trimmed();
    if (typed.isEmpty()) {
        reset(index.row());
        return true;
    }
    bool isNumber = false;
    const double number = QLocale::c().toDouble(typed, &isNumber);
    if (!isNumber || !std::isfinite(number) || number < constant.low || number > constant.high) {
        Q_EMIT refused(tr("%1 is between %2 and %3; %4 was typed.")
                           .arg(textOf(index.row(), Name), QString::number(constant.low, 'g', 6),
                                QString::number(constant.high, 'g', 6), typed.left(40)));
        return false;
    }
    if (number == valueOf(index.row()))
        return false;
    Q_EMIT edited({.field = pointerOf(constant),
                   .subject = textOf(index.row(), Name),
                   .from = constantText(constant, valueOf(index.row())),
                   .to = constantText(constant, number),
                   .patch = nlohmann::ordered_json{{"assumptions", {{std::string(constant.name), number}}}}.dump()});
    return true;
}

void AssumptionsModel::reset(int row) {
    if (!isOverridden(row))
        return;
    const Constant &constant = constantOf(row);
    Q_EMIT edited({.field = pointerOf(constant),
                   .subject = textOf(row, Name),
                   .from = constantText(constant, valueOf(row)),
                   .to = constantText(constant, constant.value),
                   .patch = nlohmann::ordered_json{{"assumptions", {{std::string(constant.name), nullptr}}}}.dump()});
}

void AssumptionsModel::resetAll() {
    if (overridden() == 0)
        return;
    Q_EMIT edited({.field = QStringLiteral("/assumptions"),
                   .subject = tr("Assumptions of the registry"),
                   .from = {},
                   .to = {},
                   .patch = R"({"assumptions": null})"});
}

Qt::ItemFlags AssumptionsModel::flags(const QModelIndex &index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == Value ? flags | Qt::ItemIsEditable : flags;
}

QVariant AssumptionsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr const char *titles[ColumnCount] = {
        QT_TR_NOOP("Constant"), QT_TR_NOOP("Value"),  QT_TR_NOOP("Range"), QT_TR_NOOP("Origin"), "",
        QT_TR_NOOP("Step by"),  QT_TR_NOOP("Peak by")};
    if (orientation == Qt::Vertical || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Name || section == Origin ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section >= StepBar)
        return tr("What a value larger by 10 % does to this plan; less where the range ends there");
    return role == Qt::DisplayRole ? QVariant(tr(titles[section])) : QVariant();
}

} // namespace meshwright
