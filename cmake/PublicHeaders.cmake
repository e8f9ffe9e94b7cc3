# What is installed, and nothing else: each is sonoma/<name>.hpp. Who includes one of the interface
# gets no other than these of it.
set(interface_headers
  accuracy api cache cache_bundle compile config convolution cuda_source decomposition device_buffer ends errors
  fast_size fft_error gpu gpu_function kernel_bundle next_fast_size plan point_type problem sonoma storage target
  tuning version wisdom wisdom_file
  workspace_bytes workspace_policy)
# What sonoma/inspect.hpp brings: the values between a request and its kernels, which change with
# the generator.
set(inspection_headers
  ahead_of_time axis_transform choose costs error_estimate factor_ops generate generated inspect kernel_ir launch_kernel layout
  machine_code move_ops pass planned program roundings schedule shape step_ops swizzle table_range)
