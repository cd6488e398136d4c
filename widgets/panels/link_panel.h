// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

#include <functional>
#include <optional>

namespace meshwright {

class TextField;

class LinkPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit LinkPanel(QWidget *parent = nullptr);

Q_SIGNALS:
    /// Emitted when the user asks to load the rate over time from a file.
    void traceFileWanted();

protected:
    void showFields(const PlanView &view) override;

private:
    QuantityBox *addRate(const QString &label, const char *key);
    void addVariation();
    using ListReader = std::function<std::optional<nlohmann::ordered_json>(const QString &)>;
    TextField *addList(const QString &label, const char *key, const QString &tip, const QString &example,
                       const ListReader &reader, QVBoxLayout *into);
    /// False if the text cannot be parsed.
    bool takeList(const TextField *field, const QString &label, const QString &pointer, const ListReader &reader);
    void setRate(const QString &pointer, const QString &label, double bitsPerSecond);

    QuantityBox *m_up;
    QuantityBox *m_down;
    QWidget *m_rest;
    QuantityBox *m_roundTrip = nullptr;
    QuantityBox *m_loss = nullptr;
    IntegerBox *m_streams = nullptr;
    ToggleSwitch *m_fullDuplex = nullptr;
    QuantityBox *m_jitter = nullptr;
    QuantityBox *m_variation = nullptr;
    QuantityBox *m_interval = nullptr;
    QuantityBox *m_correlation = nullptr;
    TextField *m_trace = nullptr;
    TextField *m_groups = nullptr;
};

} // namespace meshwright
