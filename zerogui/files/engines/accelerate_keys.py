"""The keys of an Accelerate config on which model states do not depend (Accelerate 1.15)."""


def _keys(text: str) -> frozenset[str]:
    return frozenset(text.split())


TOP = _keys("""
    debug downcast_bf16 dynamo_backend dynamo_config enable_cpu_affinity gpu_ids machine_rank
    num_machines main_process_ip main_process_port main_training_function rdzv_backend
    same_network use_cpu tpu_env tpu_name tpu_zone tpu_use_cluster tpu_use_sudo tpu_vm
    command_file commands mpirun_config fp8_config
    """)
TOP_HARMLESS = {
    "compute_environment": ("LOCAL_MACHINE",),
    "deepspeed_config": ({},),
    "fsdp_config": ({},),
    "megatron_lm_config": ({},),
    "parallelism_config": ({},),
}

FSDP = _keys("""
    fsdp_auto_wrap_policy fsdp_transformer_layer_cls_to_wrap fsdp_min_num_params
    fsdp_backward_prefetch fsdp_backward_prefetch_policy fsdp_state_dict_type
    fsdp_forward_prefetch fsdp_use_orig_params fsdp_cpu_ram_efficient_loading
    fsdp_sync_module_states fsdp_activation_checkpointing fsdp_activation_checkpointing_offload
    """)
# What is not taken by then belongs to the other version of FSDP.
FSDP_HARMLESS = {
    "fsdp_sharding_strategy": ("FULL_SHARD", 1),
    "fsdp_reshard_after_forward": ("FULL_SHARD", "true", True),
}

PARALLEL_HARMLESS = {f"parallelism_config_{name}": (1,) for name in ("cp_size", "sp_size")}
PARALLEL = _keys("parallelism_config_cp_backend parallelism_config_cp_comm_strategy")

DEEPSPEED = _keys("""
    gradient_accumulation_steps gradient_clipping zero3_init_flag zero3_save_16bit_model
    deepspeed_multinode_launcher deepspeed_hostfile deepspeed_exclusion_filter
    deepspeed_inclusion_filter deepspeed_moe_layer_cls_names offload_optimizer_nvme_path
    offload_param_nvme_path
    """)
