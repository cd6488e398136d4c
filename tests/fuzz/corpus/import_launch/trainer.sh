#!/bin/bash
export NCCL_DEBUG=INFO
torchrun --nproc_per_node 8 --nnodes 2 --master_port=29500 train.py \
    --model_name_or_path meta-llama/Llama-2-7b-hf \
    --bf16 True \
    --output_dir out \
    --num_train_epochs 3 \
    --per_device_train_batch_size 4 \
    --gradient_accumulation_steps 8 \
    --learning_rate 2e-5 \
    --model_max_length 2048 \
    --fsdp "full_shard auto_wrap" \
    --fsdp_transformer_layer_cls_to_wrap 'LlamaDecoderLayer' \
    --tf32 True
