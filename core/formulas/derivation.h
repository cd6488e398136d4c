// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/constants.h"
#include "quantities/text.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

enum class Origin {
    derived, ///< calculated by a formula over its inputs
    plan, ///< a field of the plan, or its default value
    model,
    hardware,
    software,
    constant,
    simulation ///< a computation without a closed form, such as a simulation
};
std::string_view name_of(Origin origin);

struct Derivation;

/// The inputs of a derivation. Copies share them until one of the copies changes its own, because many figures contain
/// the same derivations.
class SharedInputs {
public:
    SharedInputs() = default;
    SharedInputs(std::vector<Derivation> inputs);

    bool empty() const { return m_inputs == nullptr; }
    std::size_t size() const;
    const Derivation *begin() const;
    const Derivation *end() const;
    const Derivation &operator[](std::size_t index) const;
    const Derivation &front() const;
    const Derivation &back() const;
    void push_back(Derivation input);
    /// The inputs, to be changed. Afterwards, no other derivation shares them.
    std::span<Derivation> own();
    /// An address that is equal for all derivations that share the inputs; null without inputs.
    const void *identity() const { return m_inputs.get(); }

private:
    std::vector<Derivation> &detached();

    std::shared_ptr<std::vector<Derivation>> m_inputs; ///< null if there are none
};

/// A value with its derivation: a formula over named inputs, each with its own derivation, down to plan fields,
/// hardware facts and constants.
struct Derivation {
    std::string name; ///< identifier used in formulas; unique among its siblings
    std::string title;
    double value = 0;
    Quantity quantity = Quantity::number;
    Origin origin = Origin::derived;
    std::string formula; ///< formula over the inputs' names in muParser's syntax; empty for a leaf
    std::string source;
    std::string field; ///< JSON pointer of the plan field that holds the value; may be empty
    SharedInputs inputs;
    std::string calculator = {}; ///< id of the catalog formula that calculates it; may be empty
    std::string result = {}; ///< name of that formula's result
    std::string figure = {}; ///< name of the figure, in the same tree, that this node references; may be empty

    /// The formula with the inputs' values in place of their names; empty for a leaf.
    std::string substituted() const;
    const Derivation *find(std::string_view input) const;
};

inline const Derivation &SharedInputs::operator[](std::size_t index) const {
    return begin()[index];
}
inline const Derivation &SharedInputs::front() const {
    return *begin();
}
inline const Derivation &SharedInputs::back() const {
    return end()[-1];
}

struct Labelled {
    std::string name;
    std::string title;
    Quantity quantity = Quantity::number;
};

Derivation plan_field(Labelled what, double value, std::string pointer);
Derivation model_fact(Labelled what, double value, std::string source);
Derivation hardware_fact(Labelled what, double value, std::string source, std::string pointer = {});
Derivation software_fact(Labelled what, double value, std::string source, std::string pointer = "/stack");
Derivation constant_value(ConstantId id, const Assumptions &assumptions);

/// Inputs of a node under construction. Elements of a braced list are moved into the node, so that a derivation with
/// hundreds of nodes is built from the leaves upward without copying each level.
class Inputs {
public:
    class One {
    public:
        One(Derivation node)
            : m_node(std::move(node)) { }

    private:
        friend class Inputs;
        mutable Derivation m_node; ///< mutable because the elements of a braced list are const
    };

    Inputs(std::initializer_list<One> list);
    Inputs(std::vector<Derivation> list)
        : m_list(std::move(list)) { }

    const std::vector<Derivation> &list() const { return m_list; }
    std::vector<Derivation> take() && { return std::move(m_list); }

private:
    std::vector<Derivation> m_list;
};

/// A value calculated by a formula over its inputs.
Derivation derived(Labelled what, double value, std::string formula, std::string source, Inputs inputs);
Derivation sum_of(Labelled what, std::string source, Inputs inputs);
Derivation product_of(Labelled what, std::string source, Inputs inputs);

/// A value calculated by a formula of the catalog. The inputs' names are those of the formula's symbols; omitted inputs
/// have their defaults. @pre the catalog has the formula and the result
Derivation by_formula(Labelled what, std::string_view id, std::string_view result_name, Inputs inputs);
/// A reference to a figure whose derivation is elsewhere in the same tree.
Derivation reference_to(std::string figure, Labelled what, double value);
/// A simulated value. Its formula is a call with the inputs: "schedule(stages, microbatches)".
Derivation by_simulation(Labelled what, double value, std::string_view simulation, std::string source, Inputs inputs);
/// A value that is 0 because of a plan field, with an explanation.
Derivation nothing(Labelled what, std::string why, std::string pointer);
/// A count, or a condition (1 or 0), that follows from a plan field.
Derivation counted(Labelled what, double value, std::string how, std::string pointer);
/// A published number that is not in the registry of constants, because a plan cannot change it.
Derivation published(Labelled what, double value, const std::string &source);
Derivation named(std::string name, Derivation derivation);

/// The derivation tree of the JSON contract: name, value, unit, formula, substituted, source, inputs[]; also title,
/// origin, field, calculator (with result) and figure. Every figure is an input of the root, with its full derivation.
/// Deeper in the tree, derivations are not repeated: a node whose derivation occurs nearer to the root, or earlier on
/// the same level, has neither formula nor inputs, and `same` is the JSON pointer from the root of the tree to the node
/// that has them.
nlohmann::ordered_json to_json(const Derivation &derivation);

std::string identifier(std::string_view words);

} // namespace meshwright
