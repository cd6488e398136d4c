// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace meshwright {

/// Solves A x = b for a symmetric positive definite A (row-major; only the lower half is read) by Cholesky
/// decomposition.
/// @pre A has as many rows as b
std::vector<double> solve(std::vector<double> a, std::vector<double> b);

/// Diagonal of the inverse of A. If A = J^T W J, as in weighted least squares, these are the variances of the fitted
/// parameters.
std::vector<double> inverse_diagonal(const std::vector<double> &a, std::size_t size);

} // namespace meshwright
