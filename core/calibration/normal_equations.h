// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace meshwright {

/// Solves A x = b for a symmetric positive definite A (row-major, only its lower half is read) by Cholesky
/// decomposition.
/// @pre A has as many rows as b
std::vector<double> solve(std::vector<double> a, std::vector<double> b);

/// The diagonal of A's inverse: the variances of the fitted values, if A is a sum of squared slopes over variances.
std::vector<double> inverse_diagonal(const std::vector<double> &a, std::size_t size);

} // namespace meshwright
