// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/mapping_form.h"

#include "catalog/library.h"
#include "controls/text_label.h"
#include "evidence/cell_text.h"
#include "evidence/mapping_line.h"

#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

constexpr int longestColumnName = 60;
constexpr int gapOfGroups = 8;

/// Name that missing_columns() reports while neither this column nor an alternative to it is mapped.
std::string needOf(std::string_view column) {
    constexpr std::array alone{"model", "accelerator", "accelerators", "sequence_length"};
    if (std::find(alone.begin(), alone.end(), column) != alone.end())
        return std::string(column);
    if (column == "global_batch" || column == "micro_batch")
        return "global_batch";
    constexpr std::array measured{"step_seconds", "tokens_per_second_per_accelerator", "peak_memory_bytes"};
    return std::find(measured.begin(), measured.end(), column) != measured.end() ? "step_seconds" : std::string();
}

QStringList proposalsFor(std::string_view column) {
    QStringList texts;
    for (const PresetEntry &entry : Library::standard().entries())
        if (column == "model" && entry.kind == PresetKind::model)
            texts.append(QString::fromStdString(entry.name));
        else if (column == "accelerator" && entry.kind == PresetKind::accelerator)
            texts.append(QString::fromStdString(entry.id));
    return texts;
}

} // namespace

MappingForm::MappingForm(const CsvTable &table, const ColumnMapping &mapping, QWidget *parent)
    : QWidget(parent)
    , m_columns(table.columns)
    , m_choices(new QStandardItemModel(this)) {
    m_choices->appendRow(new QStandardItem(tr("Not in the file")));
    m_choices->appendRow(new QStandardItem(tr("Same for all rows")));
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const QString name = cellText(table.columns[i], longestColumnName);
        auto *item = new QStandardItem(name.isEmpty() ? tr("column %1").arg(i + 1) : name);
        if (!table.rows.empty())
            item->setToolTip(tr("first row: %1").arg(cellText(table.rows.front()[i], longestColumnName)));
        m_choices->appendRow(item);
    }
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    addGroup(column, tr("Run"), {}, {"model", "accelerator", "accelerators", "sequence_length", "id"});
    addGroup(column, tr("Batch"), tr("global batch size or microbatch size"), {"global_batch", "micro_batch"});
    addGroup(column, tr("Measured"), tr("at least one"),
             {"step_seconds", "tokens_per_second_per_accelerator", "peak_memory_bytes", "memory_kind", "outcome"});
    addGroup(column, tr("Configuration"), tr("degrees default to 1"),
             {"tensor", "pipeline", "data", "context", "expert", "chunks", "zero_stage", "recompute", "precision",
              "schedule", "framework", "accelerators_per_node"});
    addGroup(column, tr("Model dimensions"), tr("for models without a preset"),
             {"parameters", "layers", "hidden", "heads", "kv_heads", "ffn_hidden", "vocabulary", "experts",
              "experts_per_token"});
    addGroup(column, tr("Origin"), {}, {"source"});
    column->addStretch(1);
    show(mapping);
}

void MappingForm::addGroup(QVBoxLayout *column, const QString &title, const QString &hint,
                           std::initializer_list<const char *> names) {
    if (!m_lines.isEmpty())
        column->addSpacing(gapOfGroups);
    auto *heading = new QHBoxLayout;
    heading->setSpacing(8);
    heading->addWidget(new TextLabel(title, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this));
    heading->addWidget(new TextLabel(hint, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this), 1);
    column->addLayout(heading);
    for (const char *name : names) {
        auto *line = new MappingLine(run_column(name), m_choices, this);
        if (const QStringList proposals = proposalsFor(name); !proposals.isEmpty())
            line->setProposals(proposals);
        connect(line, &MappingLine::chosen, this, [this, line] { take(*line); });
        connect(line, &MappingLine::changed, this, [this] {
            showNeeds();
            Q_EMIT changed();
        });
        column->addWidget(line);
        m_lines.append(line);
    }
}

void MappingForm::show(const ColumnMapping &mapping) {
    const std::vector<std::string> missing = missing_columns(mapping);
    for (MappingLine *line : qAsConst(m_lines)) {
        const std::string name(line->column().name);
        const auto column = std::find_if(mapping.columns.begin(), mapping.columns.end(),
                                         [&](const MappedColumn &each) { return each.target == name; });
        const auto fixed = mapping.for_all_rows.find(name);
        if (column != mapping.columns.end()) {
            line->setChoice(MappingLine::FirstColumn + static_cast<int>(column - mapping.columns.begin()));
            line->setUnit(column->factor, column->rate);
        } else if (fixed != mapping.for_all_rows.end()) {
            line->setChoice(MappingLine::SameForAll);
            line->setValue(QString::fromStdString(fixed->second));
        } else if (name != "step_seconds" && std::find(missing.begin(), missing.end(), name) != missing.end()) {
            line->setChoice(MappingLine::SameForAll); // lets the user type the missing value
        }
    }
    showNeeds();
}

ColumnMapping MappingForm::mapping() const {
    ColumnMapping mapping;
    mapping.columns.resize(m_columns.size());
    for (const MappingLine *line : m_lines) {
        const std::string name(line->column().name);
        if (const int column = line->fileColumn(); column >= 0)
            mapping.columns.at(static_cast<std::size_t>(column)) = {
                .target = name, .factor = line->unit().factor, .rate = line->unit().rate};
        else if (const QString value = line->value(); !value.isEmpty())
            mapping.for_all_rows[name] = value.toStdString();
    }
    return mapping;
}

void MappingForm::take(MappingLine &taker) {
    for (const Released &each : qAsConst(m_released))
        if (each.taker == &taker && each.line->choice() == MappingLine::NotInFile && each.choice != taker.choice())
            each.line->setChoice(each.choice);
    m_released.erase(std::remove_if(m_released.begin(), m_released.end(),
                                    [&](const Released &each) { return each.taker == &taker; }),
                     m_released.end());
    const int column = taker.fileColumn();
    if (column < 0)
        return;
    for (MappingLine *line : qAsConst(m_lines))
        if (line != &taker && line->fileColumn() == column) {
            m_released.append({&taker, line, line->choice()});
            line->setChoice(MappingLine::NotInFile);
        }
    const ColumnUnit unit = unit_named_in(taker.column(), m_columns.at(static_cast<std::size_t>(column)));
    taker.setUnit(unit.factor, unit.rate);
}

void MappingForm::showNeeds() {
    const std::vector<std::string> missing = missing_columns(mapping());
    for (MappingLine *line : qAsConst(m_lines)) {
        const std::string need = needOf(line->column().name);
        const bool isMet = std::find(missing.begin(), missing.end(), need) == missing.end();
        line->setNeed(need.empty()                 ? QString()
                          : need == "global_batch" ? tr("1 of 2 required")
                          : need == "step_seconds" ? tr("1 of 3 required")
                                                   : tr("required"),
                      isMet);
    }
}

MappingLine *MappingForm::firstMissing() const {
    const std::vector<std::string> missing = missing_columns(mapping());
    const auto found = std::find_if(m_lines.begin(), m_lines.end(), [&](const MappingLine *line) {
        return std::find(missing.begin(), missing.end(), line->column().name) != missing.end();
    });
    return found == m_lines.end() ? nullptr : *found;
}

MappingLine *MappingForm::line(const char *column) const {
    return *std::find_if(m_lines.begin(), m_lines.end(),
                         [&](const MappingLine *line) { return line->column().name == column; });
}

} // namespace meshwright
