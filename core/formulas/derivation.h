// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/constants.h"
#include "quantities/text.h"

#include <nlohmann/json_fwd.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

/// Where a value comes from.
enum class Origin {
    derived, ///< a formula over its inputs
    plan, ///< a field of the plan, or the default that fills it
    model, ///< the model's shape
    hardware, ///< the accelerator or the cluster
    software, ///< the stack
    constant, ///< the registry of constants
    procedure ///< a procedure over its inputs that no formula says: a simulation, a walk over operations
};
std::string_view name_of(Origin origin);

/// A value with its derivation: a formula over named inputs, each of which opens further, down to plan fields, hardware
/// facts and constants.
struct Derivation {
    std::string name; ///< an identifier, unique among its siblings; formulas spell it
    std::string title; ///< in words
    double value = 0;
    Quantity quantity = Quantity::number;
    Origin origin = Origin::derived;
    std::string formula; ///< over the inputs' names, in muParser's syntax; empty for a leaf
    std::string source; ///< of the formula or of the value
    std::string field; ///< JSON pointer of the plan field that it is; may be empty
    std::vector<Derivation> inputs;
    std::string calculator = {}; ///< id of the catalogue's formula that gives it; may be empty
    std::string result = {}; ///< which of its results
    std::string figure = {}; ///< name of the figure of the same tree that it stands for; may be empty

    /// The formula with the inputs' numbers in it; empty for a leaf.
    std::string substituted() const;
    const Derivation *find(std::string_view input) const;
};

/// A name, a title and what kind of quantity it is.
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

/// Inputs of a node that is being made. What stands in a braced list is moved into the node: a derivation of some
/// hundred nodes is put together from the leaves upwards without being copied at each level.
class Inputs {
public:
    class One {
    public:
        One(Derivation node)
            : m_node(std::move(node)) { }

    private:
        friend class Inputs;
        mutable Derivation m_node; ///< a braced list's elements are constant, and its own
    };

    Inputs(std::initializer_list<One> list);
    Inputs(std::vector<Derivation> list)
        : m_list(std::move(list)) { }

    const std::vector<Derivation> &list() const { return m_list; }
    std::vector<Derivation> take() && { return std::move(m_list); }

private:
    std::vector<Derivation> m_list;
};

/// A value that a formula gives over its inputs.
Derivation derived(Labelled what, double value, std::string formula, std::string source, Inputs inputs);
/// The sum of its inputs.
Derivation sum_of(Labelled what, std::string source, Inputs inputs);
/// The product of its inputs.
Derivation product_of(Labelled what, std::string source, Inputs inputs);

/// What a formula of the catalogue gives over its inputs, which are named as its symbols; one that is left out takes
/// its default. @pre the catalogue has the formula and the result
Derivation by_formula(Labelled what, std::string_view id, std::string_view result_name, Inputs inputs);
/// A figure that is explained in the same tree, under another name.
Derivation reference_to(std::string figure, Labelled what, double value);
/// What a procedure gives: the formula is its call with the inputs, "schedule(stages, microbatches)".
Derivation by_simulation(Labelled what, double value, std::string_view procedure, std::string source, Inputs inputs);
/// What is not there, and why: a 0 that follows from a field of the plan.
Derivation nothing(Labelled what, std::string why, std::string pointer);
/// A number of layers or the like, or a yes or no, that follows from a field of the plan by counting.
Derivation counted(Labelled what, double value, std::string how, std::string pointer);
/// A number that a publication gives and the registry of constants does not keep, since it is not for a plan to change.
Derivation published(Labelled what, double value, const std::string &source);
/// The same under another name.
Derivation named(std::string name, Derivation derivation);

/// The contract's tree: name, value, unit, formula, substituted, source, inputs[]; also title, origin, field,
/// calculator (with result) and figure. Every figure, an input of the root, stands with its derivation. Further down a
/// derivation that has been given before, nearer to the root or before it on the same level, is not given again: such a
/// node has neither formula nor inputs, and `same` is the JSON pointer, from the root of this tree on, of the node
/// that has them.
nlohmann::ordered_json to_json(const Derivation &derivation);

/// An identifier from words: "feed_forward.down" becomes "feed_forward_down".
std::string identifier(std::string_view words);

} // namespace meshwright
