// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/run_entry.h"

#include "controls/optional_quantity_box.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "evidence/evidence_set.h"
#include "figures/figure_event.h"
#include "theme/icon.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

constexpr int fieldWidth = 116;
constexpr std::array kinds{MeasuredMemory::allocated, MeasuredMemory::reserved, MeasuredMemory::device};

std::optional<double> stated(double value) {
    return value > 0 ? std::optional(value) : std::nullopt;
}

} // namespace

RunEntry::RunEntry(QWidget *parent)
    : QWidget(parent)
    , m_plan(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_step(new OptionalQuantityBox(Quantity::seconds, tr("not measured"), 1e-6, 1e7, this))
    , m_peak(new OptionalQuantityBox(Quantity::bytes, tr("not measured"), 1e6, 1e15, this))
    , m_kind(new Segmented(this))
    , m_add(new QPushButton(tr("Add run"), this)) {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_plan->setElided(true);
    showsNoFigures(m_plan, NotFigures::setting);
    column->addWidget(m_plan);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    const auto name = [this](const QString &text) {
        return new TextLabel(text, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
    };
    m_step->setObjectName(QStringLiteral("measuredStep"));
    m_step->setAccessibleName(tr("Measured step time"));
    m_step->setFixedWidth(fieldWidth);
    m_peak->setObjectName(QStringLiteral("measuredPeak"));
    m_peak->setAccessibleName(tr("Measured peak memory"));
    m_peak->setFixedWidth(fieldWidth);
    row->addWidget(name(tr("Step")));
    row->addWidget(m_step);
    row->addSpacing(8);
    row->addWidget(name(tr("Peak memory")));
    row->addWidget(m_peak);
    m_kind->setObjectName(QStringLiteral("measuredKind"));
    m_kind->setAccessibleName(tr("Kind of memory measurement"));
    m_kind->addSegment(tr("Allocated"), tr("Memory of tensors: torch.cuda.max_memory_allocated"));
    m_kind->addSegment(tr("Reserved"), tr("Pool of the caching allocator: torch.cuda.max_memory_reserved"));
    m_kind->addSegment(tr("Device"), tr("Total on the device, including the CUDA context: nvidia-smi"));
    row->addWidget(m_kind);
    row->addStretch(1);
    m_add->setObjectName(QStringLiteral("addRun"));
    m_add->setIcon(icons::icon(QStringLiteral("plus")));
    row->addWidget(m_add);
    column->addLayout(row);
    connect(m_step, &UnitSpinBox::edited, this, [this](double value) {
        m_seconds = stated(value);
        showState();
    });
    connect(m_peak, &UnitSpinBox::edited, this, [this](double value) {
        m_bytes = stated(value);
        showState();
    });
    connect(m_add, &QPushButton::clicked, this, &RunEntry::add);
    m_step->showOptional({});
    m_peak->showOptional({});
    showState();
}

void RunEntry::showPlan(const PlanView &view) {
    m_configuration = view.valid ? std::optional(view.plan) : std::nullopt;
    showState();
}

void RunEntry::showState() {
    m_add->setEnabled(m_configuration && (m_seconds || m_bytes));
    m_add->setToolTip(m_configuration ? tr("Enter the measured step time, the peak memory, or both") : QString());
    if (!m_configuration) {
        m_plan->setText(tr("The plan is invalid and cannot describe a run"));
        return;
    }
    const Plan &plan = *m_configuration;
    m_plan->setText(tr("Measured run of this plan: %1, %2 accelerators, TP · PP · DP %3, %4 sequences per step")
                        .arg(QString::fromStdString(plan.model.name))
                        .arg(plan.site_accelerators())
                        .arg(degreesText(plan))
                        .arg(plan.batch.global_sequences));
}

void RunEntry::add() {
    for (OptionalQuantityBox *box : {m_step, m_peak})
        if (!box->commit()) { // invalid text: keep its error message and do not add the run
            box->setFocus();
            return;
        }
    const MachineRun run{.name = m_configuration->name.empty() ? m_configuration->model.name : m_configuration->name,
                         .plan = *m_configuration,
                         .batch_share = 1,
                         .step_seconds = m_seconds,
                         .peak_bytes = m_bytes,
                         .memory_kind = kinds.at(static_cast<std::size_t>(m_kind->currentIndex()))};
    m_seconds.reset();
    m_bytes.reset();
    m_step->showOptional({});
    m_peak->showOptional({});
    showState();
    Q_EMIT added(run);
}

} // namespace meshwright
