// Labelled kernels, written before the rules were tuned: for each problem one kernel that shows it and one that does
// the same work without it. more.causes.tsv says what is wrong with each and why.
//
// Build: nvcc -O3 -lineinfo -arch=sm_90 -std=c++17 more.cu -o more
// Run:   ./more             every group once
//        ./more NAME ...    only the named groups
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
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

// ---- generic addressing: a function that is not inlined gets a pointer of unknown space ----------------------------
__device__ __noinline__ float column_sum_called(const float *p, int rows) {
  float s = 0.f, t = 0.f;
#pragma unroll 8
  for (int k = 0; k < rows; k += 2) {
    s += p[k * 32];
    t += p[k * 32 + 32];
  }
  return s + t;
}
__device__ __forceinline__ float column_sum_inline(const float *p, int rows) {
  float s = 0.f, t = 0.f;
#pragma unroll 8
  for (int k = 0; k < rows; k += 2) {
    s += p[k * 32];
    t += p[k * 32 + 32];
  }
  return s + t;
}
static const int kRows = 64, kTileRows = kRows + 8;
__device__ __forceinline__ void fill_tile(float *tile, const float *in) {
  for (int i = threadIdx.x; i < kTileRows * 32; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
}
__global__ void __launch_bounds__(256) generic_call(const float *in, float *out, int rows, int rounds, int in_tile) {
  __shared__ float tile[kTileRows * 32];
  fill_tile(tile, in);
  const float *p = in_tile ? tile : in;  // the compiler cannot know which
  float s = 0.f;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) s = s * 0.5f + column_sum_called(p + (threadIdx.x & 31) + (r & 7) * 32, rows);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void __launch_bounds__(256) generic_call_inline(const float *in, float *out, int rows, int rounds) {
  __shared__ float tile[kTileRows * 32];
  fill_tile(tile, in);
  float s = 0.f;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) s = s * 0.5f + column_sum_inline(tile + (threadIdx.x & 31) + (r & 7) * 32, rows);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// ---- generic addressing: the pointer is kept in a struct in memory; the fix keeps an offset ------------------------
struct View {
  const float *data;
};
struct Offset {
  int first;
};
__global__ void __launch_bounds__(256) generic_view(const float *in, float *out, int rounds) {
  __shared__ float tile[4096];
  __shared__ View views[2];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) tile[i] = in[i];
  if (threadIdx.x < 2) views[threadIdx.x].data = tile + threadIdx.x * 2048;
  __syncthreads();
  float s = 0.f;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    const float *p = views[r & 1].data + (r & 31) * 32 + (threadIdx.x & 31);
#pragma unroll
    for (int k = 0; k < 32; ++k) s = fmaf(p[k * 32], 0.5f, s);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void __launch_bounds__(256) generic_view_offset(const float *in, float *out, int rounds) {
  __shared__ float tile[4096];
  __shared__ Offset views[2];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) tile[i] = in[i];
  if (threadIdx.x < 2) views[threadIdx.x].first = threadIdx.x * 2048;
  __syncthreads();
  float s = 0.f;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    const float *p = tile + views[r & 1].first + (r & 31) * 32 + (threadIdx.x & 31);
#pragma unroll
    for (int k = 0; k < 32; ++k) s = fmaf(p[k * 32], 0.5f, s);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// ---- register spills: a line of 40 points relaxed in registers, 32 registers against as many as it needs ------------
template <typename T, int K>
__device__ __forceinline__ void relax(const T *__restrict__ in, T *__restrict__ out, int n, int iters) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  T r[K];
#pragma unroll
  for (int k = 0; k < K; ++k) r[k] = in[(i + (size_t)k * stride) & (n - 1)];
#pragma unroll 1
  for (int it = 0; it < iters; ++it) {
    T left = r[0];
#pragma unroll
    for (int k = 1; k < K - 1; ++k) {
      T here = r[k];
      r[k] = (T)0.25 * left + (T)0.5 * here + (T)0.25 * r[k + 1];
      left = here;
    }
  }
#pragma unroll
  for (int k = 0; k < K; ++k) out[(i + (size_t)k * stride) & (n - 1)] = r[k];
}
__global__ void __launch_bounds__(512, 4) spill_relax(const float *__restrict__ in, float *__restrict__ out, int n, int iters) {
  relax<float, 40>(in, out, n, iters);
}
__global__ void __launch_bounds__(512) spill_relax_free(const float *__restrict__ in, float *__restrict__ out, int n, int iters) {
  relax<float, 40>(in, out, n, iters);
}
__global__ void __launch_bounds__(256, 8) spill_double(const double *__restrict__ in, double *__restrict__ out, int n, int iters) {
  relax<double, 24>(in, out, n, iters);
}
__global__ void __launch_bounds__(256) spill_double_free(const double *__restrict__ in, double *__restrict__ out, int n, int iters) {
  relax<double, 24>(in, out, n, iters);
}

// ---- local array: sixteen counters a thread, indexed by the data --------------------------------------------------
__global__ void __launch_bounds__(128) local_bins(const unsigned *__restrict__ in, unsigned *__restrict__ out, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  unsigned h[16];
#pragma unroll
  for (int b = 0; b < 16; ++b) h[b] = 0;
  for (int k = 0; k < words; ++k) {
    unsigned w = in[(size_t)k * stride + i];
    h[w & 15] += 1;
    h[(w >> 8) & 15] += 1;
    h[(w >> 16) & 15] += 1;
  }
  unsigned s = 0;
#pragma unroll
  for (int b = 0; b < 16; ++b) s = s * 31u + h[b];
  out[i] = s;
}
__global__ void __launch_bounds__(128) local_bins_shared(const unsigned *__restrict__ in, unsigned *__restrict__ out, int words) {
  __shared__ unsigned h[16][128];
  int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x, t = threadIdx.x;
#pragma unroll
  for (int b = 0; b < 16; ++b) h[b][t] = 0;
  for (int k = 0; k < words; ++k) {
    unsigned w = in[(size_t)k * stride + i];
    h[w & 15][t] += 1;
    h[(w >> 8) & 15][t] += 1;
    h[(w >> 16) & 15][t] += 1;
  }
  unsigned s = 0;
#pragma unroll
  for (int b = 0; b < 16; ++b) s = s * 31u + h[b][t];
  out[i] = s;
}

// ---- local array: a rotation by a run-time amount, against a barrel shifter in registers ---------------------------
__global__ void __launch_bounds__(128) local_rotate(const float *__restrict__ in, const int *__restrict__ by, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  float v[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) v[k] = in[i + (size_t)k * stride];
  int s = by[i] & 15;
#pragma unroll
  for (int k = 0; k < 16; ++k) out[i + (size_t)k * stride] = v[(k + s) & 15];
}
__global__ void __launch_bounds__(128) local_rotate_barrel(const float *__restrict__ in, const int *__restrict__ by, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  float v[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) v[k] = in[i + (size_t)k * stride];
  int s = by[i] & 15;
#pragma unroll
  for (int b = 1; b < 16; b *= 2) {
    float w[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) w[k] = (s & b) ? v[(k + b) & 15] : v[k];
#pragma unroll
    for (int k = 0; k < 16; ++k) v[k] = w[k];
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) out[i + (size_t)k * stride] = v[k];
}

// ---- constant memory: two and four addresses a warp -----------------------------------------------------------------
__constant__ float ctab[2048];
__constant__ int ccode[4][512];
__global__ void constant_two(float *__restrict__ out, int rounds) {
  float s = 0.f;
  for (int r = 0; r < rounds; ++r) s += ctab[((r * 7) & 1023) * 2 + (threadIdx.x & 1)];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void constant_two_shared(const float *__restrict__ tab, float *__restrict__ out, int rounds) {
  __shared__ float t[2048];
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) t[i] = tab[i];
  __syncthreads();
  float s = 0.f;
  for (int r = 0; r < rounds; ++r) s += t[((r * 7) & 1023) * 2 + (threadIdx.x & 1)];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void constant_four(int *__restrict__ out, int rounds) {
  int s = 0;
  for (int r = 0; r < rounds; ++r) s ^= ccode[threadIdx.x & 3][(r * 5) & 511] + r;
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void constant_four_global(const int *__restrict__ code, int *__restrict__ out, int rounds) {
  int s = 0;
  for (int r = 0; r < rounds; ++r) s ^= code[(threadIdx.x & 3) * 512 + ((r * 5) & 511)] + r;
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// ---- layout: one half of eight ---------------------------------------------------------------------------------------
struct __align__(16) Half8 {
  __half v[8];
};
__global__ void aos_half(const Half8 *__restrict__ p, __half *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = __float2half(__half2float(p[i].v[2]) * 0.5f);
}
__global__ void aos_half_planar(const __half *__restrict__ p, __half *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = __float2half(__half2float(p[i]) * 0.5f);
}

// ---- layout: two fields of a 32-byte record, three of a 48-byte record -----------------------------------------------
struct Body {
  float x, y, z, mass, vx, vy, vz, charge;
};
__global__ void aos_body(const Body *__restrict__ p, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = p[i].mass * p[i].charge;
}
__global__ void aos_body_planar(const float *__restrict__ mass, const float *__restrict__ charge, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = mass[i] * charge[i];
}
struct Vertex {
  float position[3], normal[3], color[4], uv[2];
};
__global__ void aos_vertex(const Vertex *__restrict__ p, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = p[i].normal[0] * 0.2f + p[i].normal[1] * 0.3f + p[i].normal[2] * 0.5f;
}
__global__ void aos_vertex_planar(const float *__restrict__ nx, const float *__restrict__ ny, const float *__restrict__ nz,
                                  float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = nx[i] * 0.2f + ny[i] * 0.3f + nz[i] * 0.5f;
}

// ---- layout: only the real part of interleaved complex numbers --------------------------------------------------------
__global__ void aos_real_part(const float *__restrict__ z, float *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = z[2 * (size_t)i] * 3.0f;
}
__global__ void aos_real_planar(const float *__restrict__ re, float *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = re[i] * 3.0f;
}

// ---- a structure whose every field is used: no layout problem -----------------------------------------------------------
struct Point {
  float x, y, z;
};
__global__ void point_all(const Point *__restrict__ p, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
}
__global__ void point_all_wide(const float4 *__restrict__ p, float4 *__restrict__ out, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 a = p[3 * i], b = p[3 * i + 1], c = p[3 * i + 2];
  out[i] = make_float4(a.x * a.x + a.y * a.y + a.z * a.z, a.w * a.w + b.x * b.x + b.y * b.y,
                       b.z * b.z + b.w * b.w + c.x * c.x, c.y * c.y + c.z * c.z + c.w * c.w);
}

// ---- bank conflicts: private counters in rows (bank = bin) or in columns (bank = thread) --------------------------------
template <int ROW, int COLUMN>
__device__ __forceinline__ void private_bins(unsigned *h, const unsigned *__restrict__ in, unsigned *__restrict__ out, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  unsigned *mine = h + threadIdx.x * ROW;
#pragma unroll
  for (int b = 0; b < 32; ++b) mine[b * COLUMN] = 0;
  for (int k = 0; k < words; ++k) {
    unsigned w = in[(size_t)k * stride + i];
    mine[(w & 31) * COLUMN] += 1;
    mine[((w >> 8) & 31) * COLUMN] += 1;
    mine[((w >> 16) & 31) * COLUMN] += 1;
  }
  unsigned s = 0;
#pragma unroll
  for (int b = 0; b < 32; ++b) s = s * 31u + mine[b * COLUMN];
  out[i] = s;
}
__global__ void __launch_bounds__(128) bank_rows(const unsigned *__restrict__ in, unsigned *__restrict__ out, int words) {
  __shared__ unsigned h[128 * 32];
  private_bins<32, 1>(h, in, out, words);
}
__global__ void __launch_bounds__(128) bank_columns(const unsigned *__restrict__ in, unsigned *__restrict__ out, int words) {
  __shared__ unsigned h[128 * 32];
  private_bins<1, 128>(h, in, out, words);
}

// ---- bank conflicts: a tile of double, plain and padded -------------------------------------------------------------------
template <int PAD>
__device__ __forceinline__ void transpose_double(const double *__restrict__ in, double *__restrict__ out, int w) {
  __shared__ double tile[32][32 + PAD];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(size_t)(y + j) * w + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void bank_tile_double(const double *__restrict__ in, double *__restrict__ out, int w) { transpose_double<0>(in, out, w); }
__global__ void bank_tile_double_padded(const double *__restrict__ in, double *__restrict__ out, int w) { transpose_double<1>(in, out, w); }

// ---- bank conflicts: every second word -------------------------------------------------------------------------------------
template <int STEP>
__device__ __forceinline__ void read_words(const float *__restrict__ in, float *__restrict__ out, int rounds) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  float a = 0.f, b = 0.f;
  for (int r = 0; r < rounds; ++r) {
    const float *p = s + ((STEP * threadIdx.x + 3 * r) & 511);
#pragma unroll
    for (int k = 0; k < 16; k += 2) {
      a += p[k * 5];
      b += p[k * 5 + 5];
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}
__global__ void __launch_bounds__(256) bank_step2(const float *__restrict__ in, float *__restrict__ out, int rounds) { read_words<2>(in, out, rounds); }
__global__ void __launch_bounds__(256) bank_step1(const float *__restrict__ in, float *__restrict__ out, int rounds) { read_words<1>(in, out, rounds); }

// ---- tensor cores: 64 x 64 tiles in shared memory, rows of 128 bytes against padded rows -------------------------------------
template <int PITCH>
__device__ __forceinline__ void tensor_tile(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, int n) {
  using namespace nvcuda;
  __shared__ __align__(128) __half as[64 * PITCH];
  __shared__ __align__(128) __half bs[64 * PITCH];
  int warp = threadIdx.x / 32, row = (warp / 2) * 32, col = (warp % 2) * 32;
  size_t first_row = (size_t)blockIdx.y * 64, first_col = (size_t)blockIdx.x * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) wmma::fill_fragment(acc[i][j], 0.0f);
  for (int k0 = 0; k0 < n; k0 += 64) {
    for (int e = threadIdx.x; e < 64 * 8; e += 128) {
      int r = e / 8, q = (e % 8) * 8;
      *reinterpret_cast<uint4 *>(&as[r * PITCH + q]) = *reinterpret_cast<const uint4 *>(&a[(first_row + r) * n + k0 + q]);
      *reinterpret_cast<uint4 *>(&bs[r * PITCH + q]) = *reinterpret_cast<const uint4 *>(&b[(size_t)(k0 + r) * n + first_col + q]);
    }
    __syncthreads();
    for (int k = 0; k < 64; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb[2];
      for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(fa[i], &as[(row + 16 * i) * PITCH + k], PITCH);
      for (int j = 0; j < 2; ++j) wmma::load_matrix_sync(fb[j], &bs[k * PITCH + col + 16 * j], PITCH);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(&c[(first_row + row + 16 * i) * n + first_col + col + 16 * j], acc[i][j], n, wmma::mem_row_major);
}
__global__ void __launch_bounds__(128) tensor_pitch64(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, int n) {
  tensor_tile<64>(a, b, c, n);
}
__global__ void __launch_bounds__(128) tensor_pitch72(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, int n) {
  tensor_tile<72>(a, b, c, n);
}

// ---- coalescing: a thread a row against a warp a row ---------------------------------------------------------------------------
__global__ void rows_by_thread(const float *__restrict__ m, float *__restrict__ out, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0.f;
  for (int k = 0; k < cols; ++k) s += m[(size_t)r * cols + k];
  out[r] = s;
}
__global__ void rows_by_warp(const float *__restrict__ m, float *__restrict__ out, int rows, int cols) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (r >= rows) return;
  float s = 0.f;
  for (int k = lane; k < cols; k += 32) s += m[(size_t)r * cols + k];
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);
  if (lane == 0) out[r] = s;
}

// ---- coalescing: chunks of 4 and of 64 ----------------------------------------------------------------------------------------
__global__ void chunk4(const float *__restrict__ in, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    int i = t * 4 + k;
    if (i < n) out[i] = in[i] * 2.0f;
  }
}
__global__ void chunk64(const int *__restrict__ in, int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 64; ++k) {
    int i = t * 64 + k;
    if (i < n) out[i] = in[i] * 3 + 1;
  }
}
__global__ void chunk_spread(const int *__restrict__ in, int *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = in[i] * 3 + 1;
}
__global__ void chunk4_wide(const float4 *__restrict__ in, float4 *__restrict__ out, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 v = in[i];
  out[i] = make_float4(v.x * 2.0f, v.y * 2.0f, v.z * 2.0f, v.w * 2.0f);
}

// ---- coalescing: bfloat16 written down the columns ---------------------------------------------------------------------------
__global__ void bf16_columns(const __nv_bfloat16 *__restrict__ in, __nv_bfloat16 *__restrict__ out, int w) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(size_t)x * w + y + j] = in[(size_t)(y + j) * w + x];
}
__global__ void bf16_columns_tiled(const __nv_bfloat16 *__restrict__ in, __nv_bfloat16 *__restrict__ out, int w) {
  __shared__ unsigned short tile[32][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  const unsigned short *src = reinterpret_cast<const unsigned short *>(in);
  unsigned short *dst = reinterpret_cast<unsigned short *>(out);
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = src[(size_t)(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) dst[(size_t)(y + j) * w + x] = tile[threadIdx.x][threadIdx.y + j];
}

// ---- misaligned: rows of 128 bytes fetched at random, from a table with rows of 132 or of 128 bytes ---------------------------
template <int PITCH>
__device__ __forceinline__ void sum_rows(const float *__restrict__ table, const int *__restrict__ idx, float *__restrict__ out, int mask) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, warp = t / 32, lane = t & 31;
  float s = 0.f;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += table[(size_t)(idx[warp * 16 + k] & mask) * PITCH + lane];
  out[t] = s;
}
__global__ void lookup_pitch33(const float *__restrict__ table, const int *__restrict__ idx, float *__restrict__ out, int mask) { sum_rows<33>(table, idx, out, mask); }
__global__ void lookup_pitch32(const float *__restrict__ table, const int *__restrict__ idx, float *__restrict__ out, int mask) { sum_rows<32>(table, idx, out, mask); }

// ---- five-point stencil walking down the rows; the pitch decides whether rows start on a sector --------------------------------
__global__ void __launch_bounds__(256) stencil_walk(const float *__restrict__ in, float *__restrict__ out, int w, int h, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y0 = blockIdx.y * 32 + 1;
  if (x < 1 || x >= w - 1) return;
  float up = in[(size_t)(y0 - 1) * pitch + x], here = in[(size_t)y0 * pitch + x];
#pragma unroll 4
  for (int y = y0; y < y0 + 32; ++y) {
    if (y >= h - 1) break;
    size_t at = (size_t)y * pitch + x;
    float down = in[at + pitch];
    out[at] = 0.2f * (up + here + down + in[at - 1] + in[at + 1]);
    up = here;
    here = down;
  }
}

// ---- width: half, and bytes in a grid-stride loop -------------------------------------------------------------------------------
__global__ void half_narrow(const __half *__restrict__ in, __half *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __float2half(__half2float(in[i]) * 0.5f);
}
__global__ void half_wide(const uint4 *__restrict__ in, uint4 *__restrict__ out, int n8) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n8) return;
  uint4 v = in[i];
  __half2 *p = reinterpret_cast<__half2 *>(&v);
  __half2 f = __float2half2_rn(0.5f);
#pragma unroll
  for (int k = 0; k < 4; ++k) p[k] = __hmul2(p[k], f);
  out[i] = v;
}
__global__ void bytes_narrow(const int8_t *__restrict__ in, int8_t *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = in[i];
}
__global__ void bytes_wide(const int4 *__restrict__ in, int4 *__restrict__ out, int n16) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n16; i += stride) out[i] = in[i];
}

// ---- read-only path: a matrix-vector product that accumulates in memory -----------------------------------------------------------
__global__ void matvec_memory(float *y, const float *m, const float *x, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < rows; ++k) y[i] += m[(size_t)k * n + i] * x[k];
}
__global__ void matvec_register(float *__restrict__ y, const float *__restrict__ m, const float *__restrict__ x, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = y[i];
#pragma unroll 8
  for (int k = 0; k < rows; ++k) s += m[(size_t)k * n + i] * x[k];
  y[i] = s;
}
// ---- read-only path: stores that keep the next loads from starting -------------------------------------------------------------------
__global__ void affine_alias(float *out, float *in, float *scale, float *bias) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
#pragma unroll
  for (int k = 0; k < 8; ++k) out[i + (size_t)k * stride] = in[i + (size_t)k * stride] * scale[0] + bias[0];
}
__global__ void affine_restrict(float *__restrict__ out, const float *__restrict__ in, const float *__restrict__ scale, const float *__restrict__ bias) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
#pragma unroll
  for (int k = 0; k < 8; ++k) out[i + (size_t)k * stride] = in[i + (size_t)k * stride] * scale[0] + bias[0];
}

// ---- atomics: one counter, a skewed histogram, one float sum; and spread ones ------------------------------------------------------------
__device__ __forceinline__ float block_sum(float v) {
  __shared__ float part[32];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0.f;
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.f;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  }
  return v;
}
__global__ void count_global(const float *__restrict__ in, unsigned *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0.5f) atomicAdd(count, 1u);
}
__global__ void count_block(const float *__restrict__ in, unsigned *count, int n) {
  int stride = gridDim.x * blockDim.x;
  float c = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c += in[i] > 0.5f ? 1.f : 0.f;
  c = block_sum(c);
  if (threadIdx.x == 0) atomicAdd(count, (unsigned)c);
}
__device__ __forceinline__ int skewed_bin(float v) { return min(255, (int)(v * v * v * 256.f)); }
__global__ void bins_global(const float *__restrict__ in, unsigned *h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&h[skewed_bin(in[i])], 1u);
}
__global__ void bins_shared(const float *__restrict__ in, unsigned *h, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&mine[skewed_bin(in[i])], 1u);
  __syncthreads();
  atomicAdd(&h[threadIdx.x], mine[threadIdx.x]);
}
__global__ void sum_global(const float *__restrict__ in, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}
__global__ void sum_block(const float *__restrict__ in, float *sum, int n) {
  int stride = gridDim.x * blockDim.x;
  float s = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) s += in[i];
  s = block_sum(s);
  if (threadIdx.x == 0) atomicAdd(sum, s);
}
__global__ void spread_atomics(const int *__restrict__ in, int *acc, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&acc[i], in[i]);
}

// ---- divergence: by random or sorted flags; by random or sorted trip counts ----------------------------------------------------------------
__device__ __forceinline__ float heavy(float v, int n) {
  for (int k = 0; k < n; ++k) v = fmaf(v, 1.0001f, __sinf(v));
  return v;
}
__device__ __forceinline__ float heavier(float v, int n) {
  for (int k = 0; k < n; ++k) v = fmaf(v, 0.9999f, __cosf(v));
  return v;
}
__global__ void diverge_flags(const float *__restrict__ in, const int *__restrict__ flags, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = flags[i] ? heavy(in[i], 64) : heavier(in[i], 64);
}
__global__ void diverge_trips(const float *__restrict__ in, const int *__restrict__ trips, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = heavy(in[i], trips[i]);
}

// ---- occupancy: a cold path that needs many registers; a static array that is hardly used -------------------------------------------------------
__device__ __forceinline__ float walk(const float *__restrict__ in, int steps) {
  int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.f;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    float v = in[i];
    s += v;
    i += stride + (v > 2.0f ? 1 : 0);  // values are below 1: the next address waits for this value all the same
  }
  return s;
}
__global__ void __launch_bounds__(64) occupancy_cold(const float *__restrict__ in, float *__restrict__ out, int steps, int cold) {
  float s = walk(in, steps);
  if (cold > 0) {
    float r[160];
#pragma unroll
    for (int k = 0; k < 160; ++k) r[k] = in[k * 64 + threadIdx.x];
#pragma unroll 1
    for (int it = 0; it < cold; ++it) {
#pragma unroll
      for (int k = 0; k < 160; ++k) r[k] = fmaf(r[k], r[(k + 7) % 160], r[(k + 19) % 160]);
    }
#pragma unroll
    for (int k = 0; k < 160; ++k) s += r[k];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void __launch_bounds__(64) occupancy_hot(const float *__restrict__ in, float *__restrict__ out, int steps) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = walk(in, steps);
}
template <int WORDS>
__device__ __forceinline__ void walk_shared(const float *__restrict__ in, float *__restrict__ out, int steps) {
  __shared__ float s[WORDS];
  s[threadIdx.x] = walk(in, steps);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void __launch_bounds__(64) occupancy_static(const float *__restrict__ in, float *__restrict__ out, int steps) { walk_shared<12000>(in, out, steps); }
__global__ void __launch_bounds__(64) occupancy_slim(const float *__restrict__ in, float *__restrict__ out, int steps) { walk_shared<64>(in, out, steps); }

// ---- grid: one block, and twenty blocks of arithmetic ----------------------------------------------------------------------------------------------
__global__ void __launch_bounds__(1024) grid_sum(const float *__restrict__ in, float *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  float s = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) s += in[i];
  s = block_sum(s);
  if (threadIdx.x == 0) out[blockIdx.x] = s;
}
__global__ void grid_integral(float *__restrict__ out, int n, float h) {
  int stride = gridDim.x * blockDim.x;
  float s = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    float x = ((float)i + 0.5f) * h;
    s += __sinf(x) * __expf(-x);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// ---- double arithmetic by accident, and on purpose ----------------------------------------------------------------------------------------------------
__global__ void literal_mixed(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i], w = 1.0f;
  for (int k = 0; k < 32; ++k) {
    v = v * 0.999 + 0.25f;
    w = w * 0.5f + v;
  }
  out[i] = v + w;
}
__global__ void literal_float(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i], w = 1.0f;
  for (int k = 0; k < 32; ++k) {
    v = v * 0.999f + 0.25f;
    w = w * 0.5f + v;
  }
  out[i] = v + w;
}
__global__ void sqrt_promoted(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 8; ++k) v = (float)(v / sqrt(1.0 + v * v));
  out[i] = v;
}
__global__ void sqrt_float(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 8; ++k) v = v / sqrtf(1.0f + v * v);
  out[i] = v;
}
__global__ void double_polynomial(const double *__restrict__ in, double *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = in[i] * 0.5, s = 1.0;
#pragma unroll 8
  for (int k = 0; k < 256; ++k) s = fma(s, x, 0.75);
  out[i] = s;
}
__global__ void double_axpy(const double *__restrict__ x, double *__restrict__ y, double a, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = a * x[i] + y[i];
}

// ---- healthy: nothing on the checklist should be urged ---------------------------------------------------------------------------------------------------
__global__ void fill_wide(float4 *__restrict__ out, int n4, float v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) out[i] = make_float4(v, v, v, v);
}
__global__ void xu_strided(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = heavy(in[(size_t)i * 8], 256);
}
__global__ void tiny_axpy(const float *__restrict__ x, float *__restrict__ y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
// a list walked by every thread: each step waits for the one before, and no layout of the loads changes that
__global__ void chase(const int *__restrict__ next, int *__restrict__ out, int steps) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = t * 97;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) i = next[i];
  out[t] = i;
}

// ---- two causes: two fields of a record and a branch by data; each cause fixed alone -------------------------------------------------------------------------
__global__ void both_aos_branch(const Body *__restrict__ p, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float m = p[i].mass, c = p[i].charge;
  out[i] = c > 0.5f ? heavy(m, 8) : heavier(m, 8);
}
__global__ void both_planar_branch(const float *__restrict__ mass, const float *__restrict__ charge, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float m = mass[i], c = charge[i];
  out[i] = c > 0.5f ? heavy(m, 8) : heavier(m, 8);
}
__global__ void both_planar_uniform(const float *__restrict__ mass, const float *__restrict__ charge, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float m = mass[i], c = charge[i];
  out[i] = c * 0.001f + (((i >> 5) & 1) ? heavy(m, 8) : heavier(m, 8));
}
__global__ void both_aos_uniform(const Body *__restrict__ p, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float m = p[i].mass, c = p[i].charge;
  out[i] = c * 0.001f + (((i >> 5) & 1) ? heavy(m, 8) : heavier(m, 8));
}

// ---- two causes: a chunk a thread in too few registers; each cause fixed alone --------------------------------------------------------------------------------
template <bool CHUNK>
__device__ __forceinline__ void blur_line(const float *__restrict__ in, float *__restrict__ out, int iters) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  float r[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) r[k] = CHUNK ? in[(size_t)t * 32 + k] : in[t + (size_t)k * stride];
#pragma unroll 1
  for (int it = 0; it < iters; ++it) {
    float left = r[31];
#pragma unroll
    for (int k = 0; k < 32; ++k) {
      float here = r[k];
      r[k] = 0.25f * left + 0.5f * here + 0.25f * r[(k + 1) % 32];
      left = here;
    }
  }
  float s = 0.f;
#pragma unroll
  for (int k = 0; k < 32; ++k) s = s * 0.5f + r[k];
  out[t] = s;
}
__global__ void __launch_bounds__(512, 4) both_chunk_spill(const float *__restrict__ in, float *__restrict__ out, int iters) { blur_line<true>(in, out, iters); }
__global__ void __launch_bounds__(512, 4) both_spread_spill(const float *__restrict__ in, float *__restrict__ out, int iters) { blur_line<false>(in, out, iters); }
__global__ void __launch_bounds__(512) both_chunk_free(const float *__restrict__ in, float *__restrict__ out, int iters) { blur_line<true>(in, out, iters); }
__global__ void __launch_bounds__(512) both_spread_free(const float *__restrict__ in, float *__restrict__ out, int iters) { blur_line<false>(in, out, iters); }

// Mix spreads the bits of an index over a whole word.
static uint32_t mix(uint32_t h) {
  h ^= h >> 16; h *= 0x7feb352du; h ^= h >> 15; h *= 0x846ca68bu; h ^= h >> 16;
  return h;
}

// Upload copies host values to the device and repeats them until `bytes` are full, without a kernel that a profiler
// would see.
template <typename T>
static T *upload(const std::vector<T> &host, size_t bytes) {
  T *p;
  size_t have = host.size() * sizeof(T);
  CHECK(cudaMalloc(&p, bytes));
  CHECK(cudaMemcpy(p, host.data(), have, cudaMemcpyHostToDevice));
  for (; have < bytes; have *= 2) {
    size_t more = have < bytes - have ? have : bytes - have;
    CHECK(cudaMemcpy(reinterpret_cast<char *>(p) + have, p, more, cudaMemcpyDeviceToDevice));
  }
  return p;
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
  const int P = 1 << 22, L = 1 << 25, D = 1 << 23;
  std::vector<float> floats(P);
  std::vector<int> ints(P), list(L), flags(D), sorted_flags(D), trips(D), sorted_trips(D);
  std::vector<uint16_t> halves(P);
  std::vector<double> doubles(P);
  for (int i = 0; i < P; ++i) {
    uint32_t r = mix(i + 1);
    floats[i] = (r >> 8) * 5.9604645e-8f;  // 0 to below 1
    ints[i] = (int)(mix(r + 77) >> 6);     // 0 to 2^26 - 1
    halves[i] = (uint16_t)(0x3800u + (r & 0x3ff));  // 0.5 to below 1
    doubles[i] = floats[i];
  }
  for (int i = 0; i < L; ++i) list[i] = (int)((1664525u * (uint32_t)i + 1013904223u) & (L - 1));  // one cycle over all
  for (int i = 0; i < D; ++i) {
    flags[i] = mix(i + 5) & 1;
    sorted_flags[i] = i >= D / 2;
    trips[i] = 1 + (int)(mix(i + 9) & 63);
    sorted_trips[i] = 1 + i / (D / 64);
  }
  float *a = upload(floats, (size_t)N * 16);
  int *idx = upload(ints, (size_t)N * 4);
  __half *h = reinterpret_cast<__half *>(upload(halves, (size_t)N * 4));
  double *d = upload(doubles, (size_t)N * 4);
  int *next = upload(list, (size_t)L * 4);
  int *flag = upload(flags, (size_t)D * 4), *sorted_flag = upload(sorted_flags, (size_t)D * 4);
  int *trip = upload(trips, (size_t)D * 4), *sorted_trip = upload(sorted_trips, (size_t)D * 4);
  float *b;
  unsigned *bins;
  CHECK(cudaMalloc(&b, (size_t)N * 8));
  CHECK(cudaMemset(b, 0, (size_t)N * 8));
  CHECK(cudaMalloc(&bins, 4096));
  CHECK(cudaMemset(bins, 0, 4096));
  CHECK(cudaMemcpyToSymbol(ctab, floats.data(), 2048 * 4));
  CHECK(cudaMemcpyToSymbol(ccode, ints.data(), 2048 * 4));
  CHECK(cudaDeviceSynchronize());

  const int T = 256, G = N / T, S = 132 * 8;
  unsigned *ub = reinterpret_cast<unsigned *>(b), *uidx = reinterpret_cast<unsigned *>(idx);
  int *ib = reinterpret_cast<int *>(b);
  float4 *a4 = reinterpret_cast<float4 *>(a), *b4 = reinterpret_cast<float4 *>(b);
  __half *hb = reinterpret_cast<__half *>(b);
  double *db = reinterpret_cast<double *>(b);
  Body *body = reinterpret_cast<Body *>(a);

  if (want("generic")) {
    generic_call<<<S, T>>>(a, b, kRows, 128, 1);
    generic_call_inline<<<S, T>>>(a, b, kRows, 128);
    generic_view<<<S, T>>>(a, b, 256);
    generic_view_offset<<<S, T>>>(a, b, 256);
    done("generic");
  }
  if (want("spill")) {
    spill_relax<<<S, 512>>>(a, b, N, 16);
    spill_relax_free<<<S, 512>>>(a, b, N, 16);
    spill_double<<<S * 2, T>>>(d, db, N / 2, 16);
    spill_double_free<<<S * 2, T>>>(d, db, N / 2, 16);
    done("spill");
  }
  if (want("local")) {
    local_bins<<<S * 2, 128>>>(uidx, ub, 64);
    local_bins_shared<<<S * 2, 128>>>(uidx, ub, 64);
    local_rotate<<<N / 16 / 128, 128>>>(a, idx, b);
    local_rotate_barrel<<<N / 16 / 128, 128>>>(a, idx, b);
    done("local");
  }
  if (want("constant")) {
    constant_two<<<S, T>>>(b, 512);
    constant_two_shared<<<S, T>>>(a, b, 512);
    constant_four<<<S, T>>>(ib, 256);
    constant_four_global<<<S, T>>>(idx, ib, 256);
    done("constant");
  }
  if (want("aos")) {
    aos_half<<<S, T>>>(reinterpret_cast<Half8 *>(h), hb, N / 4);
    aos_half_planar<<<S, T>>>(h, hb, N / 4);
    aos_body<<<G / 2, T>>>(body, b, N / 2);
    aos_body_planar<<<G / 2, T>>>(a, a + N, b, N / 2);
    aos_vertex<<<G / 4, T>>>(reinterpret_cast<Vertex *>(a), b, N / 4);
    aos_vertex_planar<<<G / 4, T>>>(a, a + N, a + 2 * (size_t)N, b, N / 4);
    aos_real_part<<<S, T>>>(a, b, N);
    aos_real_planar<<<S, T>>>(a, b, N);
    point_all<<<G / 2, T>>>(reinterpret_cast<Point *>(a), b, N / 2);
    point_all_wide<<<G / 8, T>>>(a4, b4, N / 8);
    done("aos");
  }
  if (want("bank")) {
    bank_rows<<<S * 2, 128>>>(uidx, ub, 64);
    bank_columns<<<S * 2, 128>>>(uidx, ub, 64);
    dim3 tile(32, 8), grid(4096 / 32, 4096 / 32);
    bank_tile_double<<<grid, tile>>>(d, db, 4096);
    bank_tile_double_padded<<<grid, tile>>>(d, db, 4096);
    bank_step2<<<S, T>>>(a, b, 512);
    bank_step1<<<S, T>>>(a, b, 512);
    done("bank");
  }
  if (want("tensor")) {
    dim3 grid(2048 / 64, 2048 / 64);
    tensor_pitch64<<<grid, 128>>>(h, h + 2048 * 2048, b, 2048);
    tensor_pitch72<<<grid, 128>>>(h, h + 2048 * 2048, b, 2048);
    done("tensor");
  }
  if (want("rows")) {
    rows_by_thread<<<1024, T>>>(a, b, 1 << 18, 256);
    rows_by_warp<<<1024 * 32, T>>>(a, b, 1 << 18, 256);
    done("rows");
  }
  if (want("chunk")) {
    chunk4<<<G / 4, T>>>(a, b, N);
    chunk4_wide<<<G / 4, T>>>(a4, b4, N / 4);
    chunk64<<<G / 64, T>>>(idx, ib, N);
    chunk_spread<<<G / 64, T>>>(idx, ib, N);
    done("chunk");
  }
  if (want("bf16")) {
    dim3 tile(32, 8), grid(8192 / 32, 8192 / 32);
    bf16_columns<<<grid, tile>>>(reinterpret_cast<__nv_bfloat16 *>(h), reinterpret_cast<__nv_bfloat16 *>(b), 8192);
    bf16_columns_tiled<<<grid, tile>>>(reinterpret_cast<__nv_bfloat16 *>(h), reinterpret_cast<__nv_bfloat16 *>(b), 8192);
    done("bf16");
  }
  if (want("lookup")) {
    lookup_pitch33<<<32768, T>>>(a, idx, b, (1 << 22) - 1);
    lookup_pitch32<<<32768, T>>>(a, idx, b, (1 << 22) - 1);
    done("lookup");
  }
  if (want("stencil")) {
    stencil_walk<<<dim3(32, 256), T>>>(a, b, 8192, 8192, 8193);
    stencil_walk<<<dim3(32, 256), T>>>(a, b, 8192, 8192, 8224);
    done("stencil");
  }
  if (want("width")) {
    half_narrow<<<G * 2, T>>>(h, hb, N * 2 - 128);
    half_wide<<<G / 4, T>>>(reinterpret_cast<uint4 *>(h), reinterpret_cast<uint4 *>(b), N / 4);
    bytes_narrow<<<S, T>>>(reinterpret_cast<int8_t *>(a), reinterpret_cast<int8_t *>(b), N * 4 - 1);
    bytes_wide<<<S, T>>>(reinterpret_cast<int4 *>(a), reinterpret_cast<int4 *>(b), N / 4);
    done("width");
  }
  if (want("readonly")) {
    matvec_memory<<<4096, T>>>(b, a, a + 3 * (size_t)N, 1 << 20, 64);
    matvec_register<<<4096, T>>>(b, a, a + 3 * (size_t)N, 1 << 20, 64);
    affine_alias<<<G / 8, T>>>(b, a, a + 3 * (size_t)N, a + 3 * (size_t)N + 64);
    affine_restrict<<<G / 8, T>>>(b, a, a + 3 * (size_t)N, a + 3 * (size_t)N + 64);
    done("readonly");
  }
  if (want("atomic")) {
    count_global<<<G / 2, T>>>(a, bins, N / 2);
    count_block<<<S, T>>>(a, bins, N / 2);
    bins_global<<<G / 8, T>>>(a, bins, N / 8);
    bins_shared<<<S, T>>>(a, bins, N / 8);
    sum_global<<<G / 16, T>>>(a, reinterpret_cast<float *>(bins), N / 16);
    sum_block<<<S, T>>>(a, reinterpret_cast<float *>(bins), N / 16);
    spread_atomics<<<S, T>>>(idx, ib, N);
    done("atomic");
  }
  if (want("diverge")) {
    diverge_flags<<<D / T, T>>>(a, flag, b, D);
    diverge_flags<<<D / T, T>>>(a, sorted_flag, b, D);
    diverge_trips<<<D / T, T>>>(a, trip, b, D);
    diverge_trips<<<D / T, T>>>(a, sorted_trip, b, D);
    done("diverge");
  }
  if (want("occupancy")) {
    occupancy_cold<<<N / 16 / 64, 64>>>(a, b, 16, 0);
    occupancy_hot<<<N / 16 / 64, 64>>>(a, b, 16);
    occupancy_static<<<N / 16 / 64, 64>>>(a, b, 16);
    occupancy_slim<<<N / 16 / 64, 64>>>(a, b, 16);
    done("occupancy");
  }
  if (want("grid")) {
    grid_sum<<<1, 1024>>>(a, b, N / 8);
    grid_sum<<<264, 1024>>>(a, b, N / 8);
    grid_integral<<<20, T>>>(b, N, 1e-7f);
    grid_integral<<<S, T>>>(b, N, 1e-7f);
    done("grid");
  }
  if (want("double")) {
    literal_mixed<<<G / 4, T>>>(a, b, N / 4);
    literal_float<<<G / 4, T>>>(a, b, N / 4);
    sqrt_promoted<<<G / 8, T>>>(a, b, N / 8);
    sqrt_float<<<G / 8, T>>>(a, b, N / 8);
    double_polynomial<<<G / 4, T>>>(d, db, N / 4);
    double_axpy<<<S, T>>>(d, db, 0.5, N / 2);
    done("double");
  }
  if (want("healthy")) {
    fill_wide<<<G / 2, T>>>(b4, N / 2, 1.0f);
    xu_strided<<<G / 8, T>>>(a, b, N / 8);
    tiny_axpy<<<4, T>>>(a, b, 0.5f, 1024);
    chase<<<S, T>>>(next, ib, 32);
    done("healthy");
  }
  if (want("both")) {
    both_aos_branch<<<G / 4, T>>>(body, b, N / 4);
    both_planar_branch<<<G / 4, T>>>(a, a + N, b, N / 4);
    both_planar_uniform<<<G / 4, T>>>(a, a + N, b, N / 4);
    both_aos_uniform<<<G / 4, T>>>(body, b, N / 4);
    both_chunk_spill<<<N / 32 / 512, 512>>>(a, b, 8);
    both_spread_spill<<<N / 32 / 512, 512>>>(a, b, 8);
    both_chunk_free<<<N / 32 / 512, 512>>>(a, b, 8);
    both_spread_free<<<N / 32 / 512, 512>>>(a, b, 8);
    done("both");
  }
  puts("done");
  return 0;
}
