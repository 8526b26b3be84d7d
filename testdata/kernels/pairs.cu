// Labelled memory-access pairs: for each problem one kernel that shows it and one
// that does the same work without it. Build: nvcc -O3 -lineinfo -arch=sm_90 pairs.cu -o pairs
// Run:   ./pairs            every pair once, checksums compared
//        ./pairs NAME ...   only the named pairs
// pairs.causes.tsv beside this file says what is wrong with each kernel.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
  fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)

static const int N = 1 << 26;  // 64 Mi elements: 256 MiB of float, well past the L2

// ---- layout: one field of an array of structures -----------------------------------
struct Particle { float x, y, z, w; };
__global__ void layout_aos(Particle *p, int n, float c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i].x = p[i].x * c + 1.0f;
}
__global__ void layout_soa(float *x, int n, float c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * c + 1.0f;
}

// ---- coalescing: each thread walks its own contiguous chunk ------------------------
__global__ void coalesce_chunked(const float *__restrict__ in, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int per = 16;
  for (int k = 0; k < per; ++k) {
    int i = t * per + k;
    if (i < n) out[i] = in[i] * 2.0f;
  }
}
__global__ void coalesce_gridstride(const float *__restrict__ in, float *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = in[i] * 2.0f;
}

// ---- coalescing of stores: naive transpose -----------------------------------------
__global__ void transpose_naive(const float *__restrict__ in, float *__restrict__ out, int w) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(size_t)x * w + y + j] = in[(size_t)(y + j) * w + x];
}
// ---- bank conflicts: an unpadded tile, then a padded one ---------------------------
template <int PAD>
__device__ void transpose_body(const float *__restrict__ in, float *__restrict__ out, int w) {
  __shared__ float tile[32][32 + PAD];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(size_t)(y + j) * w + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void transpose_tile32(const float *__restrict__ in, float *__restrict__ out, int w) { transpose_body<0>(in, out, w); }
__global__ void transpose_tile33(const float *__restrict__ in, float *__restrict__ out, int w) { transpose_body<1>(in, out, w); }

// ---- bank conflicts: interleaved against sequential addressing in a reduction -------
__global__ void reduce_interleaved(const float *__restrict__ in, float *__restrict__ out, int rounds) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  float acc = 0.f;
  for (int r = 0; r < rounds; ++r) {
    s[t] = in[blockIdx.x * 1024 + t] + r;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
      int i = 2 * d * t;
      if (i + d < 1024) s[i] += s[i + d];
      __syncthreads();
    }
    acc += s[0];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = acc;
}
__global__ void reduce_sequential(const float *__restrict__ in, float *__restrict__ out, int rounds) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  float acc = 0.f;
  for (int r = 0; r < rounds; ++r) {
    s[t] = in[blockIdx.x * 1024 + t] + r;
    __syncthreads();
    for (int d = 512; d > 0; d >>= 1) {
      if (t < d) s[t] += s[t + d];
      __syncthreads();
    }
    acc += s[0];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = acc;
}

// ---- vector width ------------------------------------------------------------------
__global__ void vector_scalar(float *data, int n, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= a;
}
__global__ void vector_float4(float4 *data, int n4, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) { float4 v = data[i]; v.x *= a; v.y *= a; v.z *= a; v.w *= a; data[i] = v; }
}
__global__ void vector_bytes(const uint8_t *__restrict__ in, uint8_t *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] ^ 0x5a;
}
__global__ void vector_uint4(const uint4 *__restrict__ in, uint4 *__restrict__ out, int n16) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n16) { uint4 v = in[i]; v.x ^= 0x5a5a5a5au; v.y ^= 0x5a5a5a5au; v.z ^= 0x5a5a5a5au; v.w ^= 0x5a5a5a5au; out[i] = v; }
}

// ---- every field read on its own: excessive sectors on paper, the L1 serves them ------
__global__ void vector_fields(const float *__restrict__ p, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const volatile float *q = p + (size_t)i * 4;
  out[i] = q[0] * 0.25f + q[1] * 0.5f + q[2] * 0.75f + q[3];
}
__global__ void vector_struct(const float4 *__restrict__ p, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 q = p[i];
  out[i] = q.x * 0.25f + q.y * 0.5f + q.z * 0.75f + q.w;
}

// ---- read-only path: coefficients reloaded because the output may alias them --------
__global__ void readonly_alias(float *y, float *x, float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < 16; ++k) y[i] += a[k] * x[i];
}
__global__ void readonly_restrict(float *__restrict__ y, const float *__restrict__ x, const float *__restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < 16; ++k) y[i] += a[k] * x[i];
}

// ---- generic against shared addressing ----------------------------------------------
static constexpr int kTile = 1024;  // uint4 elements
static constexpr uintptr_t kAlign = 1024;
__device__ __forceinline__ char *align_roundtrip(char *p) {
  uintptr_t raw = reinterpret_cast<uintptr_t>(p);
  return reinterpret_cast<char *>((raw + kAlign - 1) & ~(kAlign - 1));
}
__device__ __forceinline__ char *align_offset(char *p) {
  uintptr_t mis = reinterpret_cast<uintptr_t>(p) & (kAlign - 1);
  return p + ((kAlign - mis) & (kAlign - 1));
}
__device__ __forceinline__ void tile_loop(uint4 *tile, uint4 *out, uint32_t seed, int iters) {
  for (int i = threadIdx.x; i < kTile; i += blockDim.x) tile[i] = make_uint4(seed + i, seed ^ i, seed * i, i);
  __syncthreads();
  uint4 acc = make_uint4(seed, threadIdx.x, 0, 1);
#pragma unroll 1
  for (int r = 0; r < iters; ++r) {
    uint4 v = tile[(threadIdx.x + r) & (kTile - 1)];
    acc.x += v.x; acc.y ^= v.y; acc.z += v.z; acc.w ^= v.w;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}
__global__ void __launch_bounds__(256, 1) address_generic(uint4 *out, uint32_t seed, int iters) {
  extern __shared__ char smem[];
  tile_loop(reinterpret_cast<uint4 *>(align_roundtrip(smem + 37)), out, seed, iters);
}
__global__ void __launch_bounds__(256, 1) address_shared(uint4 *out, uint32_t seed, int iters) {
  extern __shared__ char smem[];
  tile_loop(reinterpret_cast<uint4 *>(align_offset(smem + 37)), out, seed, iters);
}

// ---- local memory: register spills -----------------------------------------------------
__device__ __forceinline__ void poly_body(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r[48];
  int stride = gridDim.x * blockDim.x;
#pragma unroll
  for (int k = 0; k < 48; ++k) r[k] = in[(i + (size_t)k * stride) & (n - 1)];
  for (int it = 0; it < 8; ++it) {
#pragma unroll
    for (int k = 0; k < 48; ++k) r[k] = fmaf(r[k], r[(k + 7) % 48], r[(k + 19) % 48]);
  }
  float s = 0.f;
#pragma unroll
  for (int k = 0; k < 48; ++k) s += r[k];
  out[i] = s;
}
__global__ void __launch_bounds__(1024, 2) spill_capped(const float *__restrict__ in, float *__restrict__ out, int n) { poly_body(in, out, n); }
__global__ void __launch_bounds__(256) spill_free(const float *__restrict__ in, float *__restrict__ out, int n) { poly_body(in, out, n); }

// ---- local memory: an array indexed at run time (no spill) ------------------------------
__global__ void local_indexed(const int *__restrict__ idx, float *__restrict__ out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) a[k] = k * 0.5f + i;
  int j = idx[i];
  for (int r = 0; r < rounds; ++r) { j = (j * 5 + r) & 31; a[j] += a[(j + 11) & 31]; }
  float s = 0.f;
#pragma unroll
  for (int k = 0; k < 32; ++k) s += a[k];
  out[i] = s;
}
__global__ void local_shared(const int *__restrict__ idx, float *__restrict__ out, int n, int rounds) {
  __shared__ float a[32][128];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < 32; ++k) a[k][t] = k * 0.5f + i;
  int j = idx[i];
  for (int r = 0; r < rounds; ++r) { j = (j * 5 + r) & 31; a[j][t] += a[(j + 11) & 31][t]; }
  float s = 0.f;
#pragma unroll
  for (int k = 0; k < 32; ++k) s += a[k][t];
  out[i] = s;
}

// ---- constant memory: an index that differs across the warp ----------------------------
__constant__ float ctab[4096];
__global__ void constant_divergent(float *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.f;
  for (int r = 0; r < rounds; ++r) s += ctab[(threadIdx.x * 33 + r * 7) & 4095];
  if (i < n) out[i] = s;
}
__global__ void constant_uniform(float *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.f;
  for (int r = 0; r < rounds; ++r) s += ctab[(blockIdx.x * 33 + r * 7) & 4095];
  if (i < n) out[i] = s;
}
__global__ void constant_moved(const float *__restrict__ tab, float *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.f;
  for (int r = 0; r < rounds; ++r) s += tab[(threadIdx.x * 33 + r * 7) & 4095];
  if (i < n) out[i] = s;
}

// ---- misaligned start --------------------------------------------------------------------
__global__ void align_offset1(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) out[i] = in[i + 1] + 1.0f;
}
__global__ void align_offset0(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) out[i] = in[i] + 1.0f;
}

// ---- atomics on one address ---------------------------------------------------------------
__global__ void atomic_single(const int *__restrict__ in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[(in[i] ^ i) & 15], 1u);
}
__global__ void atomic_block(const int *__restrict__ in, unsigned *out, int n) {
  __shared__ unsigned h[16];
  if (threadIdx.x < 16) h[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&h[(in[i] ^ i) & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}

// ---- divergence ------------------------------------------------------------------------------
__device__ __forceinline__ float heavy(float v, int n) { for (int k = 0; k < n; ++k) v = fmaf(v, 1.0001f, __sinf(v)); return v; }
__device__ __forceinline__ float heavier(float v, int n) { for (int k = 0; k < n; ++k) v = fmaf(v, 0.9999f, __cosf(v)); return v; }
__global__ void diverge_lane(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = (threadIdx.x & 1) ? heavy(in[i], 64) : heavier(in[i], 64);
}
__global__ void diverge_warp(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = ((threadIdx.x >> 5) & 1) ? heavy(in[i], 64) : heavier(in[i], 64);
}

// ---- occupancy held down by shared memory; a grid too small -----------------------------------
__global__ void occupancy_smem(const float *__restrict__ in, float *__restrict__ out, int n) {
  extern __shared__ float big[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  big[threadIdx.x] = in[i & (n - 1)];
  __syncthreads();
  out[i] = big[threadIdx.x ^ 1] + in[(i + n / 2) & (n - 1)];
}
__global__ void grid_walk(const float *__restrict__ in, float *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  float s = 0.f;
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += stride) s += in[i];
  out[first] = s;
}

// ---- double arithmetic by accident ---------------------------------------------------------------
__global__ void double_literal(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  for (int k = 0; k < 32; ++k) v = v * 1.000001 + 0.5 / (1.0 + v * v);
  out[i] = v;
}
__global__ void float_literal(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  for (int k = 0; k < 32; ++k) v = v * 1.000001f + 0.5f / (1.0f + v * v);
  out[i] = v;
}

// ---- healthy kernels: nothing on the checklist should be urged -----------------------------------
__global__ void healthy_copy(const float4 *__restrict__ in, float4 *__restrict__ out, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) out[i] = in[i];
}
__global__ void healthy_fma(float *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = i, b = 1.0f, c = 2.0f, d = 3.0f, e = 4.0f, f = 5.0f, g = 6.0f, h = 7.0f;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int u = 0; u < 8; ++u) { a = fmaf(a, 1.01f, b); c = fmaf(c, 1.01f, d); e = fmaf(e, 1.01f, f); g = fmaf(g, 1.01f, h);
                                  b = fmaf(b, 0.99f, a); d = fmaf(d, 0.99f, c); f = fmaf(f, 0.99f, e); h = fmaf(h, 0.99f, g); }
  }
  if (i < n) out[i] = a + b + c + d + e + f + g + h;
}

// asynchronous copies into shared memory: load ratios do not describe them
__global__ void healthy_async(const float4 *__restrict__ in, float4 *__restrict__ out, int n4) {
  __shared__ float4 s[256];
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n4; i += gridDim.x * 256) {
    __pipeline_memcpy_async(&s[threadIdx.x], &in[i], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    float4 v = s[threadIdx.x];
    v.x += 1.0f;
    out[i] = v;
  }
}

// ---- random gather: latency and sectors that no layout trick fixes cheaply --------------------------
__global__ void gather_random(const float *__restrict__ in, const int *__restrict__ idx, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[idx[i]];
}

int main(int argc, char **argv) {
  auto want = [&](const char *name) {
    if (argc < 2) return true;
    for (int i = 1; i < argc; ++i) if (!strcmp(argv[i], name)) return true;
    return false;
  };
  float *a, *b, *coef; int *idx; unsigned *hist;
  CHECK(cudaMalloc(&a, (size_t)N * 16));
  CHECK(cudaMalloc(&b, (size_t)N * 4));
  CHECK(cudaMalloc(&idx, (size_t)N * 4));
  CHECK(cudaMalloc(&coef, 4096 * 4));
  CHECK(cudaMalloc(&hist, 64 * 4));
  {
    std::vector<int> h(N); uint32_t s = 12345;
    for (int i = 0; i < N; ++i) { s = s * 1664525u + 1013904223u; h[i] = s & (N - 1); }
    CHECK(cudaMemcpy(idx, h.data(), (size_t)N * 4, cudaMemcpyHostToDevice));
    std::vector<float> f(N); for (int i = 0; i < N; ++i) { s = s * 1664525u + 1013904223u; f[i] = (s >> 8) * 5.9604645e-8f; }
    for (int q = 0; q < 4; ++q) CHECK(cudaMemcpy(a + (size_t)q * N, f.data(), (size_t)N * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(coef, f.data(), 4096 * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(ctab, f.data(), 4096 * 4));
    CHECK(cudaMemset(b, 0, (size_t)N * 4)); CHECK(cudaMemset(hist, 0, 256));
  }
  const int T = 256, G = N / T, W = 8192;
  dim3 tb(32, 8), tg(W / 32, W / 32);
  if (want("layout")) { layout_aos<<<G, T>>>((Particle *)a, N, 0.5f); layout_soa<<<G, T>>>(a, N, 0.5f); }
  if (want("coalesce")) { coalesce_chunked<<<G / 16, T>>>(a, b, N); coalesce_gridstride<<<G / 16, T>>>(a, b, N); }
  if (want("transpose")) { transpose_naive<<<tg, tb>>>(a, b, W); transpose_tile32<<<tg, tb>>>(a, b, W); transpose_tile33<<<tg, tb>>>(a, b, W); }
  if (want("reduce")) { reduce_interleaved<<<2048, 1024>>>(a, b, 20); reduce_sequential<<<2048, 1024>>>(a, b, 20); }
  if (want("vector")) { vector_scalar<<<G, T>>>(a, N, 0.99f); vector_float4<<<G / 4, T>>>((float4 *)a, N / 4, 0.99f);
                        vector_bytes<<<G * 4, T>>>((uint8_t *)a, (uint8_t *)b, N * 4 - 256); vector_uint4<<<G / 4, T>>>((uint4 *)a, (uint4 *)b, N / 4); }
  if (want("fields")) { vector_fields<<<G / 2, T>>>(a, b, N / 2); vector_struct<<<G / 2, T>>>((float4 *)a, b, N / 2); }
  if (want("readonly")) { readonly_alias<<<G / 4, T>>>(b, a, coef, N / 4); readonly_restrict<<<G / 4, T>>>(b, a, coef, N / 4); }
  if (want("address")) {
    int bytes = kTile * 16 + 2048;
    address_generic<<<1056, 256, bytes>>>((uint4 *)b, 7, 4096); address_shared<<<1056, 256, bytes>>>((uint4 *)b, 7, 4096);
  }
  if (want("spill")) { spill_capped<<<264, 1024>>>(a, b, N); spill_free<<<1056, 256>>>(a, b, N); }
  if (want("local")) { local_indexed<<<G / 64, 128>>>(idx, b, N / 128, 64); local_shared<<<G / 64, 128>>>(idx, b, N / 128, 64); }
  if (want("constant")) { constant_divergent<<<4096, T>>>(b, 4096 * T, 256); constant_uniform<<<4096, T>>>(b, 4096 * T, 256); constant_moved<<<4096, T>>>(coef, b, 4096 * T, 256); }
  if (want("align")) { align_offset1<<<G, T>>>(a, b, N); align_offset0<<<G, T>>>(a, b, N); }
  if (want("atomic")) { atomic_single<<<G / 8, T>>>(idx, hist, N / 8); atomic_block<<<G / 8, T>>>(idx, hist, N / 8); }
  if (want("diverge")) { diverge_lane<<<G / 8, T>>>(a, b, N / 8); diverge_warp<<<G / 8, T>>>(a, b, N / 8); }
  if (want("occupancy")) {
    CHECK(cudaFuncSetAttribute(occupancy_smem, cudaFuncAttributeMaxDynamicSharedMemorySize, 160 * 1024));
    occupancy_smem<<<G / 2, 64, 160 * 1024>>>(a, b, N / 4); occupancy_smem<<<G / 2, 64, 256>>>(a, b, N / 4);
  }
  if (want("grid")) { grid_walk<<<16, 128>>>(a, b, N / 4); grid_walk<<<132 * 16, 128>>>(a, b, N / 4); }
  if (want("double")) { double_literal<<<G / 8, T>>>(a, b, N / 8); float_literal<<<G / 8, T>>>(a, b, N / 8); }
  if (want("healthy")) { healthy_copy<<<G / 4, T>>>((float4 *)a, (float4 *)b, N / 4); healthy_fma<<<132 * 16, T>>>(b, N, 512); healthy_async<<<132 * 8, T>>>((float4 *)a, (float4 *)b, N / 4); }
  if (want("gather")) gather_random<<<G, T>>>(a, idx, b, N);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  puts("done");
  return 0;
}
