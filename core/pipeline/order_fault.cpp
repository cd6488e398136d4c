// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/diagnostic.h"
#include "pipeline/order.h"
#include "pipeline/simulation.h"

#include <fmt/format.h>

namespace meshwright {

namespace {

struct Done {
    bool forward = false;
    bool input_gradient = false;
    bool weight_gradient = false;
    bool all() const { return forward && input_gradient && weight_gradient; }
};

class Inspection {
public:
    explicit Inspection(const OperationOrder &order)
        : m_order(order)
        , m_done(order.rank_of.size() * static_cast<std::size_t>(order.units())) { }

    std::string fault() {
        for (std::int64_t rank = 0; rank < m_order.ranks; ++rank)
            for (const Operation &operation : m_order.of_rank(rank))
                if (std::string found = look_at(operation, rank); !found.empty())
                    return found;
        for (std::size_t i = 0; i < m_done.size(); ++i)
            if (!m_done[i].all())
                return fmt::format("unit {} on stage {} is not complete", i % static_cast<std::size_t>(m_order.units()),
                                   i / static_cast<std::size_t>(m_order.units()));
        return {};
    }

private:
    std::string look_at(const Operation &operation, std::int64_t rank) {
        const std::size_t place = static_cast<std::size_t>(operation.direction * m_order.stages + operation.stage);
        if (place >= m_order.rank_of.size() || operation.unit >= m_order.units())
            return fmt::format("rank {} has an operation on an unknown stage or unit", rank);
        if (m_order.rank_of[place] != rank)
            return fmt::format("rank {} runs stage {}, which belongs to another rank", rank, operation.stage);
        Done &done = m_done[place * static_cast<std::size_t>(m_order.units()) + operation.unit];
        const bool fits = apply(operation.kind, done);
        return fits
            ? std::string()
            : fmt::format("rank {} runs unit {} of stage {} twice or too early", rank, operation.unit, operation.stage);
    }

    static bool apply(OperationKind kind, Done &done) {
        const Done before = done;
        switch (kind) {
        case OperationKind::forward:
            done.forward = true;
            return !before.forward;
        case OperationKind::input_gradient:
            done.input_gradient = true;
            return before.forward && !before.input_gradient;
        case OperationKind::weight_gradient:
            done.weight_gradient = true;
            return before.input_gradient && !before.weight_gradient;
        case OperationKind::backward:
            done.input_gradient = done.weight_gradient = true;
            return before.forward && !before.input_gradient;
        }
        return false;
    }

    const OperationOrder &m_order;
    std::vector<Done> m_done;
};

} // namespace

std::string order_fault(const OperationOrder &order) {
    std::string fault = Inspection(order).fault();
    if (!fault.empty())
        return fault;
    try {
        pipeline_times(order, uniform_work(order, 1, 1, 1));
    } catch (const InputError &error) {
        return error.diagnostics().front().message.text;
    }
    return {};
}

} // namespace meshwright
