#!/bin/bash
#SBATCH --nodes=8
#SBATCH --gpus-per-node=8
# Llama 3.1 8B on 64 H100s with Megatron-LM.
MODEL_ARGS=(
    --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336
    --num-attention-heads 32 --group-query-attention --num-query-groups 8
    --seq-length 8192 --max-position-embeddings 8192 --vocab-size 128256
    --swiglu --normalization RMSNorm --disable-bias-linear
    --untie-embeddings-and-output-weights --position-embedding-type rope
)
PARALLEL_ARGS=(
    --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2
    --sequence-parallel --use-distributed-optimizer
)
TRAINING_ARGS=(
    --micro-batch-size 1 --global-batch-size 512 --train-iters 50000
    --bf16 --recompute-granularity full --recompute-method uniform --recompute-num-layers 1
    --lr 3e-4 --lr-decay-style cosine --clip-grad 1.0
)
torchrun --nnodes 8 --nproc_per_node 8 pretrain_gpt.py \
    "${MODEL_ARGS[@]}" "${PARALLEL_ARGS[@]}" "${TRAINING_ARGS[@]}" --save-interval 1000
