#!/bin/bash
#SBATCH --nodes=16            # two for each pipeline stage
#SBATCH --gres=gpu:h100:8
# A dense model of 8 B parameters.
TP=${TP:-4}
PP=2
LAYERS=32; HIDDEN=$((32 * 128))
SEQ=8192
if [ "$TP" -gt 1 ]; then
  PARALLEL="--sequence-parallel"
else
  PARALLEL=""
fi
case $HIDDEN in
  4096|5120) HEADS=32 ;;
  *) HEADS=64 ;;
esac
MODEL=(
  --num-layers $LAYERS         # of one kind
  --hidden-size $HIDDEN
  --ffn-hidden-size 14336
  --num-attention-heads $HEADS
  --group-query-attention --num-query-groups=8
  --swiglu
  --disable-bias-linear
  --normalization RMSNorm
  --position-embedding-type rope
  --untie-embeddings-and-output-weights
  --max-position-embeddings $SEQ
  --seq-length $SEQ
  --vocab-size 128_256
)
MODEL+=(--num-layers-per-virtual-pipeline-stage 4)
TRAINING="
  --micro-batch-size 1 \
  --global-batch-size 256 \
  --train-samples 12_000_000 \
  --bf16 \
  --recompute-granularity selective \
  --recompute-modules core_attn mlp \
  --use-distributed-optimizer \
  --overlap-grad-reduce \
  --lr 3e-4 \
"
srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 --rdzv_id=$SLURM_JOB_ID pretrain_gpt.py \
  --tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP $PARALLEL \
  "${MODEL[@]}" $TRAINING --save /checkpoints 2>&1 | tee log.txt
