// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/schedules.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>

namespace meshwright {

namespace {

class Registry {
public:
    Registry() {
        for (ScheduleDefinition &definition : listed_schedules())
            add(std::move(definition));
    }

    Schedule add(ScheduleDefinition definition) {
        if (definition.generate == nullptr || definition.name.empty())
            throw std::invalid_argument("a schedule needs a name and a generator of its order");
        if (std::find(m_names.begin(), m_names.end(), definition.name) != m_names.end())
            throw std::invalid_argument("there is already a schedule " + definition.name);
        if (m_names.size() == m_at.size())
            throw std::invalid_argument("there are too many schedules");
        m_definitions.push_back(std::move(definition));
        m_at[m_names.size()] = &m_definitions.back();
        m_names.push_back(m_definitions.back().name);
        return static_cast<Schedule>(m_names.size() - 1);
    }

    const ScheduleTable &table() const { return m_at; }
    const std::vector<std::string> &names() const { return m_names; }

private:
    std::deque<ScheduleDefinition> m_definitions; ///< a deque, so that pointers to its elements stay valid
    ScheduleTable m_at{};
    std::vector<std::string> m_names;
};

Registry &registry() {
    static Registry known;
    return known;
}

} // namespace

Schedule register_schedule(ScheduleDefinition definition) {
    return registry().add(std::move(definition));
}

const ScheduleTable &schedule_table() {
    return registry().table();
}

const std::vector<std::string> &schedule_names() {
    return registry().names();
}

std::vector<Schedule> all_schedules() {
    std::vector<Schedule> all;
    for (std::size_t i = 0; i < schedule_names().size(); ++i)
        all.push_back(static_cast<Schedule>(i));
    return all;
}

const std::string &name_of(Schedule schedule) {
    return definition_of(schedule).name;
}

} // namespace meshwright
