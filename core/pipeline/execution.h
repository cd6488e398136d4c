// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/timeline.h"

#include <array>
#include <vector>

namespace meshwright {

/// Inputs, outputs and times of all operations of one kind and stage.
struct Port {
    /// Arrival time of each microbatch's (or slice's) input; negative if it has not arrived.
    const double *in = nullptr;
    double *out = nullptr; ///< arrival time of each microbatch's (or slice's) output at its receiver
    double seconds = 0;
    double latency = 0; ///< latency of a send to another rank
    double transfer = 0;
};

/// Tables shared by both implementations of schedule execution.
class Wiring {
public:
    /// @throws InputError if the work does not match the order's stages, or a time is negative or not a number
    Wiring(const OperationOrder &order, const PipelineWork &work);

    const Port &port(const Operation &operation) const {
        return m_ports[(operation.direction * m_stages + operation.stage) * operation_kinds
                       + static_cast<std::size_t>(operation.kind)];
    }
    double block_seconds(const Operation &first, const Operation &second) const;

private:
    void connect(const OperationOrder &order, const PipelineWork &work);

    const PipelineWork &m_work;
    std::size_t m_stages;
    std::size_t m_units;
    std::vector<double> m_forward; ///< arrival time of each stage's input, [direction][stage][unit]
    std::vector<double> m_backward;
    std::vector<double> m_ready; ///< zeros: arrival times of inputs that are available from the start
    std::vector<double> m_nowhere; ///< scratch space for unused outputs
    std::vector<Port> m_ports;
};

[[noreturn]] void refuse_deadlock(const OperationOrder &order);

} // namespace meshwright
