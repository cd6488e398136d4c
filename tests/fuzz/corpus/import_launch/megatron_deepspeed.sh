#!/bin/bash
MICRO=2
GLOBAL=512
ZERO_STAGE=1
config="./ds_config.json"
cat <<EOT > $config
{
  "train_micro_batch_size_per_gpu": $MICRO,
  "train_batch_size": $GLOBAL,
  "gradient_clipping": 1.0,
  "zero_optimization": {"stage": $ZERO_STAGE},
  "bf16": {"enabled": true},
  "steps_per_print": 100
}
EOT
deepspeed --num_nodes 8 --num_gpus 8 pretrain_gpt.py \
  --tensor-model-parallel-size 4 --pipeline-model-parallel-size 4 \
  --num-layers 40 --hidden-size 5120 --num-attention-heads 40 \
  --seq-length 2048 --max-position-embeddings 2048 \
  --micro-batch-size $MICRO --global-batch-size $GLOBAL --train-samples 1_000_000 \
  --bf16 --checkpoint-activations --vocab-size 50257 \
  --deepspeed --deepspeed_config $config --zero-stage $ZERO_STAGE --deepspeed-activation-checkpointing
