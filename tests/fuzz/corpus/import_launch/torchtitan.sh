#!/usr/bin/bash
NGPU=${NGPU:-"8"}
torchrun --nnodes=4 --nproc_per_node=${NGPU} --local-ranks-filter 0 -m torchtitan.train \
  --module llama3 --config llama3_405b_float8 --parallelism.tensor_parallel_degree 8 \
  --parallelism.data_parallel_shard_degree=4 --training.num_tokens_per_microbatch_per_dp_rank 8192 \
  --training.max_context_length 8192 --training.no-enable-cpu-offload "$@"
