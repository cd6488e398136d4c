// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/normal_equations.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

std::vector<double> solve(std::vector<double> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < j; ++k)
            for (std::size_t i = j; i < n; ++i)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
        const double root = std::sqrt(std::max(a[j * n + j], 1e-12));
        for (std::size_t i = j; i < n; ++i)
            a[i * n + j] /= root;
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return b;
}

std::vector<double> inverse_diagonal(const std::vector<double> &a, std::size_t size) {
    std::vector<double> diagonal(size);
    for (std::size_t i = 0; i < size; ++i) {
        std::vector<double> unit(size, 0);
        unit[i] = 1;
        diagonal[i] = solve(a, std::move(unit))[i];
    }
    return diagonal;
}

} // namespace meshwright
