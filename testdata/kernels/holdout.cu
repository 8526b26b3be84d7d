// Labelled kernels kept apart: written without sight of the rules, to measure them and never to tune them. Kernels as
// many authors write them: a problem, often with the fix beside it, and kernels where there is nothing to urge.
// holdout.causes.tsv says what is wrong with each and why, from what the hardware must do, before any measurement.
//
// Build: nvcc -O3 -lineinfo -arch=sm_90 -std=c++17 holdout.cu -o holdout
// Run:   ./holdout             every group once
//        ./holdout NAME ...    only the named groups
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

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
__device__ __forceinline__ float warp_max(float v) {
  for (int d = 16; d > 0; d >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
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
__device__ __forceinline__ float block_max(float v) {
  __shared__ float part[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  v = warp_max(v);
  __syncthreads();
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = lane < warps ? part[lane] : -3.0e38f;
  return warp_max(v);
}

// ---- images: box blur of bytes, one pixel a thread against four ------------------------------------------------------
__global__ void blur3_u8(const unsigned char *__restrict__ src, unsigned char *__restrict__ dst, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += src[(size_t)(y + dy) * w + x + dx];
  dst[(size_t)y * w + x] = (unsigned char)(sum / 9);
}
__global__ void blur3_u8x4(const uchar4 *__restrict__ src, uchar4 *__restrict__ dst, int w4, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w4 - 1 || y >= h - 1) return;
  int s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    const uchar4 *row = src + (size_t)(y + dy) * w4 + x;
    uchar4 l = row[-1], m = row[0], r = row[1];
    s0 += l.w + m.x + m.y;
    s1 += m.x + m.y + m.z;
    s2 += m.y + m.z + m.w;
    s3 += m.z + m.w + r.x;
  }
  dst[(size_t)y * w4 + x] = make_uchar4((unsigned char)(s0 / 9), (unsigned char)(s1 / 9), (unsigned char)(s2 / 9), (unsigned char)(s3 / 9));
}

// ---- images: RGB of three bytes to gray ------------------------------------------------------------------------------
__global__ void gray_rgb24(const unsigned char *__restrict__ rgb, unsigned char *__restrict__ gray, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int r = rgb[3 * (size_t)i], g = rgb[3 * (size_t)i + 1], b = rgb[3 * (size_t)i + 2];
  gray[i] = (unsigned char)((77 * r + 150 * g + 29 * b) >> 8);
}
__global__ void gray_rgb24_words(const unsigned *__restrict__ rgb, unsigned *__restrict__ gray, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  unsigned p = rgb[3 * (size_t)i], q = rgb[3 * (size_t)i + 1], s = rgb[3 * (size_t)i + 2];
  unsigned g0 = (77 * (p & 255) + 150 * ((p >> 8) & 255) + 29 * ((p >> 16) & 255)) >> 8;
  unsigned g1 = (77 * (p >> 24) + 150 * (q & 255) + 29 * ((q >> 8) & 255)) >> 8;
  unsigned g2 = (77 * ((q >> 16) & 255) + 150 * (q >> 24) + 29 * (s & 255)) >> 8;
  unsigned g3 = (77 * ((s >> 8) & 255) + 150 * ((s >> 16) & 255) + 29 * (s >> 24)) >> 8;
  gray[i] = g0 | (g1 << 8) | (g2 << 16) | (g3 << 24);
}

// ---- sparse matrix times vector: a thread a row against a warp a row -------------------------------------------------
__global__ void spmv_csr_scalar(const int *__restrict__ rowptr, const int *__restrict__ col, const float *__restrict__ val,
                                const float *__restrict__ x, float *__restrict__ y, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float dot = 0.0f;
  for (int j = rowptr[r]; j < rowptr[r + 1]; ++j) dot += val[j] * x[col[j]];
  y[r] = dot;
}
__global__ void spmv_csr_vector(const int *__restrict__ rowptr, const int *__restrict__ col, const float *__restrict__ val,
                                const float *__restrict__ x, float *__restrict__ y, int rows) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  int warps = (gridDim.x * blockDim.x) >> 5;
  for (int r = warp; r < rows; r += warps) {
    float dot = 0.0f;
    for (int j = rowptr[r] + lane; j < rowptr[r + 1]; j += 32) dot += val[j] * x[col[j]];
    dot = warp_sum(dot);
    if (lane == 0) y[r] = dot;
  }
}

// ---- particles in structs --------------------------------------------------------------------------------------------
struct Body7 {
  float x, y, z, vx, vy, vz, mass;
};
__global__ void bodies_struct(Body7 *p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[i].x += p[i].vx * dt;
  p[i].y += p[i].vy * dt;
  p[i].z += p[i].vz * dt;
}
__global__ void bodies_planes(float *__restrict__ x, float *__restrict__ y, float *__restrict__ z, const float *__restrict__ vx,
                              const float *__restrict__ vy, const float *__restrict__ vz, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] += vx[i] * dt;
  y[i] += vy[i] * dt;
  z[i] += vz[i] * dt;
}
struct Cell {
  float rho, u, v, w;
  float energy, pressure, temperature, species[5];
  int material, flags, level, parent;
};
__global__ void cells_struct(Cell *c, int n, float gamma) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cell *p = c + i;
  p->pressure = (gamma - 1.0f) * p->rho * p->energy;
  p->flags = p->pressure > 0.25f;
}
__global__ void cells_planes(const float *__restrict__ rho, const float *__restrict__ energy, float *__restrict__ pressure,
                             int *__restrict__ flags, int n, float gamma) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float q = (gamma - 1.0f) * rho[i] * energy[i];
  pressure[i] = q;
  flags[i] = q > 0.25f;
}
__global__ void heights_xyz(const float *__restrict__ xyz, float *__restrict__ above, int n, float ground) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) above[i] = fmaxf(xyz[3 * (size_t)i + 2] - ground, 0.0f);
}
__global__ void heights_plane(const float *__restrict__ z, float *__restrict__ above, int n, float ground) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) above[i] = fmaxf(z[i] - ground, 0.0f);
}

// ---- two causes: one field of a struct, and double literals ----------------------------------------------------------
struct Photon {
  float x, y, z, dx, dy, dz, weight, time;
};
__global__ void photon_decay(Photon *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = p[i].weight;
  for (int k = 0; k < 6; ++k) v = v * 0.999 + 0.001 / (1.0 + v * v);
  p[i].weight = v;
}
__global__ void photon_decay_float(Photon *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = p[i].weight;
  for (int k = 0; k < 6; ++k) v = v * 0.999f + 0.001f / (1.0f + v * v);
  p[i].weight = v;
}
__global__ void photon_decay_plane(float *weight, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = weight[i];
  for (int k = 0; k < 6; ++k) v = v * 0.999 + 0.001 / (1.0 + v * v);
  weight[i] = v;
}

// ---- statistics of a channel -----------------------------------------------------------------------------------------
__global__ void stats_nhwc_channel_block(const float *__restrict__ x, float *__restrict__ mean, int pixels, int channels) {
  int c = blockIdx.x;
  float s = 0.0f;
  for (int p = threadIdx.x; p < pixels; p += blockDim.x) s += x[(size_t)p * channels + c];
  s = block_sum(s);
  if (threadIdx.x == 0) mean[c] = s / pixels;
}
__global__ void stats_nhwc_pixel_block(const float *__restrict__ x, float *__restrict__ partial, int channels, int chunk) {
  int c = threadIdx.x;
  const float *p = x + (size_t)blockIdx.x * chunk * channels + c;
  float s = 0.0f;
#pragma unroll 8
  for (int k = 0; k < chunk; ++k) s += p[(size_t)k * channels];
  partial[blockIdx.x * channels + c] = s;
}
__global__ void __launch_bounds__(1024, 2) stats_nchw(const float *__restrict__ x, float *__restrict__ mean, int images, int channels, int hw) {
  int c = blockIdx.x;
  float s = 0.0f;
  for (int b = 0; b < images; ++b) {
    const float *plane = x + ((size_t)b * channels + c) * hw;
#pragma unroll 4
    for (int p = threadIdx.x; p < hw; p += 1024) s += plane[p];
  }
  s = block_sum(s);
  if (threadIdx.x == 0) mean[c] = s / ((float)images * hw);
}

// ---- scan: a tree in shared memory, plain indices against padded ones ------------------------------------------------
template <bool PAD>
__device__ __forceinline__ int scan_slot(int i) {
  return PAD ? i + (i >> 5) : i;
}
template <bool PAD>
__device__ __forceinline__ void scan_tree(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float s[1024 + 32];
  int t = threadIdx.x;
  size_t base = (size_t)blockIdx.x * 1024;
  s[scan_slot<PAD>(t)] = in[base + t];
  s[scan_slot<PAD>(t + 512)] = in[base + t + 512];
  int offset = 1;
  for (int d = 512; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int ai = scan_slot<PAD>(offset * (2 * t + 1) - 1), bi = scan_slot<PAD>(offset * (2 * t + 2) - 1);
      s[bi] += s[ai];
    }
    offset *= 2;
  }
  if (t == 0) s[scan_slot<PAD>(1023)] = 0.0f;
  for (int d = 1; d < 1024; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int ai = scan_slot<PAD>(offset * (2 * t + 1) - 1), bi = scan_slot<PAD>(offset * (2 * t + 2) - 1);
      float v = s[ai];
      s[ai] = s[bi];
      s[bi] += v;
    }
  }
  __syncthreads();
  out[base + t] = s[scan_slot<PAD>(t)];
  out[base + t + 512] = s[scan_slot<PAD>(t + 512)];
}
__global__ void scan_plain(const float *__restrict__ in, float *__restrict__ out) { scan_tree<false>(in, out); }
__global__ void scan_padded(const float *__restrict__ in, float *__restrict__ out) { scan_tree<true>(in, out); }

// ---- matrix products -------------------------------------------------------------------------------------------------
__global__ void matmul_x_is_row(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float s = 0.0f;
  for (int p = 0; p < k; ++p) s += a[row * k + p] * b[p * n + col];
  c[row * n + col] = s;
}
__global__ void matmul_x_is_col(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float s = 0.0f;
  for (int p = 0; p < k; ++p) s += a[row * k + p] * b[p * n + col];
  c[row * n + col] = s;
}
__global__ void matmul_tile16(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k) {
  __shared__ float ta[16][16], tb[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float s = 0.0f;
  for (int k0 = 0; k0 < k; k0 += 16) {
    ta[ty][tx] = a[row * k + k0 + tx];
    tb[ty][tx] = b[(k0 + ty) * n + col];
    __syncthreads();
    for (int p = 0; p < 16; ++p) s += ta[ty][p] * tb[p][tx];
    __syncthreads();
  }
  c[row * n + col] = s;
}
// c = a * transpose(b): both tiles are loaded along their rows, and the second is read down a column.
template <int PITCH>
__device__ __forceinline__ void matmul_nt(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k) {
  __shared__ float ta[32][PITCH], tb[32][PITCH];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float s = 0.0f;
  for (int k0 = 0; k0 < k; k0 += 32) {
    ta[ty][tx] = a[row * k + k0 + tx];
    tb[ty][tx] = b[(blockIdx.x * 32 + ty) * k + k0 + tx];
    __syncthreads();
    for (int p = 0; p < 32; ++p) s += ta[ty][p] * tb[tx][p];
    __syncthreads();
  }
  c[row * n + col] = s;
}
__global__ void matmul_nt_pitch32(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k) {
  matmul_nt<32>(a, b, c, n, k);
}
__global__ void matmul_nt_pitch33(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k) {
  matmul_nt<33>(a, b, c, n, k);
}

// ---- compute-bound, nothing to urge ----------------------------------------------------------------------------------
__global__ void nbody_forces(const float4 *__restrict__ targets, const float4 *__restrict__ sources, float4 *__restrict__ force, int m) {
  __shared__ float4 tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  float4 me = targets[i];
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  for (int j0 = 0; j0 < m; j0 += 256) {
    tile[threadIdx.x] = sources[j0 + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 256; ++j) {
      float4 o = tile[j];
      float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
      float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
      float inv = rsqrtf(r2);
      float f = o.w * inv * inv * inv;
      fx += f * dx;
      fy += f * dy;
      fz += f * dz;
    }
    __syncthreads();
  }
  force[i] = make_float4(fx, fy, fz, 0.0f);
}
__global__ void julia_fixed(float *__restrict__ out, int w, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = (i % w) * (1.0f / 2048.0f) - 1.0f, y = (i / w) * (1.0f / 2048.0f) - 1.0f;
  for (int k = 0; k < rounds; ++k) {
    float t = fmaf(0.5f * x, x, fmaf(-0.5f * y, y, 0.285f));
    y = fmaf(x, y, 0.01f);
    x = t;
  }
  out[i] = x + y;
}
__global__ void square_mod64(const int *__restrict__ in, int *__restrict__ out, int n, int rounds, unsigned long long modulus) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long r = (unsigned long long)in[i] + 12345;
  for (int k = 0; k < rounds; ++k) r = (r * r + 1) % modulus;
  out[i] = (int)r;
}
__global__ void hash_rounds(const unsigned *__restrict__ in, unsigned *__restrict__ out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = in[i];
  for (int k = 0; k < rounds; ++k) h = mix32(h + k);
  out[i] = h;
}

// ---- option prices: literals that are double -------------------------------------------------------------------------
__device__ __forceinline__ float cdf_double(float d) {
  float k = 1.0 / (1.0 + 0.2316419 * fabs(d));
  float c = 0.39894228 * exp(-0.5 * d * d) *
            (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
  return d > 0 ? 1.0 - c : c;
}
__device__ __forceinline__ float cdf_float(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = 0.39894228f * expf(-0.5f * d * d) *
            (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0.0f ? 1.0f - c : c;
}
__global__ void options_double_literals(const float *__restrict__ price, const float *__restrict__ strike, const float *__restrict__ years,
                                        float *__restrict__ call, float *__restrict__ put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = price[i] * 90.0 + 5.0, x = strike[i] * 90.0 + 5.0, t = years[i] * 9.0 + 0.25;
  float vol = 0.30, rate = 0.02;
  float root = vol * sqrtf(t);
  float d1 = (logf(s / x) + (rate + 0.5 * vol * vol) * t) / root, d2 = d1 - root;
  float n1 = cdf_double(d1), n2 = cdf_double(d2), e = exp(-1.0 * rate * t);
  call[i] = s * n1 - x * e * n2;
  put[i] = x * e * (1.0 - n2) - s * (1.0 - n1);
}
__global__ void options_float_literals(const float *__restrict__ price, const float *__restrict__ strike, const float *__restrict__ years,
                                       float *__restrict__ call, float *__restrict__ put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = price[i] * 90.0f + 5.0f, x = strike[i] * 90.0f + 5.0f, t = years[i] * 9.0f + 0.25f;
  float vol = 0.30f, rate = 0.02f;
  float root = vol * sqrtf(t);
  float d1 = (logf(s / x) + (rate + 0.5f * vol * vol) * t) / root, d2 = d1 - root;
  float n1 = cdf_float(d1), n2 = cdf_float(d2), e = expf(-rate * t);
  call[i] = s * n1 - x * e * n2;
  put[i] = x * e * (1.0f - n2) - s * (1.0f - n1);
}
// double data: its arithmetic is meant
__global__ void sum_of_doubles(const double *__restrict__ in, double *__restrict__ out, int per) {
  __shared__ double part[256];
  const double *p = in + (size_t)blockIdx.x * per + threadIdx.x;
  double s = 0.0;
#pragma unroll 8
  for (int k = 0; k < per; k += 256) s += p[k];
  part[threadIdx.x] = s;
  for (int d = 128; d > 0; d >>= 1) {
    __syncthreads();
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// ---- divergence ------------------------------------------------------------------------------------------------------
__device__ __forceinline__ int mandel_escape(float cx, float cy, int limit) {
  float x = 0.0f, y = 0.0f;
  int k = 0;
  while (k < limit && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++k;
  }
  return k;
}
__global__ void mandel_area_random(int *__restrict__ out, int limit) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float cx = (mix32(2 * i + 1) >> 8) * (3.0f / 16777216.0f) - 2.0f;
  float cy = (mix32(2 * i + 2) >> 8) * (2.4f / 16777216.0f) - 1.2f;
  out[i] = mandel_escape(cx, cy, limit);
}
__global__ void mandel_area_tiles(int *__restrict__ out, int limit) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = i & 31, tile = i >> 5;
  unsigned px = (tile & 255) * 8 + (lane & 7), py = (tile >> 8) * 4 + (lane >> 3);
  float cx = px * (3.0f / 2048.0f) - 2.0f, cy = py * (2.4f / 2048.0f) - 1.2f;
  out[i] = mandel_escape(cx, cy, limit);
}
__global__ void shade_by_material(const int *__restrict__ material, const float *__restrict__ angle, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = angle[i], s = 0.0f;
  switch (material[i]) {
    case 0:
      for (int k = 1; k < 48; ++k) s = fmaf(s, 0.97f, __sinf(v * k));
      break;
    case 1:
      for (int k = 1; k < 48; ++k) s = fmaf(s, 0.95f, __cosf(v + k));
      break;
    case 2:
      for (int k = 1; k < 48; ++k) s = fmaf(s, v, __expf(-v * k));
      break;
    default:
      for (int k = 1; k < 48; ++k) s += rsqrtf(v + s * s + k);
      break;
  }
  out[i] = s;
}

// ---- rows: softmax of halves, layer normalisation, sums ----------------------------------------------------------------
__global__ void softmax_half(const __half *__restrict__ in, __half *__restrict__ out) {
  size_t base = (size_t)blockIdx.x * 1024 + threadIdx.x;
  float v[8], top = -3.0e38f, sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    v[k] = __half2float(in[base + k * 128]);
    top = fmaxf(top, v[k]);
  }
  top = block_max(top);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    v[k] = __expf(v[k] - top);
    sum += v[k];
  }
  sum = 1.0f / block_sum(sum);
#pragma unroll
  for (int k = 0; k < 8; ++k) out[base + k * 128] = __float2half(v[k] * sum);
}
__device__ __forceinline__ void unpack8(uint4 w, float *v) {
  unsigned u[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    v[2 * k] = __half2float(__ushort_as_half((unsigned short)(u[k] & 0xffffu)));
    v[2 * k + 1] = __half2float(__ushort_as_half((unsigned short)(u[k] >> 16)));
  }
}
__device__ __forceinline__ unsigned pack2(float lo, float hi) {
  return (unsigned)__half_as_ushort(__float2half(lo)) | ((unsigned)__half_as_ushort(__float2half(hi)) << 16);
}
__device__ __forceinline__ uint4 pack8(const float *v) {
  return make_uint4(pack2(v[0], v[1]), pack2(v[2], v[3]), pack2(v[4], v[5]), pack2(v[6], v[7]));
}
__global__ void softmax_half8(const uint4 *__restrict__ in, uint4 *__restrict__ out) {
  size_t at = (size_t)blockIdx.x * 128 + threadIdx.x;
  float v[8], top = -3.0e38f, sum = 0.0f;
  unpack8(in[at], v);
#pragma unroll
  for (int k = 0; k < 8; ++k) top = fmaxf(top, v[k]);
  top = block_max(top);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    v[k] = __expf(v[k] - top);
    sum += v[k];
  }
  sum = 1.0f / block_sum(sum);
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] *= sum;
  out[at] = pack8(v);
}
__global__ void swiglu_half8(const uint4 *__restrict__ gate, const uint4 *__restrict__ up, uint4 *__restrict__ out, int n8) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n8) return;
  float g[8], u[8];
  unpack8(gate[i], g);
  unpack8(up[i], u);
#pragma unroll
  for (int k = 0; k < 8; ++k) g[k] = g[k] * u[k] / (1.0f + __expf(-g[k]));
  out[i] = pack8(g);
}
__global__ void half_scale(const __half *__restrict__ in, __half *__restrict__ out, int n, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __float2half(__half2float(in[i]) * a);
}
__global__ void half_scale8(const uint4 *__restrict__ in, uint4 *__restrict__ out, int n8, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n8) return;
  float v[8];
  unpack8(in[i], v);
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] *= a;
  out[i] = pack8(v);
}
__global__ void layernorm_block_row(const float4 *__restrict__ in, const float4 *__restrict__ gain, float4 *__restrict__ out) {
  const float4 *row = in + (size_t)blockIdx.x * 1024;
  float4 v[4];
  float sum = 0.0f, sq = 0.0f;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    v[k] = row[k * 256 + threadIdx.x];
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
    sq += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
  }
  float mean = block_sum(sum) * (1.0f / 4096.0f);
  float inv = rsqrtf(block_sum(sq) * (1.0f / 4096.0f) - mean * mean + 1e-5f);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float4 g = gain[k * 256 + threadIdx.x], r;
    r.x = (v[k].x - mean) * inv * g.x;
    r.y = (v[k].y - mean) * inv * g.y;
    r.z = (v[k].z - mean) * inv * g.z;
    r.w = (v[k].w - mean) * inv * g.w;
    out[(size_t)blockIdx.x * 1024 + k * 256 + threadIdx.x] = r;
  }
}
__global__ void row_sum_thread(const float *__restrict__ m, float *__restrict__ sums, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int c = 0; c < cols; ++c) s += m[(size_t)r * cols + c];
  sums[r] = s;
}
__global__ void row_sum_warp(const float *__restrict__ m, float *__restrict__ sums, int rows) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (r >= rows) return;
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) s += m[(size_t)r * 256 + k * 32 + lane];
  s = warp_sum(s);
  if (lane == 0) sums[r] = s;
}
__global__ void col_sum_thread(const float *__restrict__ m, float *__restrict__ partial, int cols, int rows_each) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = m + (size_t)blockIdx.y * rows_each * cols + c;
  float s = 0.0f;
#pragma unroll 8
  for (int r = 0; r < rows_each; ++r) s += p[(size_t)r * cols];
  partial[(size_t)blockIdx.y * cols + c] = s;
}

// ---- rows by index: embeddings, records that straddle ------------------------------------------------------------------
__global__ void embed_thread_row(const float *__restrict__ table, const int *__restrict__ token, float *__restrict__ out, int n, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *row = table + (size_t)(token[i] & mask) * 128;
  for (int k = 0; k < 128; ++k) out[(size_t)i * 128 + k] = row[k];
}
__global__ void embed_warp_row(const float4 *__restrict__ table, const int *__restrict__ token, float4 *__restrict__ out, int n, int mask) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (i < n) out[(size_t)i * 32 + lane] = table[(size_t)(token[i] & mask) * 32 + lane];
}
// A record is 32 floats, after a header of HEADER floats that this kernel has no use for.
template <int HEADER>
__device__ __forceinline__ void records_mean(const float *__restrict__ table, const int *__restrict__ pick, float *__restrict__ out, int mask) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) s += table[(size_t)(pick[w * 8 + k] & mask) * (32 + HEADER) + HEADER + lane];
  out[(size_t)w * 32 + lane] = s * 0.125f;
}
__global__ void records_with_header(const float *__restrict__ table, const int *__restrict__ pick, float *__restrict__ out, int mask) {
  records_mean<1>(table, pick, out, mask);
}
__global__ void records_bare(const float *__restrict__ table, const int *__restrict__ pick, float *__restrict__ out, int mask) {
  records_mean<0>(table, pick, out, mask);
}

// ---- atomics -----------------------------------------------------------------------------------------------------------
__global__ void histogram8_global(const int *__restrict__ key, unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[key[i] & 7], 1u);
}
__global__ void histogram8_shared(const int *__restrict__ key, unsigned *bins, int n) {
  __shared__ unsigned h[8][8];  // a copy for each warp of the block
  int t = threadIdx.x;
  if (t < 64) h[t >> 3][t & 7] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&h[t >> 5][key[i] & 7], 1u);
  __syncthreads();
  if (t < 8) {
    unsigned s = 0;
    for (int w = 0; w < 8; ++w) s += h[w][t];
    atomicAdd(&bins[t], s);
  }
}
__global__ void histogram64k_global(const int *__restrict__ key, unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[key[i] & 65535], 1u);
}
__global__ void dot_atomic_each(const float *__restrict__ x, const float *__restrict__ y, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i] * y[i]);
}
__global__ void dot_atomic_block(const float *__restrict__ x, const float *__restrict__ y, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = block_sum(i < n ? x[i] * y[i] : 0.0f);
  if (threadIdx.x == 0) atomicAdd(sum, s);
}
__global__ void deposit_random(const int *__restrict__ cell, const float *__restrict__ charge, float *grid, int n, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&grid[cell[i] & mask], charge[i]);
}
__global__ void bfs_level(const int *__restrict__ edges, int *level, int nodes, int depth) {
  int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u >= nodes || level[u] != depth) return;
  for (int k = 0; k < 8; ++k) {
    int v = edges[(size_t)u * 8 + k] & (nodes - 1);
    if (level[v] > depth + 1) atomicMin(&level[v], depth + 1);
  }
}

// ---- stencils ------------------------------------------------------------------------------------------------------------
__constant__ float c_stencil[17];
__global__ void stencil_r8(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 8;
  if (i >= n - 8) return;
  float s = 0.0f;
#pragma unroll
  for (int k = -8; k <= 8; ++k) s = fmaf(c_stencil[k + 8], in[i + k], s);
  out[i] = s;
}
__global__ void stencil_r8_x4(const float4 *__restrict__ in, float4 *__restrict__ out, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 2;
  if (i >= n4 - 2) return;
  float v[20], r[4];
#pragma unroll
  for (int k = 0; k < 5; ++k) {
    float4 q = in[i - 2 + k];
    v[4 * k] = q.x;
    v[4 * k + 1] = q.y;
    v[4 * k + 2] = q.z;
    v[4 * k + 3] = q.w;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    r[j] = 0.0f;
#pragma unroll
    for (int k = 0; k < 17; ++k) r[j] = fmaf(c_stencil[k], v[j + k], r[j]);
  }
  out[i] = make_float4(r[0], r[1], r[2], r[3]);
}
__global__ void heat3d_marching(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz) {
  __shared__ float tile[10][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int xl = x > 0 ? x - 1 : x, xr = x < nx - 1 ? x + 1 : x, yu = y > 0 ? y - 1 : y, yd = y < ny - 1 ? y + 1 : y;
  size_t plane = (size_t)nx * ny, z0 = (size_t)blockIdx.z * 32;
  float below = in[(z0 > 0 ? z0 - 1 : z0) * plane + (size_t)y * nx + x], here = in[z0 * plane + (size_t)y * nx + x];
  for (int k = 0; k < 32; ++k) {
    size_t z = z0 + k, up = z < (size_t)nz - 1 ? z + 1 : z;
    float above = in[up * plane + (size_t)y * nx + x];
    tile[ty][tx] = here;
    if (threadIdx.x == 0) tile[ty][0] = in[z * plane + (size_t)y * nx + xl];
    if (threadIdx.x == 31) tile[ty][33] = in[z * plane + (size_t)y * nx + xr];
    if (threadIdx.y == 0) tile[0][tx] = in[z * plane + (size_t)yu * nx + x];
    if (threadIdx.y == 7) tile[9][tx] = in[z * plane + (size_t)yd * nx + x];
    __syncthreads();
    out[z * plane + (size_t)y * nx + x] =
        here + 0.1f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + above + below - 6.0f * here);
    __syncthreads();
    below = here;
    here = above;
  }
}

// ---- tables in constant memory, indexed by data -----------------------------------------------------------------------------
__constant__ float c_gamma[256];
__global__ void gamma_const(const uchar4 *__restrict__ in, float4 *__restrict__ out, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  uchar4 p = in[i];
  out[i] = make_float4(c_gamma[p.x], c_gamma[p.y], c_gamma[p.z], c_gamma[p.w]);
}
__global__ void gamma_shared(const uchar4 *__restrict__ in, float4 *__restrict__ out, int n4) {
  __shared__ float lut[256];
  lut[threadIdx.x] = c_gamma[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  uchar4 p = in[i];
  out[i] = make_float4(lut[p.x], lut[p.y], lut[p.z], lut[p.w]);
}
__constant__ float c_class[16][9];
__global__ void class_score_const(const int *__restrict__ label, const float *__restrict__ feature, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *w = c_class[label[i] & 15];
  float s = w[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) s += w[k] * feature[(size_t)k * n + i];
  out[i] = s;
}
__global__ void class_score_global(const int *__restrict__ label, const float *__restrict__ feature, const float *__restrict__ weight,
                                   float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *w = weight + (label[i] & 15) * 9;
  float s = w[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) s += w[k] * feature[(size_t)k * n + i];
  out[i] = s;
}

// ---- arrays of a thread that are indexed at run time ----------------------------------------------------------------------
__global__ void nearest16_insert(const float *__restrict__ dist, float *__restrict__ out, int n, int candidates) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best[16];
  for (int k = 0; k < 16; ++k) best[k] = 3.0e38f;
  for (int j = 0; j < candidates; ++j) {
    float d = dist[(size_t)j * n + i];
    if (d >= best[15]) continue;
    int p = 15;
    while (p > 0 && best[p - 1] > d) {
      best[p] = best[p - 1];
      --p;
    }
    best[p] = d;
  }
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += best[k] * (k + 1);
  out[i] = s;
}
__global__ void nearest16_bubble(const float *__restrict__ dist, float *__restrict__ out, int n, int candidates) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) best[k] = 3.0e38f;
  for (int j = 0; j < candidates; ++j) {
    float d = dist[(size_t)j * n + i];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float lo = fminf(best[k], d);
      d = fmaxf(best[k], d);
      best[k] = lo;
    }
  }
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += best[k] * (k + 1);
  out[i] = s;
}
__global__ void solve4_pivot_index(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[4][5];
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 5; ++c) a[r][c] = in[(size_t)(r * 5 + c) * n + i];
  for (int k = 0; k < 4; ++k) {
    int p = k;
    for (int r = k + 1; r < 4; ++r)
      if (fabsf(a[r][k]) > fabsf(a[p][k])) p = r;
    for (int c = k; c < 5; ++c) {
      float t = a[k][c];
      a[k][c] = a[p][c];
      a[p][c] = t;
    }
    float inv = 1.0f / (a[k][k] + 1e-6f);
    for (int r = 0; r < 4; ++r) {
      if (r == k) continue;
      float f = a[r][k] * inv;
      for (int c = k; c < 5; ++c) a[r][c] -= f * a[k][c];
    }
  }
  for (int r = 0; r < 4; ++r) out[(size_t)r * n + i] = a[r][4] / (a[r][r] + 1e-6f);
}
__global__ void solve4_pivot_select(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[4][5];
#pragma unroll
  for (int r = 0; r < 4; ++r)
#pragma unroll
    for (int c = 0; c < 5; ++c) a[r][c] = in[(size_t)(r * 5 + c) * n + i];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
#pragma unroll
    for (int r = k + 1; r < 4; ++r) {
      bool swap = fabsf(a[r][k]) > fabsf(a[k][k]);
#pragma unroll
      for (int c = k; c < 5; ++c) {
        float x = a[k][c], y = a[r][c];
        a[k][c] = swap ? y : x;
        a[r][c] = swap ? x : y;
      }
    }
    float inv = 1.0f / (a[k][k] + 1e-6f);
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      if (r == k) continue;
      float f = a[r][k] * inv;
#pragma unroll
      for (int c = k; c < 5; ++c) a[r][c] -= f * a[k][c];
    }
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) out[(size_t)r * n + i] = a[r][4] / (a[r][r] + 1e-6f);
}

// ---- spills: 48 sums in a thread that is allowed 32 registers ---------------------------------------------------------------
__constant__ float c_layer[64 * 48];
__device__ __forceinline__ void layer48(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[48];
#pragma unroll
  for (int h = 0; h < 48; ++h) acc[h] = 0.0f;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) {
    float x = in[(size_t)k * n + i];
#pragma unroll
    for (int h = 0; h < 48; ++h) acc[h] = fmaf(c_layer[k * 48 + h], x, acc[h]);
  }
  float s = 0.0f;
#pragma unroll
  for (int h = 0; h < 48; ++h) s += fmaxf(acc[h], 0.0f);
  out[i] = s;
}
__global__ void __launch_bounds__(1024, 2) layer48_crowded(const float *__restrict__ in, float *__restrict__ out, int n) { layer48(in, out, n); }
__global__ void __launch_bounds__(256) layer48_roomy(const float *__restrict__ in, float *__restrict__ out, int n) { layer48(in, out, n); }

// ---- pointers whose space the compiler cannot see ----------------------------------------------------------------------------
struct FirView {
  const float *taps, *window;
  int count;
};
struct FirOffsets {
  int taps, window, count;
};
__global__ void fir_view_pointers(const float *__restrict__ in, const float *__restrict__ taps, float *__restrict__ out, int count) {
  __shared__ float pool[64 + 256 + 64];
  __shared__ FirView view;
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t == 0) {
    view.taps = pool;
    view.window = pool + 64;
    view.count = count;
  }
  if (t < 64) pool[t] = taps[t];
  pool[64 + t] = in[i];
  if (t < 64) pool[64 + 256 + t] = in[i + 256];
  __syncthreads();
  FirView v = view;
  float s = 0.0f;
#pragma unroll 4
  for (int k = 0; k < v.count; ++k) s += v.taps[k] * v.window[t + k];
  out[i] = s;
}
__global__ void fir_view_offsets(const float *__restrict__ in, const float *__restrict__ taps, float *__restrict__ out, int count) {
  __shared__ float pool[64 + 256 + 64];
  __shared__ FirOffsets view;
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t == 0) {
    view.taps = 0;
    view.window = 64;
    view.count = count;
  }
  if (t < 64) pool[t] = taps[t];
  pool[64 + t] = in[i];
  if (t < 64) pool[64 + 256 + t] = in[i + 256];
  __syncthreads();
  FirOffsets v = view;
  float s = 0.0f;
#pragma unroll 4
  for (int k = 0; k < v.count; ++k) s += pool[v.taps + k] * pool[v.window + t + k];
  out[i] = s;
}
struct DotCalled {
  static __device__ __noinline__ float of(const float *a, const float *b, int n) {
    float s = 0.0f;
#pragma unroll 8
    for (int k = 0; k < n; ++k) s += a[k] * b[k];
    return s;
  }
};
struct DotInline {
  static __device__ __forceinline__ float of(const float *a, const float *b, int n) {
    float s = 0.0f;
#pragma unroll 8
    for (int k = 0; k < n; ++k) s += a[k] * b[k];
    return s;
  }
};
template <class Dot>
__device__ __forceinline__ void similarity(const float *__restrict__ in, float *__restrict__ out, int dims) {
  __shared__ float vec[64 * 33];
  for (int e = threadIdx.x; e < 64 * 32; e += 256) vec[(e >> 5) * 33 + (e & 31)] = in[(size_t)blockIdx.x * 2048 + e];
  __syncthreads();
  for (int p = threadIdx.x; p < 4096; p += 256)
    out[(size_t)blockIdx.x * 4096 + p] = Dot::of(vec + (p >> 6) * 33, vec + (p & 63) * 33, dims);
}
__global__ void similarity_called(const float *__restrict__ in, float *__restrict__ out, int dims) { similarity<DotCalled>(in, out, dims); }
__global__ void similarity_inlined(const float *__restrict__ in, float *__restrict__ out, int dims) { similarity<DotInline>(in, out, dims); }

// ---- the launch: few blocks, one block, one block too many ----------------------------------------------------------------------
__global__ void dot_grid_stride(const float *__restrict__ x, const float *__restrict__ y, float *sum, int n) {
  float s = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i] * y[i];
  s = block_sum(s);
  if (threadIdx.x == 0) atomicAdd(sum, s);
}
__global__ void normalize_rows(const float *__restrict__ in, float *__restrict__ out, int rows) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const float *row = in + (size_t)r * 2048;
    float v[8], sq = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      v[k] = row[k * 256 + threadIdx.x];
      sq += v[k] * v[k];
    }
    float inv = rsqrtf(block_sum(sq) + 1e-12f);
#pragma unroll
    for (int k = 0; k < 8; ++k) out[(size_t)r * 2048 + k * 256 + threadIdx.x] = v[k] * inv;
  }
}
__global__ void max_grid_stride(const float *__restrict__ in, int *top, int n) {
  float m = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) m = fmaxf(m, in[i]);
  m = block_max(m);
  if (threadIdx.x == 0) atomicMax(top, __float_as_int(m));  // the bits of floats that are not negative keep their order
}
static const int kWalkTable = 30 * 1024;  // floats: 120 KiB, so that one block has an SM to itself
__global__ void __launch_bounds__(1024) walk_table(const float *__restrict__ table, float *__restrict__ out, int steps) {
  extern __shared__ float cdf[];
  for (int k = threadIdx.x; k < kWalkTable; k += 1024) cdf[k] = table[k];
  __syncthreads();
  unsigned h = blockIdx.x * 1024 + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < steps; ++k) {
    h = mix32(h + 0x9e3779b9u);
    float u = (h >> 8) * (1.0f / 16777216.0f);
    s = fmaf(s, 0.5f, cdf[threadIdx.x] * u);
    s = fmaf(s, u, u * u);
  }
  out[blockIdx.x * 1024 + threadIdx.x] = s;
}

// ---- occupancy ----------------------------------------------------------------------------------------------------------------
__global__ void median5_scratch(const float *__restrict__ in, float *__restrict__ out, int n) {
  extern __shared__ float scratch[];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  scratch[t + 2] = in[i];
  if (t < 2) scratch[t] = in[i >= 2 ? i - 2 : 0];
  if (t >= 126) scratch[t + 4] = in[i + 2 < n ? i + 2 : n - 1];
  __syncthreads();
  float a = scratch[t], b = scratch[t + 1], c = scratch[t + 2], d = scratch[t + 3], e = scratch[t + 4];
  float lo1 = fminf(a, b), hi1 = fmaxf(a, b), lo2 = fminf(c, d), hi2 = fmaxf(c, d);
  float lo = fmaxf(lo1, lo2), hi = fminf(hi1, hi2);
  out[i] = fmaxf(fminf(lo, hi), fminf(fmaxf(lo, hi), e));
}
__global__ void scale_bias(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ out, int n, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fmaf(a, x[i], y[i]);
}
__global__ void scale_bias_vec4(const float4 *__restrict__ x, const float4 *__restrict__ y, float4 *__restrict__ out, int n4, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 p = x[i], q = y[i];
  out[i] = make_float4(fmaf(a, p.x, q.x), fmaf(a, p.y, q.y), fmaf(a, p.z, q.z), fmaf(a, p.w, q.w));
}

// ---- loops that possible aliasing holds back ------------------------------------------------------------------------------------
__global__ void gemv_plain(float *a, float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  y[r] = 0.0f;
  for (int c = 0; c < cols; ++c) y[r] += a[(size_t)c * rows + r] * x[c];
}
__global__ void gemv_restrict(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int c = 0; c < cols; ++c) s += a[(size_t)c * rows + r] * x[c];
  y[r] = s;
}
__global__ void leapfrog_plain(float *x, float *v, float *f, float dt) {
  int first = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    int i = first + k * 256;
    x[i] += dt * v[i];
    v[i] += dt * f[i];
  }
}
__global__ void leapfrog_restrict(float *__restrict__ x, float *__restrict__ v, const float *__restrict__ f, float dt) {
  int first = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    int i = first + k * 256;
    x[i] += dt * v[i];
    v[i] += dt * f[i];
  }
}

// ---- strides known only at run time ------------------------------------------------------------------------------------------------
__global__ void column_extract(const float *__restrict__ in, float *__restrict__ out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(size_t)i * stride] * 2.0f;
}
__global__ void column_fill(float *__restrict__ out, int n, int stride, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[(size_t)i * stride] = i * a;
}

// ---- streams that are as they should be ----------------------------------------------------------------------------------------------
__global__ void reverse4(const float4 *__restrict__ in, float4 *__restrict__ out, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 v = in[n4 - 1 - i];
  out[i] = make_float4(v.w, v.z, v.y, v.x);
}
__global__ void bias_rows4(const float4 *__restrict__ in, const float4 *__restrict__ bias, float4 *__restrict__ out, int n4, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 v = in[i], b = bias[i & mask];
  out[i] = make_float4(v.x + b.x, v.y + b.y, v.z + b.z, v.w + b.w);
}
__global__ void checksum_xor(const uint4 *__restrict__ in, unsigned *__restrict__ out, int per) {
  const uint4 *p = in + (size_t)blockIdx.x * per + threadIdx.x;
  unsigned s = 0;
#pragma unroll 4
  for (int k = 0; k < per; k += 256) {
    uint4 v = p[k];
    s ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  out[blockIdx.x * 256 + threadIdx.x] = s;
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
  const int P = 1 << 22, F = 1 << 24, R = 1 << 21, M = 1 << 22;
  std::vector<float> floats(F);
  std::vector<int> ints(P), cols(P), rowptr(R + 1), kinds(M), sorted_kinds(M), levels(P);
  std::vector<__half> halves(P);
  for (int i = 0; i < F; ++i) floats[i] = (mix32(i + 1) >> 8) * 5.9604645e-8f;  // 0 to below 1
  for (int i = 0; i < P; ++i) {
    ints[i] = (int)(mix32(i + 77) >> 6);  // 0 to 2^26 - 1
    cols[i] = (int)(mix32(i + 99) & 4095);
    levels[i] = mix32(i + 5) % 8 == 0 ? 3 : 99;
    halves[i] = __float2half((mix32(i + 11) >> 8) * 5.9604645e-8f);
  }
  for (int i = 0; i <= R; ++i) rowptr[i] = i * 32;
  for (int i = 0; i < M; ++i) {
    kinds[i] = (int)(mix32(i + 9) & 3);
    sorted_kinds[i] = i / (M / 4);
  }
  float *a = upload(floats, (size_t)N * 16);  // read only, 1 GiB
  int *idx = upload(ints, (size_t)N * 4), *col = upload(cols, (size_t)N * 4);
  int *row = upload(rowptr, (size_t)(R + 1) * 4), *level = upload(levels, (size_t)P * 8);
  int *kind = upload(kinds, (size_t)M * 4), *sorted_kind = upload(sorted_kinds, (size_t)M * 4);
  __half *h = upload(halves, (size_t)N * 2);
  float *b = upload(floats, (size_t)N * 8), *c = upload(floats, (size_t)N * 8);  // written, 512 MiB each
  float *sum;
  unsigned *bins;
  CHECK(cudaMalloc(&sum, 4096));
  CHECK(cudaMemset(sum, 0, 4096));
  CHECK(cudaMalloc(&bins, 65536 * 4));
  CHECK(cudaMemset(bins, 0, 65536 * 4));
  CHECK(cudaMemcpyToSymbol(c_stencil, floats.data(), 17 * 4));
  CHECK(cudaMemcpyToSymbol(c_gamma, floats.data(), 256 * 4));
  CHECK(cudaMemcpyToSymbol(c_class, floats.data(), 16 * 9 * 4));
  CHECK(cudaMemcpyToSymbol(c_layer, floats.data(), 64 * 48 * 4));
  CHECK(cudaDeviceSynchronize());

  const int T = 256, G = N / T, S = 132 * 8;
  const float4 *a4 = reinterpret_cast<const float4 *>(a);
  float4 *b4 = reinterpret_cast<float4 *>(b);
  const uint4 *h8 = reinterpret_cast<const uint4 *>(h);
  uint4 *bu4 = reinterpret_cast<uint4 *>(b);
  __half *bh = reinterpret_cast<__half *>(b);
  int *bi = reinterpret_cast<int *>(b);
  unsigned *bu = reinterpret_cast<unsigned *>(b);
  unsigned char *bytes = reinterpret_cast<unsigned char *>(idx), *b1 = reinterpret_cast<unsigned char *>(b);

  if (want("image")) {
    dim3 block(64, 4);
    blur3_u8<<<dim3(16384 / 64, 8192 / 4), block>>>(bytes, b1, 16384, 8192);
    blur3_u8x4<<<dim3(4096 / 64, 8192 / 4), block>>>(reinterpret_cast<const uchar4 *>(bytes), reinterpret_cast<uchar4 *>(b1), 4096, 8192);
    gray_rgb24<<<G, T>>>(bytes, b1, N);
    gray_rgb24_words<<<G / 4, T>>>(reinterpret_cast<const unsigned *>(bytes), bu, N / 4);
    done("image");
  }
  if (want("sparse")) {
    spmv_csr_scalar<<<R / T, T>>>(row, col, a, a, b, R);
    spmv_csr_vector<<<S * 4, T>>>(row, col, a, a, b, R);
    done("sparse");
  }
  if (want("structs")) {
    const int n = N / 4;
    bodies_struct<<<n / T, T>>>(reinterpret_cast<Body7 *>(c), n, 0.001f);
    bodies_planes<<<n / T, T>>>(c, c + n, c + 2 * n, c + 3 * n, c + 4 * n, c + 5 * n, n, 0.001f);
    cells_struct<<<n / 2 / T, T>>>(reinterpret_cast<Cell *>(c), n / 2, 1.4f);
    cells_planes<<<n / 2 / T, T>>>(c, c + n, c + 2 * n, bi, n / 2, 1.4f);
    heights_xyz<<<G / 2, T>>>(a, b, N / 2, 0.5f);
    heights_plane<<<G / 2, T>>>(a, b, N / 2, 0.5f);
    photon_decay<<<n / T, T>>>(reinterpret_cast<Photon *>(c), n);
    photon_decay_float<<<n / T, T>>>(reinterpret_cast<Photon *>(c), n);
    photon_decay_plane<<<n / T, T>>>(c, n);
    done("structs");
  }
  if (want("stats")) {
    stats_nhwc_channel_block<<<256, 1024>>>(a, b, N / 256, 256);
    stats_nhwc_pixel_block<<<2048, 256>>>(a, b, 256, N / 256 / 2048);
    stats_nchw<<<256, 1024>>>(a, b, 16, 256, N / 256 / 16);
    done("stats");
  }
  if (want("scan")) {
    scan_plain<<<N / 2 / 1024, 512>>>(a, b);
    scan_padded<<<N / 2 / 1024, 512>>>(a, b);
    done("scan");
  }
  if (want("matmul")) {
    matmul_x_is_row<<<dim3(768 / 32, 768 / 8), dim3(32, 8)>>>(a, a + N, b, 768, 768, 512);
    matmul_x_is_col<<<dim3(768 / 32, 768 / 8), dim3(32, 8)>>>(a, a + N, b, 768, 768, 512);
    matmul_tile16<<<dim3(1024 / 16, 1024 / 16), dim3(16, 16)>>>(a, a + N, b, 1024, 512);
    matmul_nt_pitch32<<<dim3(1024 / 32, 1024 / 32), dim3(32, 32)>>>(a, a + N, b, 1024, 256);
    matmul_nt_pitch33<<<dim3(1024 / 32, 1024 / 32), dim3(32, 32)>>>(a, a + N, b, 1024, 256);
    done("matmul");
  }
  if (want("compute")) {
    nbody_forces<<<S * 8, 256>>>(a4, a4 + N / 4, b4, 512);
    julia_fixed<<<M / T, T>>>(b, 4096, 256);
    square_mod64<<<N / 32 / T, T>>>(idx, bi, N / 32, 24, 4294967291ull);
    hash_rounds<<<N / 8 / T, T>>>(reinterpret_cast<const unsigned *>(idx), bu, N / 8, 48);
    done("compute");
  }
  if (want("double")) {
    options_double_literals<<<G / 4, T>>>(a, a + N, a + 2 * (size_t)N, b, c, N / 4);
    options_float_literals<<<G / 4, T>>>(a, a + N, a + 2 * (size_t)N, b, c, N / 4);
    sum_of_doubles<<<16384, 256>>>(reinterpret_cast<const double *>(a), reinterpret_cast<double *>(b), N / 16384);
    done("double");
  }
  if (want("diverge")) {
    mandel_area_random<<<M / T, T>>>(bi, 512);
    mandel_area_tiles<<<M / T, T>>>(bi, 512);
    shade_by_material<<<M / T, T>>>(kind, a, b, M);
    shade_by_material<<<M / T, T>>>(sorted_kind, a, b, M);
    done("diverge");
  }
  if (want("rows")) {
    softmax_half<<<N / 1024, 128>>>(h, bh);
    softmax_half8<<<N / 1024, 128>>>(h8, bu4);
    swiglu_half8<<<N / 16 / T, T>>>(h8, h8 + N / 16, bu4, N / 16);
    half_scale<<<G, T>>>(h, bh, N, 0.75f);
    half_scale8<<<G / 8, T>>>(h8, bu4, N / 8, 0.75f);
    layernorm_block_row<<<N / 4096, 256>>>(a4, a4 + N / 2, b4);
    row_sum_thread<<<N / 256 / 128, 128>>>(a, b, N / 256, 256);
    row_sum_warp<<<N / 256 / 8, 256>>>(a, b, N / 256);
    col_sum_thread<<<dim3(8192 / 256, 264), 256>>>(a, b, 8192, 32);
    done("rows");
  }
  if (want("index")) {
    const int tokens = N / 128;
    embed_thread_row<<<tokens / 128, 128>>>(a, idx, b, tokens, (1 << 21) - 1);
    embed_warp_row<<<tokens / 8, 256>>>(a4, idx, b4, tokens, (1 << 21) - 1);
    records_with_header<<<M / 8 / 8, 256>>>(a, idx, b, M - 1);
    records_bare<<<M / 8 / 8, 256>>>(a, idx, b, M - 1);
    done("index");
  }
  if (want("atomics")) {
    histogram8_global<<<M / T, T>>>(idx, bins, M);
    histogram8_shared<<<S, T>>>(idx, bins, M);
    histogram64k_global<<<N / 4 / T, T>>>(idx, bins, N / 4);
    dot_atomic_each<<<M / 4 / T, T>>>(a, a + N, sum, M / 4);
    dot_atomic_block<<<M / 4 / T, T>>>(a, a + N, sum, M / 4);
    deposit_random<<<N / 8 / T, T>>>(idx, a, b, N / 8, (1 << 25) - 1);
    bfs_level<<<P * 2 / T, T>>>(idx, level, P * 2, 3);
    done("atomics");
  }
  if (want("stencil")) {
    stencil_r8<<<G, T>>>(a, b, N);
    stencil_r8_x4<<<G / 4, T>>>(a4, b4, N / 4);
    heat3d_marching<<<dim3(512 / 32, 512 / 8, 256 / 32), dim3(32, 8)>>>(a, b, 512, 512, 256);
    done("stencil");
  }
  if (want("constant")) {
    gamma_const<<<N / 16 / T, T>>>(reinterpret_cast<const uchar4 *>(bytes), b4, N / 16);
    gamma_shared<<<N / 16 / T, T>>>(reinterpret_cast<const uchar4 *>(bytes), b4, N / 16);
    class_score_const<<<M / 2 / T, T>>>(idx, a, b, M / 2);
    class_score_global<<<M / 2 / T, T>>>(idx, a, a, b, M / 2);
    done("constant");
  }
  if (want("local")) {
    nearest16_insert<<<(1 << 18) / 128, 128>>>(a, b, 1 << 18, 128);
    nearest16_bubble<<<(1 << 18) / 128, 128>>>(a, b, 1 << 18, 128);
    solve4_pivot_index<<<M / 2 / 128, 128>>>(a, b, M / 2);
    solve4_pivot_select<<<M / 2 / 128, 128>>>(a, b, M / 2);
    layer48_crowded<<<1024, 1024>>>(a, b, 1 << 20);
    layer48_roomy<<<4096, 256>>>(a, b, 1 << 20);
    done("local");
  }
  if (want("generic")) {
    fir_view_pointers<<<G / 4, 256>>>(a, a + N, b, 64);
    fir_view_offsets<<<G / 4, 256>>>(a, a + N, b, 64);
    similarity_called<<<8192, 256>>>(a, b, 32);
    similarity_inlined<<<8192, 256>>>(a, b, 32);
    done("generic");
  }
  if (want("launch")) {
    dot_grid_stride<<<8, 512>>>(a, a + N, sum, N / 8);
    dot_grid_stride<<<S, 256>>>(a, a + N, sum, N / 8);
    normalize_rows<<<64, 256>>>(a, b, N / 4096);
    normalize_rows<<<S, 256>>>(a, b, N / 4096);
    max_grid_stride<<<1, 1024>>>(a, bi, N / 16);
    max_grid_stride<<<264, 1024>>>(a, bi, N / 16);
    CHECK(cudaFuncSetAttribute(walk_table, cudaFuncAttributeMaxDynamicSharedMemorySize, kWalkTable * 4));
    walk_table<<<133, 1024, kWalkTable * 4>>>(a, b, 8192);
    walk_table<<<1064, 1024, kWalkTable * 4>>>(a, b, 1024);
    done("launch");
  }
  if (want("occupancy")) {
    CHECK(cudaFuncSetAttribute(median5_scratch, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024));
    median5_scratch<<<N / 4 / 128, 128, 96 * 1024>>>(a, b, N / 4);
    median5_scratch<<<N / 4 / 128, 128, 1024>>>(a, b, N / 4);
    scale_bias<<<N / 2 / 32, 32>>>(a, a + N, b, N / 2, 0.5f);
    scale_bias<<<N / 2 / 256, 256>>>(a, a + N, b, N / 2, 0.5f);
    scale_bias_vec4<<<N / 8 / 32, 32>>>(a4, a4 + N / 4, b4, N / 8, 0.5f);
    scale_bias_vec4<<<N / 8 / 256, 256>>>(a4, a4 + N / 4, b4, N / 8, 0.5f);
    done("occupancy");
  }
  if (want("alias")) {
    gemv_plain<<<(1 << 20) / T, T>>>(a, a + N, b, 1 << 20, 64);
    gemv_restrict<<<(1 << 20) / T, T>>>(a, a + N, b, 1 << 20, 64);
    leapfrog_plain<<<N / 2 / 2048, 256>>>(b, c, a, 0.01f);
    leapfrog_restrict<<<N / 2 / 2048, 256>>>(b, c, a, 0.01f);
    done("alias");
  }
  if (want("stride")) {
    column_extract<<<G / 2, T>>>(a, b, N / 2, 8);
    column_extract<<<G / 2, T>>>(a, b, N / 2, 1);
    column_fill<<<N / 4 / T, T>>>(b, N / 4, 8, 0.5f);
    column_fill<<<N / 4 / T, T>>>(b, N / 4, 1, 0.5f);
    done("stride");
  }
  if (want("stream")) {
    reverse4<<<G / 4, T>>>(a4, b4, N / 4);
    bias_rows4<<<G / 4, T>>>(a4, a4 + N / 2, b4, N / 4, 255);
    checksum_xor<<<16384, 256>>>(reinterpret_cast<const uint4 *>(a), bu, N / 4 / 16384);
    done("stream");
  }
  puts("done");
  return 0;
}
