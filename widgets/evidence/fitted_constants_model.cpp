// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/fitted_constants_model.h"

#include "evidence/assumption.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "models/figures_table.h"
#include "theme/theme.h"

namespace meshwright {

namespace {

double placeIn(const Constant &constant, double value) {
    return (value - constant.low) / (constant.high - constant.low);
}

/// The figure whose derivation opens from a cell; see machineDerivation().
FigureRef figureOf(int row, int column) {
    const char *const name = column == FittedConstantsModel::Registry ? "before"
        : column == FittedConstantsModel::Fitted                      ? "after"
        : column == FittedConstantsModel::Information                 ? "information"
                                                                      : nullptr;
    return name == nullptr
        ? FigureRef()
        : FigureRef::ofView(QStringLiteral("machine_constant.%1.%2").arg(row).arg(QLatin1String(name)),
                            FigureView::evidence);
}

} // namespace

void FittedConstantsModel::setFit(std::shared_ptr<const MachineFit> fit) {
    beginResetModel();
    m_fit = std::move(fit);
    endResetModel();
}

int FittedConstantsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || m_fit == nullptr ? 0 : static_cast<int>(m_fit->constants.size());
}

int FittedConstantsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString FittedConstantsModel::textOf(const FittedConstant &fitted, int column) const {
    switch (column) {
    case Name:
        return constantTitle(*fitted.constant);
    case Registry:
        return constantText(*fitted.constant, fitted.before);
    case Fitted:
        return fitted.moved() ? constantText(*fitted.constant, fitted.after) : tr("unchanged");
    case Information:
        return shareText(fitted.information);
    default:
        return {};
    }
}

QVariant FittedConstantsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const FittedConstant &fitted = m_fit->constants[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return textOf(fitted, index.column());
    case Qt::TextAlignmentRole:
        return int((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (fitted.determined() == Determined::hardly)
            return tr("These runs hardly depend on this constant, so it keeps its default");
        return fitted.at_end ? tr("This constant is at the limit of its range, so something else probably differs "
                                  "on this machine")
                             : QString::fromUtf8(fitted.constant->meaning.data(),
                                                 static_cast<qsizetype>(fitted.constant->meaning.size()));
    case Qt::ForegroundRole:
        if (index.column() == Fitted && fitted.at_end)
            return Theme::current().colour(ColourRole::Warn);
        if (index.column() == Fitted && !fitted.moved())
            return Theme::current().colour(ColourRole::Text3);
        return {};
    case FiguresTable::FigureRole:
        return QVariant::fromValue(figureOf(index.row(), index.column()));
    case BeforeRole:
        return placeIn(*fitted.constant, fitted.before);
    case AfterRole:
        return placeIn(*fitted.constant, fitted.after);
    default:
        return {};
    }
}

QVariant FittedConstantsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Information)
        return tr("How far these runs narrow down the constant, from 0% (not at all) to 100% (completely)");
    if (role == Qt::ToolTipRole && section == Place)
        return tr("Position of the constant in its allowed range. Ring: default; dot: this machine");
    if (role != Qt::DisplayRole)
        return {};
    static const QStringList names{tr("Constant"), tr("Default"), tr("This machine"), tr("Position in range"),
                                   tr("Determined")};
    return names.at(section);
}

} // namespace meshwright
