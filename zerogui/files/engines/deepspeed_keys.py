"""The keys of a DeepSpeed config on which model states do not depend (DeepSpeed 0.19)."""

from zerogui.files.fields import OFF


def _keys(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Batches, logging, schedules, communication and checkpoints.
TOP = _keys("""
    train_batch_size train_micro_batch_size_per_gpu gradient_accumulation_steps
    managed_gradient_accumulation gradient_clipping prescale_gradients gradient_predivide_factor
    gradient_allreduce_op fp32_allreduce disable_allgather communication_data_type
    seq_parallel_communication_data_type zero_allow_untested_optimizer zero_force_ds_cpu_optimizer
    scheduler steps_per_print wall_clock_breakdown memory_breakdown dump_state disable_python_gc
    activation_checkpointing comms_logger monitor_config tensorboard wandb csv_monitor comet
    flops_profiler autotuning data_efficiency curriculum_learning checkpoint data_states
    datastates_ckpt aio dataloader_drop_last log_level compile timers vocabulary_size
    allgather_size use_data_before_expert_parallelism nebula elasticity
    """)
TOP_HARMLESS = {
    "amp": (OFF,),
    "torch_autocast": (OFF,),
    "hybrid_engine": (OFF,),
    "expert_parallel": (OFF,),
    "compression_training": ({},),
    "pipeline": ({},),
    "tensor_parallel": ({}, {"autotp_size": 0}, {"autotp_size": 1}),
    "sequence_parallel_size": (1,),
    "sparse_gradients": (False,),
    "progressive_layer_drop": (OFF,),
    "eigenvalue": (OFF,),
}

# Buckets, prefetching and temporary copies: residual states, or none.
ZERO = _keys("""
    contiguous_gradients reduce_scatter reduce_bucket_size use_multi_rank_bucket_allreduce
    allgather_partitions allgather_bucket_size overlap_comm compute_grad_norm
    load_from_fp32_weights elastic_checkpoint sub_group_size cpu_offload_use_pin_memory
    stage3_prefetch_bucket_size stage3_max_live_parameters stage3_max_reuse_distance
    stage3_gather_16bit_weights_on_model_save stage3_gather_fp16_weights_on_model_save
    stage3_module_granularity_threshold stage3_use_all_reduce_for_fetch_params
    stage3_allgather_sequential ignore_unused_parameters round_robin_gradients
    zero_quantized_weights zero_quantized_gradients zeropp_loco_param memory_efficient_linear
    pipeline_loading_checkpoint override_module_apply log_trace_cache_warnings
    enable_sanity_checks save_muon_momentum_buffer_in_memory leaf_module
    mics_hierarchical_params_gather
    prefetch_bucket_size max_live_parameters max_reuse_distance module_granularity_threshold
    gather_16bit_weights_on_model_save use_all_reduce_for_fetch_params allgather_sequential
    """)
_NO_BOUND = (2**63 - 1, 10**18, "auto")
ZERO_HARMLESS = {
    "stage3_model_persistence_threshold": _NO_BOUND,
    "model_persistence_threshold": _NO_BOUND,
    "parameter_alignment": (False,),
    "legacy_stage1": (False,),
    "zero_quantized_nontrainable_weights": (False,),
    "zenflow": (None,),
}

OFFLOAD = _keys("""
    nvme_path buffer_count buffer_size pin_memory pipeline_read pipeline_write fast_init
    cpuadam_cores_perc
    """)
OFFLOAD_HARMLESS = {"ratio": (1,), "super_offload": (False,)}

PRECISION = _keys("""
    immediate_grad_update check_grad_overflow auto_cast loss_scale initial_scale_power
    loss_scale_window hysteresis consecutive_hysteresis min_loss_scale
    """)

OPTIMIZER = _keys("legacy_fusion")
OPTIMIZER_PARAMS = _keys("""
    lr betas eps weight_decay bias_correction adam_w_mode torch_adam foreach fused nesterov
    dampening momentum max_grad_norm lr_decay max_coeff min_coeff ns_method muon_lr adam_lr
    maximize capturable differentiable initial_accumulator_value decoupled_weight_decay
    """)
OPTIMIZER_HARMLESS = {"amsgrad": (False,), "fp32_optimizer_states": (True,)}
