// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

class QAbstractButton;

namespace meshwright {

class DegreeRow;
class Segmented;

/// How the model is laid over one site's accelerators.
class ParallelismPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit ParallelismPanel(QWidget *parent = nullptr);

protected:
    void showFields(const PlanView &view) override;

private:
    DegreeRow *addDegree(const QString &label, const char *key);
    void addDerive(QVBoxLayout *into);
    void addSharding();
    void addFurther();
    void showProduct(const PlanView &view);
    void showFurther(const PlanView &view);

    DegreeRow *m_tensor;
    DegreeRow *m_context;
    DegreeRow *m_pipeline;
    DegreeRow *m_chunks;
    DegreeRow *m_expert;
    DegreeRow *m_data;
    QAbstractButton *m_derive = nullptr;
    QComboBox *m_schedule = nullptr;
    Segmented *m_zero = nullptr;
    ToggleSwitch *m_sequenceParallel = nullptr;
    QWidget *m_expertTensorRow = nullptr;
    IntegerBox *m_expertTensor = nullptr;
    IntegerBox *m_group = nullptr;
    IntegerBox *m_shardGroup = nullptr;
};

} // namespace meshwright
