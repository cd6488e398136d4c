// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "panels/plan_panel.h"

#include <optional>

namespace meshwright {

class DegreeRow;
class FigureSentence;
struct Landscape;

class BatchPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit BatchPanel(QWidget *parent = nullptr);

    void showLandscape(const Landscape &microbatches);
    /// Derivation of the best microbatch size; empty until the search has found one.
    /// @param figure  "best_micro_sequences"
    std::optional<Derivation> derivationOf(const QString &figure) const;

protected:
    void showFields(const PlanView &view) override;

private:
    void addBatch();
    void addPrecision();
    void addOptimizer();
    void showBatch(const PlanView &view);

    IntegerBox *m_sequences = nullptr;
    IntegerBox *m_length = nullptr;
    DegreeRow *m_micro = nullptr;
    FigureSentence *m_microbatches = nullptr;
    QComboBox *m_compute = nullptr;
    QComboBox *m_weights = nullptr;
    QComboBox *m_gradients = nullptr;
    QComboBox *m_master = nullptr;
    QComboBox *m_moments = nullptr;
    QComboBox *m_optimizer = nullptr;
    QWidget *m_momentumRow = nullptr;
    QuantityBox *m_momentum = nullptr;
    QuantityBox *m_offloadOptimizer = nullptr;
    QuantityBox *m_offloadActivations = nullptr;
    ToggleSwitch *m_offloadOuter = nullptr;
};

} // namespace meshwright
