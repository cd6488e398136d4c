// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/order.h"

/// One function a family of schedules; `order.cpp` registers each under its schedules' names. Requests have been
/// checked: ranks, microbatches and chunks from 1.
namespace meshwright::orders {

/// All forward passes, then all backward passes (arXiv 1811.06965); with chunks, breadth first, microbatches backward
/// in reverse order (arXiv 2211.05953).
OperationOrder gpipe(const OrderRequest &request);
OperationOrder looped_bfs(const OrderRequest &request);
/// One forward, one backward (arXiv 2104.04473); over slices of a sequence, backward slices last to first
/// (arXiv 2406.03488).
OperationOrder one_f_one_b(const OrderRequest &request);
OperationOrder seq1f1b(const OrderRequest &request);
/// 1F1B over chunks in groups of microbatches (arXiv 2104.04473, section 2.2; Megatron-Core's group size); with weight
/// gradients apart, as PyTorch's pipelining does it.
OperationOrder interleaved(const OrderRequest &request);
OperationOrder interleaved_zb(const OrderRequest &request);
/// ZB-H1 and ZB-H2 as drawn in arXiv 2401.10241, figure 3.
OperationOrder zb_h1(const OrderRequest &request);
OperationOrder zb_h2(const OrderRequest &request);
/// ZB-1p and ZB-2p: searched for under a memory limit (arXiv 2401.10241, section 3).
OperationOrder zb_automatic(const OrderRequest &request);
/// Two chunks in a V (arXiv 2405.15362): ZB-V as drawn there where it is the best, and V-Half and V-Min, searched for.
OperationOrder zb_v(const OrderRequest &request);
OperationOrder v_compact(const OrderRequest &request);
/// Blocks of a forward and a backward pass (DeepSeek-V3, arXiv 2412.19437), in both directions or folded into a V.
OperationOrder dualpipe(const OrderRequest &request);
OperationOrder dualpipe_v(const OrderRequest &request);
/// Two pipelines in opposite directions (arXiv 2107.06925).
OperationOrder chimera(const OrderRequest &request);

} // namespace meshwright::orders
