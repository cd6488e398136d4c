// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "formulas/expression.h"

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A number of the model with its derivation. The model's functions are templates over their number type: with `double`
/// they calculate, and with `Traced` the same code also records the derivation. Arithmetic builds an expression over
/// nodes; formula calls, read() and label() create nodes. Comparisons use the values.
class Traced {
public:
    Traced(double number = 0);
    explicit Traced(Derivation node);

    double value() const { return m_value; }
    /// Whether this is a plain number without a derivation.
    bool is_plain() const { return m_nodes.empty(); }
    /// The number's derivation under a name and title. A number that is a single formula call or a leaf keeps its unit
    /// and source, and its title if `what` has none. @param source source of the expression, or of a plain number
    Derivation derivation(Labelled what, std::string_view source) const;

    Traced &operator+=(const Traced &other) { return *this = *this + other; }
    Traced &operator-=(const Traced &other) { return *this = *this - other; }
    Traced &operator*=(const Traced &other) { return *this = *this * other; }

    friend Traced operator+(const Traced &a, const Traced &b);
    friend Traced operator-(const Traced &a, const Traced &b);
    friend Traced operator*(const Traced &a, const Traced &b);
    friend Traced operator/(const Traced &a, const Traced &b);
    friend bool operator==(const Traced &a, const Traced &b) { return a.m_value == b.m_value; }
    friend auto operator<=>(const Traced &a, const Traced &b) { return a.m_value <=> b.m_value; }
    friend Traced min(const Traced &a, const Traced &b);
    friend Traced max(const Traced &a, const Traced &b);
    friend Traced pow(const Traced &base, const Traced &exponent);
    friend Traced ceil(const Traced &number);
    friend Traced floor(const Traced &number);
    friend Traced select(const Traced &condition, const Traced &yes, const Traced &no);
    friend Traced traced_call(const void *function, std::span<const Traced> arguments, double value,
                              Expression (*express)(std::span<const Expression>));

private:
    using Node = std::shared_ptr<const Derivation>;
    using Express = Expression (*)(const Expression &, const Expression &);
    static Traced joined(const Traced &a, const Traced &b, double value, Express express);
    void add_nodes_of(const Traced &other);

    double m_value = 0;
    Expression m_expression; ///< expression whose symbols are nodes, named by their addresses
    std::vector<Node> m_nodes;
};

template <typename N>
concept Number = std::same_as<N, double> || std::same_as<N, Traced>;

inline double value_of(double number) {
    return number;
}
inline double value_of(const Traced &number) {
    return number.value();
}

/// Returns `yes` if the condition is not 0, otherwise `no`. Both are calculated.
inline double select(double condition, double yes, double no) {
    return condition != 0 ? yes : no;
}

/// The source of a number that the model reads: a field of the plan, a property of a preset, or a published constant.
struct Read {
    Origin origin = Origin::plan;
    std::string_view name;
    std::string_view title;
    Quantity quantity = Quantity::number;
    std::string_view field = {}; ///< JSON pointer in the plan; may be empty for a constant
    std::string_view source = {}; ///< source of the number; empty for a plan field
};
template <Number N>
N read(double value, const Read &from) {
    if constexpr (std::same_as<N, double>)
        return value;
    else
        return N(Derivation{.name = std::string(from.name),
                            .title = std::string(from.title),
                            .value = value,
                            .quantity = from.quantity,
                            .origin = from.origin,
                            .formula = {},
                            .source = std::string(from.source.empty() ? "the plan" : from.source),
                            .field = std::string(from.field),
                            .inputs = {}});
}
template <Number N, typename Value>
N model_property(std::string_view name, std::string_view title, Value value, Quantity quantity = Quantity::count) {
    return read<N>(static_cast<double>(value), {Origin::model, name, title, quantity, "/model", "the model's shape"});
}
/// Reads a published number that is not in the registry of constants, because a plan cannot change it.
template <Number N>
N published_number(double value, std::string_view name, std::string_view title, Quantity quantity,
                   std::string_view source) {
    if constexpr (std::same_as<N, double>)
        return value;
    else
        return N(published({std::string(name), std::string(title), quantity}, value, std::string(source)));
}
Traced traced_constant(ConstantId id, double value);
/// Reads a constant of the registry. @param value value that the plan uses
template <Number N>
N constant(ConstantId id, double value) {
    if constexpr (std::same_as<N, double>)
        return value;
    else
        return traced_constant(id, value);
}

struct Label {
    std::string_view name;
    std::string_view title;
    Quantity quantity = Quantity::number;
    std::string_view source = "definition";
};
inline double label(double number, const Label & /*as*/) {
    return number;
}
/// Makes the number a node with this label; a plain number stays plain.
Traced label(const Traced &number, const Label &as);

} // namespace meshwright
