// A second set of labelled kernels kept apart: written without sight of the rules, to measure them and never to tune
// them. Other element types, block shapes, strides and guises than holdout.cu; the same conventions.
// holdout2.causes.tsv says what is wrong with each and why, from what the hardware must do, before any measurement.
//
// Build: nvcc -O3 -lineinfo -arch=sm_90 -std=c++17 holdout2.cu -o holdout2
// Run:   ./holdout2             every group once
//        ./holdout2 NAME ...    only the named groups
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#define CHECK(call)                                                                                  \
  do {                                                                                               \
    cudaError_t e_ = (call);                                                                         \
    if (e_ != cudaSuccess) {                                                                         \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));                    \
      exit(1);                                                                                       \
    }                                                                                                \
  } while (0)

static const int N = 1 << 26;  // 64 Mi elements: 256 MiB of float, well past the L2

__host__ __device__ __forceinline__ uint32_t mix32(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

__device__ __forceinline__ float warp_sum(float v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
// block_sum returns the sum to every thread; the block has at most 1024 threads, a multiple of 32.
__device__ __forceinline__ float block_sum(float v) {
  __shared__ float part[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  v = warp_sum(v);
  __syncthreads();
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = lane < warps ? part[lane] : 0.0f;
  return warp_sum(v);
}

// ---- generic pointers: one pointer for two spaces, and functions called through pointers ------------------------------
__global__ void __launch_bounds__(256) pick_ternary(const float *__restrict__ table, float *__restrict__ out, int rounds, int cached) {
  __shared__ float copy[1024];
  int t = threadIdx.x;
  for (int k = t; k < 1024; k += 256) copy[k] = table[k];
  __syncthreads();
  const float *from = cached ? copy : table;
  float s = 0.0f;
#pragma unroll 4
  for (int r = 0; r < rounds; ++r) s = fmaf(s, 0.5f, from[(t + r * 7) & 1023]);
  out[blockIdx.x * 256 + t] = s;
}
__global__ void __launch_bounds__(256) pick_branch(const float *__restrict__ table, float *__restrict__ out, int rounds, int cached) {
  __shared__ float copy[1024];
  int t = threadIdx.x;
  for (int k = t; k < 1024; k += 256) copy[k] = table[k];
  __syncthreads();
  float s = 0.0f;
  if (cached) {
#pragma unroll 4
    for (int r = 0; r < rounds; ++r) s = fmaf(s, 0.5f, copy[(t + r * 7) & 1023]);
  } else {
#pragma unroll 4
    for (int r = 0; r < rounds; ++r) s = fmaf(s, 0.5f, table[(t + r * 7) & 1023]);
  }
  out[blockIdx.x * 256 + t] = s;
}

typedef float (*Fold)(const float *, int);
__device__ __noinline__ float fold_sum(const float *p, int pitch) {
  float s = 0.0f;
#pragma unroll 8
  for (int k = 0; k < 32; ++k) s += p[k * pitch];
  return s * 0.03f;
}
__device__ __noinline__ float fold_top(const float *p, int pitch) {
  float s = 0.0f;
#pragma unroll 8
  for (int k = 0; k < 32; ++k) s = fmaxf(s, p[k * pitch]);
  return s * 0.97f;
}
__device__ Fold folds[2] = {fold_sum, fold_top};
__global__ void __launch_bounds__(128) fold_by_pointer(const float *__restrict__ in, float *__restrict__ out, int rounds, int first) {
  __shared__ float tile[32][128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  for (int k = 0; k < 32; ++k) tile[k][t] = in[i + k];
  float s = 0.0f;
  for (int r = 0; r < rounds; ++r) {
    Fold f = folds[(first + r) & 1];
    s += f(&tile[0][t], 128);
    tile[r & 31][t] = s * 0.01f;
  }
  out[i] = s;
}
__global__ void __launch_bounds__(128) fold_by_branch(const float *__restrict__ in, float *__restrict__ out, int rounds, int first) {
  __shared__ float tile[32][128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  for (int k = 0; k < 32; ++k) tile[k][t] = in[i + k];
  float s = 0.0f;
  for (int r = 0; r < rounds; ++r) {
    float v = 0.0f;
    if ((first + r) & 1) {
#pragma unroll 8
      for (int k = 0; k < 32; ++k) v = fmaxf(v, tile[k][t]);
      v *= 0.97f;
    } else {
#pragma unroll 8
      for (int k = 0; k < 32; ++k) v += tile[k][t];
      v *= 0.03f;
    }
    s += v;
    tile[r & 31][t] = s * 0.01f;
  }
  out[i] = s;
}

// ---- register spills ---------------------------------------------------------------------------------------------------
// A lattice filter of 96 stages: its state lives from sample to sample.
__device__ __forceinline__ void lattice96(const float *__restrict__ in, float *__restrict__ out, int samples) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  float z[96];
#pragma unroll
  for (int k = 0; k < 96; ++k) z[k] = 0.0f;
  float x = 0.0f;
#pragma unroll 1
  for (int q = 0; q < samples; ++q) {
    x = in[(size_t)q * n + i];
#pragma unroll
    for (int k = 0; k < 96; ++k) {
      float y = fmaf(0.31f, z[k], x);
      z[k] = fmaf(-0.29f, y, z[k]);
      x = y;
    }
  }
  float s = x;
#pragma unroll
  for (int k = 0; k < 96; ++k) s += z[k];
  out[i] = s;
}
__global__ void __launch_bounds__(512, 2) lattice_capped(const float *__restrict__ in, float *__restrict__ out, int samples) {
  lattice96(in, out, samples);
}
__global__ void __launch_bounds__(512, 1) lattice_free(const float *__restrict__ in, float *__restrict__ out, int samples) {
  lattice96(in, out, samples);
}
// 28 words of 64 bits that feed each other, in 32 registers and in as many as they need.
__device__ __forceinline__ void lagged28(const unsigned long long *__restrict__ in, unsigned long long *__restrict__ out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long s[28];
#pragma unroll
  for (int k = 0; k < 28; ++k) s[k] = in[i + k * 64];
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < 28; ++k) s[k] += s[(k + 5) % 28] ^ s[(k + 17) % 28];
  }
  unsigned long long x = 0;
#pragma unroll
  for (int k = 0; k < 28; ++k) x ^= s[k];
  out[i] = x;
}
__global__ void __launch_bounds__(512, 4) lagged_capped(const unsigned long long *__restrict__ in, unsigned long long *__restrict__ out, int rounds) {
  lagged28(in, out, rounds);
}
__global__ void __launch_bounds__(512) lagged_free(const unsigned long long *__restrict__ in, unsigned long long *__restrict__ out, int rounds) {
  lagged28(in, out, rounds);
}

// ---- arrays that a thread keeps in local memory ------------------------------------------------------------------------
// Move to front: the rank of each of 16 symbols in a list that is shifted at run-time positions.
__global__ void __launch_bounds__(128) front_list(const int *__restrict__ in, int *__restrict__ out, int rounds) {
  int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128, sum = 0;
  unsigned char list[16];
  for (int k = 0; k < 16; ++k) list[k] = (unsigned char)k;
  for (int r = 0; r < rounds; ++r) {
    int symbol = in[(size_t)r * n + i] & 15, p = 0;
    while (p < 15 && list[p] != symbol) ++p;
    sum = sum * 3 + p;
    for (int q = p; q > 0; --q) list[q] = list[q - 1];
    list[0] = (unsigned char)symbol;
  }
  out[i] = sum;
}
__global__ void __launch_bounds__(128) front_packed(const int *__restrict__ in, int *__restrict__ out, int rounds) {
  int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128, sum = 0;
  unsigned long long list = 0xfedcba9876543210ull;
  for (int r = 0; r < rounds; ++r) {
    unsigned long long symbol = in[(size_t)r * n + i] & 15, rest = list;
    int p = 0;
    while (p < 15 && (rest & 15) != symbol) {
      rest >>= 4;
      ++p;
    }
    sum = sum * 3 + p;
    unsigned long long low = (1ull << (4 * p)) - 1, keep = p < 15 ? list & ~((1ull << (4 * p + 4)) - 1) : 0;
    list = keep | ((list & low) << 4) | symbol;
  }
  out[i] = sum;
}
// An echo: each lane has its own delay into a ring of 24 samples.
__global__ void __launch_bounds__(128) echo_local(const int *__restrict__ delay, const float *__restrict__ in, float *__restrict__ out, int rounds) {
  int i = blockIdx.x * 128 + threadIdx.x;
  float ring[24];
#pragma unroll
  for (int k = 0; k < 24; ++k) ring[k] = in[i + k];
  int w = delay[i] & 15, d = (delay[i] >> 4) & 15;
  float x = in[i];
  for (int r = 0; r < rounds; ++r) {
    int back = w - d - 1 < 0 ? w - d - 1 + 24 : w - d - 1;
    x = fmaf(0.6f, ring[back], x * 0.3f);
    ring[w] = x;
    w = w == 23 ? 0 : w + 1;
  }
  out[i] = x;
}
__global__ void __launch_bounds__(128) echo_shared(const int *__restrict__ delay, const float *__restrict__ in, float *__restrict__ out, int rounds) {
  __shared__ float ring[24][128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
#pragma unroll
  for (int k = 0; k < 24; ++k) ring[k][t] = in[i + k];
  int w = delay[i] & 15, d = (delay[i] >> 4) & 15;
  float x = in[i];
  for (int r = 0; r < rounds; ++r) {
    int back = w - d - 1 < 0 ? w - d - 1 + 24 : w - d - 1;
    x = fmaf(0.6f, ring[back][t], x * 0.3f);
    ring[w][t] = x;
    w = w == 23 ? 0 : w + 1;
  }
  out[i] = x;
}
// The address of a local is taken by a function that is not inlined.
__device__ __noinline__ void turn(float *x, float *y, float c, float s) {
  float p = *x, q = *y;
  *x = p * c - q * s;
  *y = p * s + q * c;
}
__device__ __forceinline__ float2 turned(float2 v, float c, float s) { return make_float2(v.x * c - v.y * s, v.x * s + v.y * c); }
__global__ void turn_by_address(const float2 *__restrict__ in, float2 *__restrict__ out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i].x, y = in[i].y;
  for (int r = 0; r < rounds; ++r) turn(&x, &y, 0.8f, 0.6f - 0.001f * r);
  out[i] = make_float2(x, y);
}
__global__ void turn_by_value(const float2 *__restrict__ in, float2 *__restrict__ out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v = in[i];
  for (int r = 0; r < rounds; ++r) v = turned(v, 0.8f, 0.6f - 0.001f * r);
  out[i] = v;
}

// ---- constant memory ---------------------------------------------------------------------------------------------------
__constant__ float4 c_palette[256];
__constant__ float c_taps[64 * 8];
__constant__ float c_phase[64 * 3];
__constant__ float c_cosine[64];
__constant__ float c_ladder[160];
// An array of structs in constant memory, chosen by each pixel's byte.
__global__ void palette_const(const unsigned char *__restrict__ pixel, float4 *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = c_palette[pixel[i]];
}
__global__ void palette_shared(const unsigned char *__restrict__ pixel, const float4 *__restrict__ palette, float4 *__restrict__ out, int n) {
  __shared__ float4 copy[256];
  copy[threadIdx.x] = palette[threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) out[i] = copy[pixel[i]];
}
__global__ void taps8_const(const float *__restrict__ in, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, tap = threadIdx.x & 7;
  float x = in[i], s = 0.0f;
#pragma unroll 4
  for (int r = 0; r < 64; ++r) s = fmaf(s, x, c_taps[r * 8 + tap]);
  out[i] = s;
}
__global__ void taps8_shared(const float *__restrict__ in, const float *__restrict__ taps, float *__restrict__ out) {
  __shared__ float copy[512];
  for (int k = threadIdx.x; k < 512; k += blockDim.x) copy[k] = taps[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, tap = threadIdx.x & 7;
  float x = in[i], s = 0.0f;
#pragma unroll 4
  for (int r = 0; r < 64; ++r) s = fmaf(s, x, copy[r * 8 + tap]);
  out[i] = s;
}
__global__ void phase3_const(const float *__restrict__ in, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, phase = i % 3;
  float x = in[i], s = 0.0f;
#pragma unroll 4
  for (int r = 0; r < 64; ++r) s = fmaf(s, x, c_phase[r * 3 + phase]);
  out[i] = s;
}
__global__ void phase3_shared(const float *__restrict__ in, const float *__restrict__ phases, float *__restrict__ out) {
  __shared__ float copy[192];
  if (threadIdx.x < 192) copy[threadIdx.x] = phases[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, phase = i % 3;
  float x = in[i], s = 0.0f;
#pragma unroll 4
  for (int r = 0; r < 64; ++r) s = fmaf(s, x, copy[r * 3 + phase]);
  out[i] = s;
}
__global__ void cosine_series(const float *__restrict__ in, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], s = 0.0f, u = 1.0f;
  for (int r = 0; r < 6; ++r) {
#pragma unroll 16
    for (int k = 0; k < 64; ++k) s = fmaf(s, x, c_cosine[k] * u);
    u *= 0.9f;
  }
  out[i] = s;
}

// ---- layout: fields of structs -----------------------------------------------------------------------------------------
struct Mark {
  float x, y, z, size;
  int kind;
};  // 20 bytes
__global__ void mark_sizes(const Mark *__restrict__ p, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = p[i].size * 0.5f;
}
__global__ void mark_sizes_plane(const float *__restrict__ size, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = size[i] * 0.5f;
}
struct Triple {
  float x, y, z;
};
struct Agent {
  Triple at, speed;
  int group[3];
  float heat;
};  // 40 bytes, structs within
__global__ void __launch_bounds__(512) agents_fall(Agent *p, int n, float dt) {
  int i = blockIdx.x * 512 + threadIdx.x;
  if (i < n) p[i].at.y += p[i].speed.y * dt;
}
__global__ void __launch_bounds__(512) agents_fall_planes(float *__restrict__ y, const float *__restrict__ speed, int n, float dt) {
  int i = blockIdx.x * 512 + threadIdx.x;
  if (i < n) y[i] += speed[i] * dt;
}
struct Track {
  double state[6];
  double error[9];
  double length, chi2;
};  // 136 bytes
__global__ void __launch_bounds__(64) tracks_score(Track *p, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) p[i].chi2 = p[i].state[1] * p[i].error[4];
}
__global__ void __launch_bounds__(64) tracks_score_planes(const double *__restrict__ state, const double *__restrict__ error,
                                                          double *__restrict__ chi2, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) chi2[i] = state[i] * error[i];
}
struct Site {
  double mass;
  int id, flags, next, owner;
};  // 24 bytes
__global__ void site_masses(const Site *__restrict__ p, double *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = p[i].mass * 1.5;
}
__global__ void site_masses_plane(const double *__restrict__ mass, double *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = mass[i] * 1.5;
}

// ---- shared memory banks -----------------------------------------------------------------------------------------------
struct Node {
  float w, x, y, z, m, p, q, r;
};  // 8 words: lanes share four banks
__global__ void __launch_bounds__(256) nodes_struct(const float *__restrict__ in, float *__restrict__ out, int rounds) {
  __shared__ Node node[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  node[t].w = in[i];
  node[t].m = in[i + 256];
  __syncthreads();
  float s = 0.0f;
#pragma unroll 4
  for (int r = 0; r < rounds; ++r) {
    int j = (t + r * 3) & 255;
    s = fmaf(node[j].w, node[j].m, s * 0.5f);
  }
  out[i] = s;
}
__global__ void __launch_bounds__(256) nodes_planes(const float *__restrict__ in, float *__restrict__ out, int rounds) {
  __shared__ float w[256], m[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  w[t] = in[i];
  m[t] = in[i + 256];
  __syncthreads();
  float s = 0.0f;
#pragma unroll 4
  for (int r = 0; r < rounds; ++r) {
    int j = (t + r * 3) & 255;
    s = fmaf(w[j], m[j], s * 0.5f);
  }
  out[i] = s;
}
// Transpose of 2-byte elements: a tile of 64 x 64, read down its columns.
template <int PITCH>
__device__ __forceinline__ void flip_u16(const ushort2 *__restrict__ in, ushort2 *__restrict__ out, int w2) {
  __shared__ unsigned short tile[64][PITCH];
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int y = ty; y < 64; y += 8) {
    ushort2 v = in[(size_t)(blockIdx.y * 64 + y) * w2 + blockIdx.x * 32 + tx];
    tile[y][2 * tx] = v.x;
    tile[y][2 * tx + 1] = v.y;
  }
  __syncthreads();
  for (int c = ty; c < 64; c += 8)
    out[(size_t)(blockIdx.x * 64 + c) * w2 + blockIdx.y * 32 + tx] = make_ushort2(tile[2 * tx][c], tile[2 * tx + 1][c]);
}
__global__ void __launch_bounds__(256) flip_u16_pitch64(const ushort2 *__restrict__ in, ushort2 *__restrict__ out, int w2) {
  flip_u16<64>(in, out, w2);
}
__global__ void __launch_bounds__(256) flip_u16_pitch66(const ushort2 *__restrict__ in, ushort2 *__restrict__ out, int w2) {
  flip_u16<66>(in, out, w2);
}
// A tile of doubles read at every second element, against next to each other.
template <int STEP>
__device__ __forceinline__ void tile_doubles(const double *__restrict__ in, double *__restrict__ out, int rounds) {
  __shared__ double tile[1024];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = t; k < 1024; k += 256) tile[k] = in[(size_t)blockIdx.x * 256 + k];
  __syncthreads();
  double s = 0.0, u = 0.0;
#pragma unroll 4
  for (int r = 0; r < rounds; ++r) {
    s += tile[(t * STEP + r) & 1023];
    u = fmax(u, tile[(t * STEP + r + 512) & 1023]);
  }
  out[i] = s + u;
}
__global__ void __launch_bounds__(256) tile_doubles_step4(const double *__restrict__ in, double *__restrict__ out, int rounds) {
  tile_doubles<4>(in, out, rounds);
}
__global__ void __launch_bounds__(256) tile_doubles_step1(const double *__restrict__ in, double *__restrict__ out, int rounds) {
  tile_doubles<1>(in, out, rounds);
}

// ---- coalescing --------------------------------------------------------------------------------------------------------
__global__ void __launch_bounds__(128) row_pointers_thread(const float *const *__restrict__ rows, float *__restrict__ out, int n) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= n) return;
  const float *row = rows[r];
  float s = 0.0f;
  for (int k = 0; k < 64; ++k) s += row[k] * row[k];
  out[r] = s;
}
__global__ void __launch_bounds__(128) row_pointers_warp(const float *const *__restrict__ rows, float *__restrict__ out, int n) {
  int r = (blockIdx.x * 128 + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (r >= n) return;
  const float *row = rows[r];
  float p = row[lane], q = row[lane + 32];
  float s = warp_sum(p * p + q * q);
  if (lane == 0) out[r] = s;
}
__global__ void jagged_thread(const int *__restrict__ start, const float *__restrict__ in, float *__restrict__ out, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float top = 0.0f;
  for (int k = start[r]; k < start[r + 1]; ++k) top = fmaxf(top, in[k]);
  out[r] = top;
}
__global__ void jagged_group8(const int *__restrict__ start, const float *__restrict__ in, float *__restrict__ out, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, r = i >> 3, lane = i & 7;
  if (r >= rows) return;
  float top = 0.0f;
  for (int k = start[r] + lane; k < start[r + 1]; k += 8) top = fmaxf(top, in[k]);
  for (int d = 4; d > 0; d >>= 1) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));
  if (lane == 0) out[r] = top;
}
__global__ void flip_i64_plain(const long long *__restrict__ in, long long *__restrict__ out, int w) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[(size_t)x * w + y] = in[(size_t)y * w + x];
}
__global__ void flip_i64_tiled(const long long *__restrict__ in, long long *__restrict__ out, int w) {
  __shared__ long long tile[32][33];
  int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
  for (int k = ty; k < 32; k += 8) tile[k][tx] = in[(size_t)(y0 + k) * w + x0 + tx];
  __syncthreads();
  for (int k = ty; k < 32; k += 8) out[(size_t)(x0 + k) * w + y0 + tx] = tile[tx][k];
}
// Windows of a warp's width at random places: from any element, or from a multiple of 32.
__global__ void windows(const float *__restrict__ in, const int *__restrict__ at, float *__restrict__ out, int mask, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, warp = i >> 5, lane = i & 31;
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) s += in[(size_t)(at[warp * 8 + k] & mask) * 32 + offset + lane];
  out[i] = s;
}
__global__ void windows_u16(const unsigned short *__restrict__ in, const int *__restrict__ at, int *__restrict__ out, int mask, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, warp = i >> 5, lane = i & 31;
  int s = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) s += in[(size_t)(at[warp * 8 + k] & mask) * 32 + offset + lane];
  out[i] = s;
}

// ---- narrow accesses ---------------------------------------------------------------------------------------------------
__global__ void bf16_blend(const __nv_bfloat16 *__restrict__ x, const __nv_bfloat16 *__restrict__ y, __nv_bfloat16 *__restrict__ out, int n, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __float2bfloat16(fmaf(a, __bfloat162float(x[i]), __bfloat162float(y[i])));
}
__device__ __forceinline__ unsigned blend_pair(unsigned p, unsigned q, float a) {
  float lo = fmaf(a, __uint_as_float(p << 16), __uint_as_float(q << 16));
  float hi = fmaf(a, __uint_as_float(p & 0xffff0000u), __uint_as_float(q & 0xffff0000u));
  return (unsigned)__bfloat16_as_ushort(__float2bfloat16(lo)) | ((unsigned)__bfloat16_as_ushort(__float2bfloat16(hi)) << 16);
}
__global__ void bf16_blend8(const uint4 *__restrict__ x, const uint4 *__restrict__ y, uint4 *__restrict__ out, int n8, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n8) return;
  uint4 p = x[i], q = y[i];
  out[i] = make_uint4(blend_pair(p.x, q.x, a), blend_pair(p.y, q.y, a), blend_pair(p.z, q.z, a), blend_pair(p.w, q.w, a));
}
__global__ void mask_bytes(const float *__restrict__ in, unsigned char *__restrict__ out, int n, float level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > level;
}
__global__ void mask_bytes16(const float4 *__restrict__ in, uchar4 *__restrict__ out, int n4, float level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 v = in[i];
  out[i] = make_uchar4(v.x > level, v.y > level, v.z > level, v.w > level);
}
__global__ void invert_u3(uchar3 *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar3 v = p[i];
  p[i] = make_uchar3((unsigned char)(255 - v.x), (unsigned char)(255 - v.y), (unsigned char)(255 - v.z));
}
__global__ void invert_u3_wide(uint4 *p, int n16) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n16) return;
  uint4 v = p[i];
  p[i] = make_uint4(~v.x, ~v.y, ~v.z, ~v.w);
}
__global__ void length3(const float *__restrict__ p, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = p[3 * (size_t)i], y = p[3 * (size_t)i + 1], z = p[3 * (size_t)i + 2];
  out[i] = x * x + y * y + z * z;
}
__global__ void length3_wide(const float4 *__restrict__ p, float4 *__restrict__ out, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 u = p[3 * (size_t)i], v = p[3 * (size_t)i + 1], w = p[3 * (size_t)i + 2];
  out[i] = make_float4(u.x * u.x + u.y * u.y + u.z * u.z, u.w * u.w + v.x * v.x + v.y * v.y, v.z * v.z + v.w * v.w + w.x * w.x,
                       w.y * w.y + w.z * w.z + w.w * w.w);
}

// ---- possible aliasing -------------------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256) smooth_plain(float *out, float *in, float *weight) {
  int first = blockIdx.x * 2048 + threadIdx.x + 1;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    int i = first + k * 256;
    out[i] = in[i - 1] * weight[0] + in[i] * weight[1] + in[i + 1] * weight[2];
  }
}
__global__ void __launch_bounds__(256) smooth_restrict(float *__restrict__ out, const float *__restrict__ in, const float *__restrict__ weight) {
  int first = blockIdx.x * 2048 + threadIdx.x + 1;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    int i = first + k * 256;
    out[i] = in[i - 1] * weight[0] + in[i] * weight[1] + in[i + 1] * weight[2];
  }
}
__global__ void gather_sum_plain(float *y, float *value, int *column, float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; ++k) y[i] += value[(size_t)k * n + i] * x[column[(size_t)k * n + i] & 1023];
}
__global__ void gather_sum_restrict(float *__restrict__ y, const float *__restrict__ value, const int *__restrict__ column,
                                    const float *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += value[(size_t)k * n + i] * x[column[(size_t)k * n + i] & 1023];
  y[i] = s;
}
__global__ void __launch_bounds__(64) tally_plain(long long *sum, long long *in, int n, int rounds) {
  int i = blockIdx.x * 64 + threadIdx.x;
  sum[i] = 0;
  for (int k = 0; k < rounds; ++k) sum[i] += in[(size_t)k * n + i];
}
__global__ void __launch_bounds__(64) tally_register(long long *__restrict__ sum, const long long *__restrict__ in, int n, int rounds) {
  int i = blockIdx.x * 64 + threadIdx.x;
  long long s = 0;
#pragma unroll 8
  for (int k = 0; k < rounds; ++k) s += in[(size_t)k * n + i];
  sum[i] = s;
}

// ---- atomics: on 1, 4 and 32 addresses ---------------------------------------------------------------------------------
__global__ void energy_each(const float *__restrict__ v, double *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, 0.5 * v[i] * v[i]);
}
__global__ void energy_block(const float *__restrict__ v, double *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e = i < n ? 0.5f * v[i] * v[i] : 0.0f;
  e = block_sum(e);
  if (threadIdx.x == 0) atomicAdd(total, (double)e);
}
__global__ void votes4_each(const int *__restrict__ in, unsigned *votes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&votes[in[i] & 3], 1u);
}
__global__ void votes4_register(const int *__restrict__ in, unsigned *votes, int n) {
  unsigned count[4] = {0, 0, 0, 0};
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int v = in[i] & 3;
    count[0] += v == 0;
    count[1] += v == 1;
    count[2] += v == 2;
    count[3] += v == 3;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float s = block_sum((float)count[k]);
    if (threadIdx.x == 0) atomicAdd(&votes[k], (unsigned)s);
  }
}
__global__ void peaks32_each(const int *__restrict__ in, int *peak, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(&peak[i & 31], in[i]);
}
__global__ void peaks32_block(const int *__restrict__ in, int *peak, int n) {
  __shared__ int top[8][32];
  int t = threadIdx.x, v = 0;
#pragma unroll 4
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) v = max(v, in[i]);
  top[t >> 5][t & 31] = v;
  __syncthreads();
  if (t < 32) {
    for (int k = 0; k < 8; ++k) v = max(v, top[k][t]);
    atomicMax(&peak[t], v);
  }
}
// A product kept by compare and swap, which has no instruction of its own.
__device__ __forceinline__ void scale_by_swap(unsigned *at, float by) {
  unsigned seen = *at, expected;
  do {
    expected = seen;
    seen = atomicCAS(at, expected, __float_as_uint(__uint_as_float(expected) * by));
  } while (seen != expected);
}
__global__ void product_each(const float *__restrict__ in, unsigned *product) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  scale_by_swap(&product[threadIdx.x & 31], 1.0f + 0.0001f * in[i]);
}
__global__ void product_block(const float *__restrict__ in, unsigned *product) {
  __shared__ float part[8][32];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t >> 5][t & 31] = 1.0f + 0.0001f * in[i];
  __syncthreads();
  if (t < 32) {
    float p = part[0][t];
    for (int k = 1; k < 8; ++k) p *= part[k][t];
    scale_by_swap(&product[t], p);
  }
}
__global__ void bytes_histogram(const uchar4 *__restrict__ in, unsigned *bins, int n4, unsigned char mask) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n4; i += gridDim.x * 256) {
    uchar4 v = in[i];
    atomicAdd(&own[v.x & mask], 1u);
    atomicAdd(&own[v.y & mask], 1u);
    atomicAdd(&own[v.z & mask], 1u);
    atomicAdd(&own[v.w & mask], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// ---- divergence: each kernel runs on mixed data, then on data grouped by warp ------------------------------------------
__global__ void eight_ways(const int *__restrict__ way, const float *__restrict__ in, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  switch (way[i] & 7) {
    case 0:
#pragma unroll 1
      for (int k = 0; k < 24; ++k) x = __sinf(x + 0.1f);
      break;
    case 1:
#pragma unroll 1
      for (int k = 0; k < 24; ++k) x = __expf(-x) + x * x;
      break;
    case 2:
#pragma unroll 1
      for (int k = 0; k < 24; ++k) x = rsqrtf(x + 1.0f) + 0.5f * x;
      break;
    case 3:
#pragma unroll 1
      for (int k = 0; k < 48; ++k) x = fmaf(x, 0.7f, x * x * 0.1f);
      break;
    case 4:
#pragma unroll 1
      for (int k = 0; k < 24; ++k) x = (mix32(__float_as_uint(x)) >> 8) * 5.9604645e-8f;
      break;
    case 5:
#pragma unroll 1
      for (int k = 0; k < 24; ++k) x = __logf(x + 2.0f) * 0.9f;
      break;
    case 6:
#pragma unroll 1
      for (int k = 0; k < 16; ++k) x = (x + 0.3f) / (x + 1.7f);
      break;
    default:
#pragma unroll 1
      for (int k = 0; k < 48; ++k) x = fminf(x * 1.3f, 2.0f - x);
      break;
  }
  out[i] = x;
}
__global__ void while_left(const int *__restrict__ trips, const float *__restrict__ in, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, left = trips[i];
  float x = in[i];
  while (left > 0) {
    x = fmaf(x, 0.9f, 0.3f) * fmaf(x, 0.2f, 0.7f);
    --left;
  }
  out[i] = x;
}
__global__ void leave_early(const int *__restrict__ alive, const float *__restrict__ in, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!alive[i]) return;
  float x = in[i];
#pragma unroll 1
  for (int k = 0; k < 96; ++k) x = __sinf(x) * 1.1f + rsqrtf(x * x + 1.0f);
  out[i] = x;
}

// ---- launches: too few blocks, a short second wave, too few warps ------------------------------------------------------
__global__ void sum_i64(const long long *__restrict__ in, long long *__restrict__ out, int n) {
  long long s = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void series_points(const float *__restrict__ in, float *__restrict__ out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float x = in[i], s = 1.0f;
#pragma unroll 8
    for (int k = 0; k < 64; ++k) s = fmaf(s, x, 0.25f) * 0.99f;
    out[i] = s;
  }
}
__global__ void top_u16(const unsigned short *__restrict__ in, int *__restrict__ out, int n) {
  int top = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) top = max(top, (int)in[i]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = top;
}
__global__ void __launch_bounds__(1024, 2) slab_steps(const float *__restrict__ in, float *__restrict__ out, int steps) {
  int i = blockIdx.x * 1024 + threadIdx.x;
  float p = in[i], q = in[i + 1], r = in[i + 2], s = in[i + 3];
#pragma unroll 4
  for (int k = 0; k < steps; ++k) {
    p = fmaf(p, 0.9f, 0.1f);
    q = fmaf(q, 0.8f, 0.2f);
    r = fmaf(r, 0.7f, 0.3f);
    s = fmaf(s, 0.6f, 0.4f);
  }
  out[i] = p + q + r + s;
}
// A walk of a warp over whole lines at random places, each found from the line before: only other warps hide the wait.
__global__ void line_walk(const float *__restrict__ in, float *__restrict__ out, int steps, unsigned mask) {
  extern __shared__ float last[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  unsigned line = mix32(i >> 5);
  float s = 0.0f;
  for (int k = 0; k < steps; ++k) {
    float v = in[(size_t)(line & mask) * 32 + lane];
    s += v;
    line = mix32(line + k + __float_as_uint(__shfl_sync(0xffffffffu, v, 0)));
  }
  last[threadIdx.x] = s;
  __syncthreads();
  out[i] = last[threadIdx.x ^ 1];
}
// The same walk with a polynomial of 160 coefficients at each step: in registers, or as operands from constant memory.
__global__ void __launch_bounds__(128) ladder_registers(const float *__restrict__ in, const float *__restrict__ coef, float *__restrict__ out,
                                                       int steps, unsigned mask) {
  int i = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x & 31;
  float w[160];
#pragma unroll
  for (int k = 0; k < 160; ++k) w[k] = coef[k] * 0.99f;
  unsigned line = mix32(i >> 5);
  float p = 0.0f, q = 0.0f, r = 0.0f, s = 0.0f;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    float v = in[(size_t)(line & mask) * 32 + lane];
    line = mix32(line + step + __float_as_uint(__shfl_sync(0xffffffffu, v, 0)));
#pragma unroll
    for (int k = 0; k < 160; k += 4) {
      p = fmaf(p, v, w[k]);
      q = fmaf(q, v, w[k + 1]);
      r = fmaf(r, v, w[k + 2]);
      s = fmaf(s, v, w[k + 3]);
    }
  }
  out[i] = p + q + r + s;
}
__global__ void __launch_bounds__(128) ladder_constants(const float *__restrict__ in, float *__restrict__ out, int steps, unsigned mask) {
  int i = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x & 31;
  unsigned line = mix32(i >> 5);
  float p = 0.0f, q = 0.0f, r = 0.0f, s = 0.0f;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    float v = in[(size_t)(line & mask) * 32 + lane];
    line = mix32(line + step + __float_as_uint(__shfl_sync(0xffffffffu, v, 0)));
#pragma unroll
    for (int k = 0; k < 160; k += 4) {
      p = fmaf(p, v, c_ladder[k]);
      q = fmaf(q, v, c_ladder[k + 1]);
      r = fmaf(r, v, c_ladder[k + 2]);
      s = fmaf(s, v, c_ladder[k + 3]);
    }
  }
  out[i] = p + q + r + s;
}

// ---- double arithmetic on floats ---------------------------------------------------------------------------------------
__global__ void tone_pow(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = pow(in[i] + 0.01, 1.0 / 2.2);
}
__global__ void tone_powf(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = powf(in[i] + 0.01f, 1.0f / 2.2f);
}
__global__ void __launch_bounds__(512) bell_exp(const float *__restrict__ in, float *__restrict__ out, int n, float sigma) {
  int i = blockIdx.x * 512 + threadIdx.x;
  if (i < n) out[i] = exp(-0.5 * in[i] * in[i]) / sqrt(6.2831853 * (in[i] + sigma));
}
__global__ void __launch_bounds__(512) bell_expf(const float *__restrict__ in, float *__restrict__ out, int n, float sigma) {
  int i = blockIdx.x * 512 + threadIdx.x;
  if (i < n) out[i] = expf(-0.5f * in[i] * in[i]) / sqrtf(6.2831853f * (in[i] + sigma));
}

// ---- two causes --------------------------------------------------------------------------------------------------------
// Runs of 16 floats a thread, and a double exponential of each.
__global__ void runs_exp(const float *__restrict__ in, float *__restrict__ out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int k = 0; k < 16; ++k)
    if (first + k < n) out[first + k] = exp(-1.5 * in[first + k]);
}
__global__ void runs_expf(const float *__restrict__ in, float *__restrict__ out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int k = 0; k < 16; ++k)
    if (first + k < n) out[first + k] = expf(-1.5f * in[first + k]);
}
__global__ void spread_exp(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (; i < n; i += step) out[i] = exp(-1.5 * in[i]);
}
__global__ void spread_expf(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (; i < n; i += step) out[i] = expf(-1.5f * in[i]);
}
// Bytes one at a time, from few blocks.
__global__ void parity_bytes(const unsigned char *__restrict__ in, int *__restrict__ out, int n) {
  int s = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s ^= in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void parity_bytes16(const uint4 *__restrict__ in, unsigned *__restrict__ out, int n16) {
  unsigned s = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n16; i += gridDim.x * blockDim.x) {
    uint4 v = in[i];
    s ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
// One field of 40 bytes, added to one address.
__global__ void heat_each(const Agent *__restrict__ p, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, p[i].heat);
}
__global__ void heat_block(const Agent *__restrict__ p, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = block_sum(i < n ? p[i].heat : 0.0f);
  if (threadIdx.x == 0) atomicAdd(sum, s);
}
__global__ void heat_plane_each(const float *__restrict__ heat, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, heat[i]);
}

// ---- healthy: arithmetic -----------------------------------------------------------------------------------------------
// c = a * b with tiles of 128 x 128 x 8 and 64 sums a thread; a's tile is kept transposed, the next one is fetched early.
__global__ void __launch_bounds__(256, 2) gemm_blocked(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k) {
  __shared__ __align__(16) float ta[8][132];
  __shared__ __align__(16) float tb[8][128];
  int t = threadIdx.x, tx = t & 15, ty = t >> 4;
  int ar = t >> 1, ak = (t & 1) * 4, bk = t >> 5, bc = (t & 31) * 4;
  const float *pa = a + (size_t)(blockIdx.y * 128 + ar) * k + ak;
  const float *pb = b + (size_t)bk * n + blockIdx.x * 128 + bc;
  float sum[8][8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) sum[i][j] = 0.0f;
  float4 va = *reinterpret_cast<const float4 *>(pa), vb = *reinterpret_cast<const float4 *>(pb);
  for (int k0 = 0; k0 < k; k0 += 8) {
    ta[ak][ar] = va.x;
    ta[ak + 1][ar] = va.y;
    ta[ak + 2][ar] = va.z;
    ta[ak + 3][ar] = va.w;
    *reinterpret_cast<float4 *>(&tb[bk][bc]) = vb;
    __syncthreads();
    if (k0 + 8 < k) {
      va = *reinterpret_cast<const float4 *>(pa + k0 + 8);
      vb = *reinterpret_cast<const float4 *>(pb + (size_t)(k0 + 8) * n);
    }
#pragma unroll
    for (int q = 0; q < 8; ++q) {
      float4 a0 = *reinterpret_cast<const float4 *>(&ta[q][ty * 4]), a1 = *reinterpret_cast<const float4 *>(&ta[q][64 + ty * 4]);
      float4 b0 = *reinterpret_cast<const float4 *>(&tb[q][tx * 4]), b1 = *reinterpret_cast<const float4 *>(&tb[q][64 + tx * 4]);
      float x[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      float y[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(x[i], y[j], sum[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    float *row = c + (size_t)(blockIdx.y * 128 + (i < 4 ? ty * 4 + i : 60 + ty * 4 + i)) * n + blockIdx.x * 128 + tx * 4;
    *reinterpret_cast<float4 *>(row) = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
    *reinterpret_cast<float4 *>(row + 64) = make_float4(sum[i][4], sum[i][5], sum[i][6], sum[i][7]);
  }
}
__global__ void pi_darts(const unsigned *__restrict__ seed, unsigned *__restrict__ inside, int darts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = seed[i] | 1u, hits = 0;
  for (int k = 0; k < darts; ++k) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    unsigned x = s >> 16, y = s & 65535u;
    hits += x * x / 2 + y * y / 2 < 2147483648u;
  }
  inside[i] = hits;
}
__global__ void logistic_chain(const float *__restrict__ in, float *__restrict__ out, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
#pragma unroll 8
  for (int k = 0; k < steps; ++k) x = 3.7f * x * (1.0f - x);
  out[i] = x;
}
// Eight warps an SM by its shared memory, and eight independent chains a thread: the float pipe is full all the same.
__global__ void __launch_bounds__(128) few_warps_fma(const float *__restrict__ in, float *__restrict__ out, int steps) {
  extern __shared__ float room[];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = in[i + k];
#pragma unroll 4
  for (int q = 0; q < steps; ++q) {
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = fmaf(v[k], 0.99f, 0.01f);
  }
  room[t] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
  __syncthreads();
  out[i] = room[t ^ 1];
}
__global__ void rsqrt_rounds(const float *__restrict__ in, float *__restrict__ out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] + 1.0f, y = in[i] + 2.0f;
#pragma unroll 8
  for (int k = 0; k < rounds; ++k) {
    x = rsqrtf(x) + 1.0f;
    y = rsqrtf(y) + 2.0f;
  }
  out[i] = x + y;
}
__global__ void double_orbits(const double *__restrict__ in, double *__restrict__ out, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = in[i], y = in[i + 1], u = 0.0, v = 1.0;
  for (int k = 0; k < steps; ++k) {
    u = fma(-0.001, x, u);
    v = fma(-0.001, y, v);
    x = fma(0.001, u, x);
    y = fma(0.001, v, y);
  }
  out[i] = x + y;
}
// Butterflies of a transform of 32 points, between the lanes of a warp.
__global__ void butterflies(const float2 *__restrict__ in, float2 *__restrict__ out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  float2 v = in[i];
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int d = 16; d > 0; d >>= 1) {
      float x = __shfl_xor_sync(0xffffffffu, v.x, d), y = __shfl_xor_sync(0xffffffffu, v.y, d);
      float sign = lane & d ? -0.7f : 0.7f;
      float p = fmaf(sign, v.x, x * 0.7f), q = fmaf(sign, v.y, y * 0.7f);
      v.x = 0.8f * p - 0.6f * q;
      v.y = 0.6f * p + 0.8f * q;
    }
  }
  out[i] = v;
}

// ---- healthy: memory ---------------------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256) copy_two_stages(const float4 *__restrict__ in, float4 *__restrict__ out, int n4) {
  __shared__ float4 stage[2][256];
  int t = threadIdx.x, step = gridDim.x * 256, i = blockIdx.x * 256 + t, k = 0;
  if (i < n4) __pipeline_memcpy_async(&stage[0][t], &in[i], 16);
  __pipeline_commit();
  for (; i < n4; i += step, k ^= 1) {
    if (i + step < n4) __pipeline_memcpy_async(&stage[k ^ 1][t], &in[i + step], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    float4 v = stage[k][t];
    out[i] = make_float4(v.x * 2.0f, v.y * 2.0f, v.z * 2.0f, v.w * 2.0f);
  }
}
__global__ void copy_pairs16(const uint4 *__restrict__ in, uint4 *__restrict__ out) {
  size_t i = (size_t)blockIdx.x * 512 + threadIdx.x;
  uint4 p = in[i], q = in[i + 256];
  out[i] = p;
  out[i + 256] = q;
}
__global__ void copy_doubles4(const double *__restrict__ in, double *__restrict__ out, double a) {
  size_t i = (size_t)blockIdx.x * 1024 + threadIdx.x;
  double p = in[i], q = in[i + 256], r = in[i + 512], s = in[i + 768];
  out[i] = p * a;
  out[i + 256] = q * a;
  out[i + 512] = r * a;
  out[i + 768] = s * a;
}
__global__ void scale_many(const float *__restrict__ in, float *__restrict__ out, float a) {
  size_t first = (size_t)blockIdx.x * 4096 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 16; ++k) out[first + k * 256] = in[first + k * 256] * a;
}
__global__ void complex_multiply(const float2 *__restrict__ x, const float2 *__restrict__ y, float2 *__restrict__ out) {
  size_t first = (size_t)blockIdx.x * 1024 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float2 p = x[first + k * 256], q = y[first + k * 256];
    out[first + k * 256] = make_float2(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x);
  }
}
__global__ void sum_float4(const float4 *__restrict__ in, float *__restrict__ out, int n4) {
  float s = 0.0f;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
    float4 v = in[i];
    s += v.x + v.y + v.z + v.w;
  }
  s = block_sum(s);
  if (threadIdx.x == 0) out[blockIdx.x] = s;
}
__global__ void dot_int8(const int4 *__restrict__ x, const int4 *__restrict__ y, int *__restrict__ out, int n16) {
  int s = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n16; i += gridDim.x * blockDim.x) {
    int4 p = x[i], q = y[i];
    s = __dp4a(p.x, q.x, s);
    s = __dp4a(p.y, q.y, s);
    s = __dp4a(p.z, q.z, s);
    s = __dp4a(p.w, q.w, s);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
// A gather whose indices stay within a group of four: every request touches the sectors it must.
__global__ void gather_near(const int *__restrict__ index, const float *__restrict__ in, float *__restrict__ out) {
  size_t first = (size_t)blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; ++k) out[first + k * 256] = in[index[first + k * 256]];
}
__global__ void spmv_band(const int *__restrict__ column, const float *__restrict__ value, const float *__restrict__ x, float *__restrict__ y, int rows) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (r >= rows) return;
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 256; k += 32) s += value[(size_t)r * 256 + k + lane] * x[column[(size_t)r * 256 + k + lane]];
  s = warp_sum(s);
  if (lane == 0) y[r] = s;
}
__global__ void softmax_warp(const float4 *__restrict__ in, float4 *__restrict__ out) {
  size_t row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int lane = threadIdx.x & 31;
  float4 v[8];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = in[row * 256 + k * 32 + lane];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    v[k] = make_float4(__expf(v[k].x), __expf(v[k].y), __expf(v[k].z), __expf(v[k].w));
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  float scale = 1.0f / warp_sum(sum);
#pragma unroll
  for (int k = 0; k < 8; ++k) out[row * 256 + k * 32 + lane] = make_float4(v[k].x * scale, v[k].y * scale, v[k].z * scale, v[k].w * scale);
}
__global__ void bitonic_pass(int4 *data, int apart, int up) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = (i / apart) * 2 * apart + i % apart;
  int4 p = data[at], q = data[at + apart];
  int4 lo = make_int4(min(p.x, q.x), min(p.y, q.y), min(p.z, q.z), min(p.w, q.w));
  int4 hi = make_int4(max(p.x, q.x), max(p.y, q.y), max(p.z, q.z), max(p.w, q.w));
  data[at] = up ? lo : hi;
  data[at + apart] = up ? hi : lo;
}
__global__ void ramp_double2(double2 *__restrict__ out, const double *__restrict__ step) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = make_double2(i * step[0], i * step[1]);
}
// Sixteen MiB that the L2 holds, read by every group of blocks.
__global__ void reread_l2(const float4 *__restrict__ in, float *__restrict__ out, int per, unsigned mask) {
  unsigned at = blockIdx.x * per + threadIdx.x;
  float s = 0.0f;
#pragma unroll 8
  for (int k = 0; k < per; k += 256) {
    float4 v = in[(at + k) & mask];
    s += v.x + v.y + v.z + v.w;
  }
  out[blockIdx.x * 256 + threadIdx.x] = s;
}
__global__ void laplace2d_wide(const float4 *__restrict__ in, float4 *__restrict__ out, int w4, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w4 - 1 || y >= h - 1) return;
  const float4 *at = in + (size_t)y * w4 + x;
  const float *flat = reinterpret_cast<const float *>(at);
  float4 c = at[0], u = at[-w4], d = at[w4];
  float l = flat[-1], r = flat[4];
  out[(size_t)y * w4 + x] = make_float4(l + c.y + u.x + d.x - 4.0f * c.x, c.x + c.z + u.y + d.y - 4.0f * c.y,
                                        c.y + c.w + u.z + d.z - 4.0f * c.z, c.z + r + u.w + d.w - 4.0f * c.w);
}
__global__ void laplace3d_shared(const float *__restrict__ in, float *__restrict__ out, int w, int h, int depth) {
  __shared__ float plane[10][34];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;  // the planes have a border of one element
  size_t pitch = w + 2, slice = pitch * (h + 2), at = y * pitch + x;
  float below = in[at], here = in[at + slice];
  for (int z = 1; z <= depth; ++z) {
    at += slice;
    float above = in[at + slice];
    __syncthreads();
    plane[ty][tx] = here;
    if (threadIdx.y == 0) plane[0][tx] = in[at - pitch];
    if (threadIdx.y == 7) plane[9][tx] = in[at + pitch];
    if (threadIdx.x == 0) plane[ty][0] = in[at - 1];
    if (threadIdx.x == 31) plane[ty][33] = in[at + 1];
    __syncthreads();
    out[at] = plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx] + below + above - 6.0f * here;
    below = here;
    here = above;
  }
}
__global__ void axpb_tiny(const float *__restrict__ in, float *__restrict__ out, float a, float b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fmaf(a, in[i], b);
}

// Half times half into float on the tensor cores: tiles of 64 x 64 x 32, rows of 40 halves against bank conflicts.
__global__ void __launch_bounds__(128) gemm_tensor(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, int n, int k) {
  using namespace nvcuda;
  __shared__ __align__(32) __half ta[64 * 40];
  __shared__ __align__(32) __half tb[32 * 72];
  int t = threadIdx.x, warp = t >> 5, row = (warp >> 1) * 32, col = (warp & 1) * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0.0f);
  for (int k0 = 0; k0 < k; k0 += 32) {
    for (int e = t; e < 256; e += 128) {
      int ar = e >> 2, ac = (e & 3) * 8, br = e >> 3, bc = (e & 7) * 8;
      *reinterpret_cast<uint4 *>(&ta[ar * 40 + ac]) = *reinterpret_cast<const uint4 *>(&a[(size_t)(blockIdx.y * 64 + ar) * k + k0 + ac]);
      *reinterpret_cast<uint4 *>(&tb[br * 72 + bc]) = *reinterpret_cast<const uint4 *>(&b[(size_t)(k0 + br) * n + blockIdx.x * 64 + bc]);
    }
    __syncthreads();
    for (int q = 0; q < 32; q += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(fa[i], &ta[(row + i * 16) * 40 + q], 40);
        wmma::load_matrix_sync(fb[i], &tb[q * 72 + col + i * 16], 72);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], fa[i], fb[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(&c[(size_t)(blockIdx.y * 64 + row + i * 16) * n + blockIdx.x * 64 + col + j * 16], sum[i][j], n, wmma::mem_row_major);
}

// upload copies host to the device and repeats it until it fills that many bytes.
template <class T>
static T *upload(const std::vector<T> &host, size_t bytes) {
  char *p;
  size_t have = host.size() * sizeof(T);
  if (have > bytes) have = bytes;
  CHECK(cudaMalloc(&p, bytes));
  CHECK(cudaMemcpy(p, host.data(), have, cudaMemcpyHostToDevice));
  while (have < bytes) {
    size_t more = have < bytes - have ? have : bytes - have;
    CHECK(cudaMemcpy(p + have, p, more, cudaMemcpyDeviceToDevice));
    have += more;
  }
  return reinterpret_cast<T *>(p);
}

int main(int argc, char **argv) {
  auto want = [&](const char *name) {
    if (argc < 2) return true;
    for (int i = 1; i < argc; ++i)
      if (!strcmp(argv[i], name)) return true;
    return false;
  };
  auto done = [&](const char *name) {
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess) e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
      fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(e));
      exit(1);
    }
  };
  const int P = 1 << 22, F = 1 << 24, M = 1 << 22, R = 1 << 20, Q = 1 << 19;
  std::vector<float> floats(F);
  std::vector<int> ints(P), band(4096), near(N / 2), start(R + 1);
  std::vector<int> ways(M), ways_grouped(M), trips(M), trips_grouped(M), alive(M), alive_grouped(M);
  std::vector<__half> halves(P);
  for (int i = 0; i < F; ++i) floats[i] = (mix32(i + 1) >> 8) * 5.9604645e-8f;  // 0 to below 1
  for (int i = 0; i < P; ++i) {
    ints[i] = (int)(mix32(i + 77) >> 6);  // 0 to 2^26 - 1
    halves[i] = __float2half((mix32(i + 11) >> 8) * 5.9604645e-8f);
  }
  for (int i = 0; i < 4096; ++i) band[i] = i;
  for (int i = 0; i < N / 2; ++i) near[i] = i ^ (int)(mix32(i >> 2) & 3);
  for (int i = 0; i < R; ++i) start[i + 1] = start[i] + 24 + (int)(mix32(i + 3) & 15);
  for (int i = 0; i < M; ++i) {
    ways[i] = (int)(mix32(i + 9) & 7);
    ways_grouped[i] = (i >> 7) & 7;
    trips[i] = mix32(i + 13) % 32 == 0 ? 640 : 16;
    trips_grouped[i] = (i >> 5) % 32 == 0 ? 640 : 16;
    alive[i] = mix32(i + 21) % 8 == 0;
    alive_grouped[i] = (i >> 5) % 8 == 0;
  }
  float *a = upload(floats, (size_t)N * 16);  // read only, 1 GiB
  int *idx = upload(ints, (size_t)N * 4), *band_column = upload(band, (size_t)N * 2), *near_index = upload(near, (size_t)N * 2);
  int *row_start = upload(start, (size_t)(R + 1) * 4);
  int *way = upload(ways, (size_t)M * 4), *way_grouped = upload(ways_grouped, (size_t)M * 4);
  int *trip = upload(trips, (size_t)M * 4), *trip_grouped = upload(trips_grouped, (size_t)M * 4);
  int *live = upload(alive, (size_t)M * 4), *live_grouped = upload(alive_grouped, (size_t)M * 4);
  __half *h = upload(halves, (size_t)P * 2);
  float *b = upload(floats, (size_t)N * 8), *c = upload(floats, (size_t)N * 8);  // written, 512 MiB each
  std::vector<const float *> pointers(Q);
  for (int i = 0; i < Q; ++i) pointers[i] = a + (size_t)i * 64;
  const float **rows = upload(pointers, (size_t)Q * sizeof(const float *));
  std::vector<float> ones(32, 1.0f);
  unsigned *product = reinterpret_cast<unsigned *>(upload(ones, 32 * 4));
  float *sum;
  unsigned *bins;
  CHECK(cudaMalloc(&sum, 4096));
  CHECK(cudaMemset(sum, 0, 4096));
  CHECK(cudaMalloc(&bins, 4096));
  CHECK(cudaMemset(bins, 0, 4096));
  CHECK(cudaMemcpyToSymbol(c_palette, floats.data(), 256 * 16));
  CHECK(cudaMemcpyToSymbol(c_taps, floats.data(), 512 * 4));
  CHECK(cudaMemcpyToSymbol(c_phase, floats.data(), 192 * 4));
  CHECK(cudaMemcpyToSymbol(c_cosine, floats.data(), 64 * 4));
  CHECK(cudaMemcpyToSymbol(c_ladder, floats.data(), 160 * 4));
  CHECK(cudaDeviceSynchronize());

  const int T = 256, G = N / T, S = 132 * 8, K100 = 100 * 1024;
  const float4 *a4 = reinterpret_cast<const float4 *>(a);
  const double *ad = reinterpret_cast<const double *>(a);
  const long long *al = reinterpret_cast<const long long *>(a);
  float4 *b4 = reinterpret_cast<float4 *>(b);
  double *bd = reinterpret_cast<double *>(b);
  long long *bl = reinterpret_cast<long long *>(b);
  int *bi = reinterpret_cast<int *>(b);
  unsigned *bu = reinterpret_cast<unsigned *>(b);
  const unsigned char *bytes = reinterpret_cast<const unsigned char *>(idx);

  if (want("generic")) {
    pick_ternary<<<S * 2, 256>>>(a, b, 1024, 1);
    pick_branch<<<S * 2, 256>>>(a, b, 1024, 1);
    fold_by_pointer<<<4096, 128>>>(a, b, 32, 0);
    fold_by_branch<<<4096, 128>>>(a, b, 32, 0);
    done("generic");
  }
  if (want("spill")) {
    lattice_capped<<<264, 512>>>(a, b, 64);
    lattice_free<<<264, 512>>>(a, b, 64);
    lagged_capped<<<S, 512>>>(reinterpret_cast<const unsigned long long *>(a), reinterpret_cast<unsigned long long *>(b), 32);
    lagged_free<<<S, 512>>>(reinterpret_cast<const unsigned long long *>(a), reinterpret_cast<unsigned long long *>(b), 32);
    done("spill");
  }
  if (want("local")) {
    front_list<<<2048, 128>>>(idx, bi, 32);
    front_packed<<<2048, 128>>>(idx, bi, 32);
    echo_local<<<8192, 128>>>(idx, a, b, 128);
    echo_shared<<<8192, 128>>>(idx, a, b, 128);
    turn_by_address<<<8192, T>>>(reinterpret_cast<const float2 *>(a), reinterpret_cast<float2 *>(b), 64);
    turn_by_value<<<8192, T>>>(reinterpret_cast<const float2 *>(a), reinterpret_cast<float2 *>(b), 64);
    done("local");
  }
  if (want("constant")) {
    palette_const<<<N / 8 / T, T>>>(bytes, b4, N / 8);
    palette_shared<<<S, T>>>(bytes, a4, b4, N / 8);
    taps8_const<<<M / 2 / 512, 512>>>(a, b);
    taps8_shared<<<M / 2 / 512, 512>>>(a, a, b);
    phase3_const<<<M / T, T>>>(a, b);
    phase3_shared<<<M / T, T>>>(a, a, b);
    cosine_series<<<M / T, T>>>(a, b);
    done("constant");
  }
  if (want("layout")) {
    mark_sizes<<<G / 4, T>>>(reinterpret_cast<const Mark *>(a), b, N / 4);
    mark_sizes_plane<<<G / 4, T>>>(a, b, N / 4);
    agents_fall<<<N / 8 / 512, 512>>>(reinterpret_cast<Agent *>(c), N / 8, 0.001f);
    agents_fall_planes<<<N / 8 / 512, 512>>>(c, c + N, N / 8, 0.001f);
    tracks_score<<<N / 32 / 64, 64>>>(reinterpret_cast<Track *>(c), N / 32);
    tracks_score_planes<<<N / 32 / 64, 64>>>(ad, ad + N, bd, N / 32);
    site_masses<<<G / 4, T>>>(reinterpret_cast<const Site *>(a), bd, N / 4);
    site_masses_plane<<<G / 4, T>>>(ad, bd, N / 4);
    done("layout");
  }
  if (want("bank")) {
    nodes_struct<<<4096, T>>>(a, b, 128);
    nodes_planes<<<4096, T>>>(a, b, 128);
    flip_u16_pitch64<<<dim3(128, 128), dim3(32, 8)>>>(reinterpret_cast<const ushort2 *>(idx), reinterpret_cast<ushort2 *>(b), 4096);
    flip_u16_pitch66<<<dim3(128, 128), dim3(32, 8)>>>(reinterpret_cast<const ushort2 *>(idx), reinterpret_cast<ushort2 *>(b), 4096);
    tile_doubles_step4<<<4096, T>>>(ad, bd, 64);
    tile_doubles_step1<<<4096, T>>>(ad, bd, 64);
    done("bank");
  }
  if (want("coalesce")) {
    row_pointers_thread<<<Q / 128, 128>>>(rows, b, Q);
    row_pointers_warp<<<Q / 4, 128>>>(rows, b, Q);
    jagged_thread<<<R / T, T>>>(row_start, a, b, R);
    jagged_group8<<<R * 8 / T, T>>>(row_start, a, b, R);
    flip_i64_plain<<<dim3(128, 512), dim3(32, 8)>>>(al, bl, 4096);
    flip_i64_tiled<<<dim3(128, 128), dim3(32, 8)>>>(al, bl, 4096);
    done("coalesce");
  }
  if (want("align")) {
    windows<<<32768, T>>>(a, idx, b, (1 << 22) - 1, 7);
    windows<<<32768, T>>>(a, idx, b, (1 << 22) - 1, 0);
    windows_u16<<<32768, T>>>(reinterpret_cast<const unsigned short *>(a), idx, bi, (1 << 23) - 1, 3);
    windows_u16<<<32768, T>>>(reinterpret_cast<const unsigned short *>(a), idx, bi, (1 << 23) - 1, 0);
    done("align");
  }
  if (want("narrow")) {
    bf16_blend<<<G, T>>>(reinterpret_cast<const __nv_bfloat16 *>(a), reinterpret_cast<const __nv_bfloat16 *>(a + N),
                         reinterpret_cast<__nv_bfloat16 *>(b), N, 0.5f);
    bf16_blend8<<<G / 8, T>>>(reinterpret_cast<const uint4 *>(a), reinterpret_cast<const uint4 *>(a + N), reinterpret_cast<uint4 *>(b), N / 8, 0.5f);
    mask_bytes<<<N / 1024, 1024>>>(a, reinterpret_cast<unsigned char *>(b), N, 0.5f);
    mask_bytes16<<<G / 4, T>>>(a4, reinterpret_cast<uchar4 *>(b), N / 4, 0.5f);
    invert_u3<<<G / 2, T>>>(reinterpret_cast<uchar3 *>(c), N / 2);
    invert_u3_wide<<<G / 2 * 3 / 16, T>>>(reinterpret_cast<uint4 *>(c), N / 2 / 16 * 3);
    length3<<<G / 2, T>>>(a, b, N / 2);
    length3_wide<<<G / 8, T>>>(a4, b4, N / 8);
    done("narrow");
  }
  if (want("alias")) {
    smooth_plain<<<N / 2 / 2048, 256>>>(b, a, a + N);
    smooth_restrict<<<N / 2 / 2048, 256>>>(b, a, a + N);
    gather_sum_plain<<<R / T, T>>>(b, a, idx, a + N, R);
    gather_sum_restrict<<<R / T, T>>>(b, a, idx, a + N, R);
    tally_plain<<<R / 64, 64>>>(bl, reinterpret_cast<long long *>(a), R, 32);
    tally_register<<<R / 64, 64>>>(bl, al, R, 32);
    done("alias");
  }
  if (want("atomics")) {
    energy_each<<<R / T, T>>>(a, reinterpret_cast<double *>(sum), R);
    energy_block<<<R / T, T>>>(a, reinterpret_cast<double *>(sum), R);
    votes4_each<<<M / 2 / T, T>>>(idx, bins, M / 2);
    votes4_register<<<S / 2, T>>>(idx, bins, M / 2);
    peaks32_each<<<M * 2 / T, T>>>(idx, reinterpret_cast<int *>(bins), M * 2);
    peaks32_block<<<S, T>>>(idx, reinterpret_cast<int *>(bins), M * 2);
    product_each<<<132, 256>>>(a, product);
    product_block<<<132, 256>>>(a, product);
    bytes_histogram<<<S, 256>>>(reinterpret_cast<const uchar4 *>(a), bins, N / 4, 255);
    bytes_histogram<<<S, 256>>>(reinterpret_cast<const uchar4 *>(a), bins, N / 4, 3);
    done("atomics");
  }
  if (want("diverge")) {
    eight_ways<<<M / 128, 128>>>(way, a, b);
    eight_ways<<<M / 128, 128>>>(way_grouped, a, b);
    while_left<<<M / T, T>>>(trip, a, b);
    while_left<<<M / T, T>>>(trip_grouped, a, b);
    leave_early<<<M / T, T>>>(live, a, b);
    leave_early<<<M / T, T>>>(live_grouped, a, b);
    done("diverge");
  }
  if (want("launch")) {
    sum_i64<<<20, 512>>>(al, bl, N / 8);
    sum_i64<<<528, 512>>>(al, bl, N / 8);
    series_points<<<66, 256>>>(a, b, M);
    series_points<<<S, 256>>>(a, b, M);
    top_u16<<<1, 1024>>>(reinterpret_cast<const unsigned short *>(idx), bi, N / 32);
    top_u16<<<264, 1024>>>(reinterpret_cast<const unsigned short *>(idx), bi, N / 32);
    slab_steps<<<290, 1024>>>(a, b, 2048);
    slab_steps<<<2320, 1024>>>(a, b, 256);
    done("launch");
  }
  if (want("occupancy")) {
    CHECK(cudaFuncSetAttribute(line_walk, cudaFuncAttributeMaxDynamicSharedMemorySize, K100));
    line_walk<<<8192, 128, K100>>>(a, b, 32, (1u << 23) - 1);
    line_walk<<<8192, 128, 1024>>>(a, b, 32, (1u << 23) - 1);
    line_walk<<<32768, 32, 128>>>(a, b, 32, (1u << 23) - 1);
    ladder_registers<<<4096, 128>>>(a, a, b, 16, (1u << 23) - 1);
    ladder_constants<<<4096, 128>>>(a, b, 16, (1u << 23) - 1);
    done("occupancy");
  }
  if (want("double")) {
    tone_pow<<<G / 8, T>>>(a, b, N / 8);
    tone_powf<<<G / 8, T>>>(a, b, N / 8);
    bell_exp<<<N / 4 / 512, 512>>>(a, b, N / 4, 0.01f);
    bell_expf<<<N / 4 / 512, 512>>>(a, b, N / 4, 0.01f);
    done("double");
  }
  if (want("two")) {
    runs_exp<<<G / 64, T>>>(a, b, N / 4);
    runs_expf<<<G / 64, T>>>(a, b, N / 4);
    spread_exp<<<G / 64, T>>>(a, b, N / 4);
    spread_expf<<<G / 64, T>>>(a, b, N / 4);
    parity_bytes<<<20, 256>>>(bytes, bi, N / 4);
    parity_bytes<<<S, 256>>>(bytes, bi, N / 4);
    parity_bytes16<<<20, 256>>>(reinterpret_cast<const uint4 *>(idx), bu, N / 64);
    parity_bytes16<<<S, 256>>>(reinterpret_cast<const uint4 *>(idx), bu, N / 64);
    heat_each<<<R / T, T>>>(reinterpret_cast<const Agent *>(a), sum, R);
    heat_block<<<R / T, T>>>(reinterpret_cast<const Agent *>(a), sum, R);
    heat_plane_each<<<R / T, T>>>(a, sum, R);
    done("two");
  }
  if (want("compute")) {
    gemm_blocked<<<dim3(16, 16), 256>>>(a, a + N, b, 2048, 512);
    gemm_tensor<<<dim3(32, 32), 128>>>(h, h + P / 2, b, 2048, 512);
    pi_darts<<<M / 2 / T, T>>>(reinterpret_cast<const unsigned *>(idx), bu, 64);
    logistic_chain<<<8192, T>>>(a, b, 128);
    CHECK(cudaFuncSetAttribute(few_warps_fma, cudaFuncAttributeMaxDynamicSharedMemorySize, K100));
    few_warps_fma<<<264 * 8, 128, K100>>>(a, b, 1024);
    rsqrt_rounds<<<4096, T>>>(a, b, 64);
    double_orbits<<<S * 2, T>>>(ad, bd, 512);
    butterflies<<<4096, T>>>(reinterpret_cast<const float2 *>(a), reinterpret_cast<float2 *>(b), 32);
    done("compute");
  }
  if (want("stream")) {
    copy_two_stages<<<S, 256>>>(a4, b4, N / 4);
    copy_pairs16<<<N / 4 / 512, 256>>>(reinterpret_cast<const uint4 *>(a), reinterpret_cast<uint4 *>(b));
    copy_doubles4<<<N / 2 / 1024, 256>>>(ad, bd, 0.5);
    scale_many<<<N / 4096, 256>>>(a, b, 0.5f);
    complex_multiply<<<N / 2 / 1024, 256>>>(reinterpret_cast<const float2 *>(a), reinterpret_cast<const float2 *>(a + N), reinterpret_cast<float2 *>(b));
    sum_float4<<<S, 256>>>(a4, b, N / 4);
    dot_int8<<<S, 256>>>(reinterpret_cast<const int4 *>(a), reinterpret_cast<const int4 *>(a + N), bi, N / 4);
    gather_near<<<N / 2 / 2048, 256>>>(near_index, a, b);
    spmv_band<<<N / 2 / 256 / 8, 256>>>(band_column, a, a + N, b, N / 2 / 256);
    softmax_warp<<<N / 1024 / 8, 256>>>(a4, b4);
    bitonic_pass<<<N / 8 / T, T>>>(reinterpret_cast<int4 *>(c), 1 << 14, 1);
    ramp_double2<<<G / 4, T>>>(reinterpret_cast<double2 *>(b), ad);
    reread_l2<<<4096, 256>>>(a4, b, 8192, (1u << 20) - 1);
    laplace2d_wide<<<dim3(2048 / 64, 8192 / 4), dim3(64, 4)>>>(a4, b4, 2048, 8192);
    laplace3d_shared<<<dim3(512 / 32, 512 / 8), dim3(32, 8)>>>(a, b, 512, 512, 128);
    axpb_tiny<<<4, 256>>>(a, b, 0.5f, 0.25f);
    axpb_tiny<<<1, 32>>>(a, b, 0.5f, 0.25f);
    done("stream");
  }
  puts("done");
  return 0;
}
