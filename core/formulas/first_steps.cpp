// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/first_steps.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

std::vector<Formula> first_step_formulas() {
    return {
        {.id = "first-steps-memory",
         .title = "Memory in the first steps of a run",
         .topic = topic::memory,
         .symbols = {amount(parameters, "parameters", "P", "parameters on the accelerator"),
                     or_zero(amount(bytes, "activation_bytes", "A", "activations at the end of the forward pass")),
                     otherwise(whole("step", "i", "number of the optimizer step, starting at 1", 1, 1e12), 1),
                     per_parameter("weight_bytes", "b_w", "bytes per weight", 2),
                     per_parameter("gradient_bytes", "b_g", "bytes per gradient", 2),
                     per_parameter("master_bytes", "b_m", "bytes per FP32 master weight; 0 if there are none", 4),
                     per_parameter("moment_bytes", "b_o", "bytes per parameter of both Adam moments", 8),
                     otherwise(flag("keeps_gradients", "k",
                                    "1 if gradients are zeroed after the update; 0 if they are freed"),
                               0)},
         .results = {result({"start_bytes", "S_0", "model states at the start of the step", bytes},
                            {"parameters", "weight_bytes", "master_bytes", "moment_bytes", "step"},
                            states_at_start_bytes),
                     result({"forward_bytes", "S_f", "memory at the end of the forward pass", bytes},
                            {"parameters", "weight_bytes", "master_bytes", "moment_bytes", "gradient_bytes",
                             "activation_bytes", "step", "keeps_gradients"},
                            after_forward_bytes),
                     result({"backward_bytes", "S_b", "memory at the end of the backward pass", bytes},
                            {"parameters", "weight_bytes", "master_bytes", "moment_bytes", "gradient_bytes", "step"},
                            after_backward_bytes),
                     result({"update_bytes", "S_u", "memory during the optimizer update", bytes},
                            {"parameters", "weight_bytes", "master_bytes", "moment_bytes", "gradient_bytes"},
                            in_update_bytes),
                     result({"peak_bytes", "S", "peak of the step", bytes},
                            {"parameters", "weight_bytes", "master_bytes", "moment_bytes", "gradient_bytes",
                             "activation_bytes", "step", "keeps_gradients"},
                            step_peak_bytes)},
         .source = "PyTorch's torch.optim.Adam, whose state is empty until its first step(); The Ultra-Scale Playbook, "
                   "memory profile of the first four training steps",
         .notes = "A run that fits in its first step can run out of memory in the forward pass of the second step, "
                  "where Adam moments and activations are in memory together for the first time. From then on, every "
                  "step uses the same memory."}};
}

} // namespace meshwright::catalogue
