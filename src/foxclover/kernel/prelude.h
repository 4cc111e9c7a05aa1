/* What every kernel begins with: Python's integer arithmetic, and the checks of a checking build. */
typedef signed char int8_t;
typedef signed short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
double log(double);
double exp(double);

#ifdef CHECKING
static int64_t fault_line;
__attribute__((export_name("fault_line"))) int64_t kernel_fault_line(void) { return fault_line; }
static void fault(int64_t line) { fault_line = line; __builtin_trap(); }
static inline int64_t checked_index(int64_t i, int64_t n, int64_t line) { if (i < 0 || i >= n) fault(line); return i; }
static inline int64_t checked_fit(int64_t x, int64_t limit, int64_t line) { if (x < -limit || x >= limit) fault(line); return x; }
static inline int64_t checked_shift(int64_t n, int64_t line) { if (n < 0 || n > 63) fault(line); return n; }
static inline int64_t checked_count(int64_t x, int64_t line) { if (x < 0) fault(line); return x; }
static inline int64_t shift_left(int64_t a, int64_t n, int64_t line) {
    int64_t r = (int64_t)((uint64_t)a << checked_shift(n, line));
    if (r >> n != a) fault(line);
    return r;
}
static inline double checked_divisor(double x, int64_t line) { if (x == 0) fault(line); return x; }
static inline int64_t checked_exact(int64_t x, int64_t line) { if (x < -(1LL << 53) || x > 1LL << 53) fault(line); return x; }
static inline double checked_whole(double x, int64_t line) { if (!(x >= -0x1p63 && x < 0x1p63)) fault(line); return x; }
static inline double checked_above(double x, double least, int64_t line) { if (x < least) fault(line); return x; }
static inline double checked_below(double x, double most, int64_t line) { if (x > most && x < __builtin_inf()) fault(line); return x; }
#define AT(i, n, line) checked_index(i, n, line)
#define DIVIDE(a, b, line) ((a) / (typeof(b))checked_divisor(b, line))
#define AS_FLOAT(x, line) checked_exact(x, line)
#define AS_INT(x, line) checked_whole(x, line)
#define ROOTED(x, line) checked_above(x, 0, line)
#define LOGGED(x, line) checked_above(x, 0x0.0000000000001p-1022, line)
#define RAISED(x, line) checked_below(x, 0x1.62e42fefa39efp+9, line)
#define FIT(x, limit, line) checked_fit(x, limit, line)
#define SHIFT_LEFT(a, n, line) shift_left(a, n, line)
#define SHIFT_RIGHT(a, n, line) ((a) >> checked_shift(n, line))
#define COUNT_BITS(x, line) ((int64_t)__builtin_popcountll((uint64_t)checked_count(x, line)))
#else
#define AT(i, n, line) (i)
#define DIVIDE(a, b, line) ((a) / (b))
#define AS_FLOAT(x, line) (x)
#define AS_INT(x, line) (x)
#define ROOTED(x, line) (x)
#define LOGGED(x, line) (x)
#define RAISED(x, line) (x)
#define FIT(x, limit, line) (x)
#define SHIFT_LEFT(a, n, line) ((int64_t)((uint64_t)(a) << (n)))
#define SHIFT_RIGHT(a, n, line) ((a) >> (n))
#define COUNT_BITS(x, line) ((int64_t)__builtin_popcountll((uint64_t)(x)))
#endif

static inline int64_t floor_div(int64_t a, int64_t b) { int64_t q = a / b; return q - (a % b != 0 && (a < 0) != (b < 0)); }
static inline int64_t floor_mod(int64_t a, int64_t b) { int64_t r = a % b; return r != 0 && (r < 0) != (b < 0) ? r + b : r; }
static inline int64_t power(int64_t a, int64_t n) { int64_t r = 1; if (n < 0) __builtin_trap(); while (n-- > 0) r *= a; return r; }
static inline int64_t max_int(int64_t a, int64_t b) { return b > a ? b : a; }
static inline int64_t min_int(int64_t a, int64_t b) { return b < a ? b : a; }
static inline double max_float(double a, double b) { return b > a ? b : a; }
static inline double min_float(double a, double b) { return b < a ? b : a; }
static inline float max_single(float a, float b) { return b > a ? b : a; }
static inline float min_single(float a, float b) { return b < a ? b : a; }

#ifndef CHECKING
#include <wasm_simd128.h>
/* Vectorised versions of functions in vectors.py, for numbers of one width each. They add in the same order. */
static inline int64_t positive_singles(const float *v, int64_t start) {
    int64_t bits = 0;
    for (int64_t n = 0; n < 32; n += 16) {
        v128_t zero = wasm_f32x4_const_splat(0), part[4];
        for (int k = 0; k < 4; k++) part[k] = wasm_f32x4_gt(wasm_v128_load(v + start + n + 4 * k), zero);
        v128_t low = wasm_i16x8_narrow_i32x4(part[0], part[1]), high = wasm_i16x8_narrow_i32x4(part[2], part[3]);
        bits |= (int64_t)(wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(low, high)) & 0xFFFF) << n;
    }
    return bits;
}
static inline int64_t differing_shorts(const int16_t *a, const int16_t *b, int64_t start) {
    int64_t bits = 0;
    for (int64_t n = 0; n < 32; n += 16) {
        v128_t part[2];
        for (int k = 0; k < 2; k++) part[k] = wasm_i16x8_ne(wasm_v128_load(a + start + n + 8 * k), wasm_v128_load(b + start + n + 8 * k));
        bits |= (int64_t)(wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(part[0], part[1])) & 0xFFFF) << n;
    }
    return bits;
}
#define LANES 16
static inline void exchange_singles(float *sums, const float *rows, const int64_t *added, const int64_t *removed, int64_t count, int64_t width) {
    for (int64_t i = 0; i < width; i += LANES) {
        v128_t part[LANES / 4];
        for (int k = 0; k < LANES / 4; k++) part[k] = wasm_v128_load(sums + i + 4 * k);
        for (int64_t n = 0; n < count; n++) {
            const float *in = rows + added[n] * width + i, *out = rows + removed[n] * width + i;
            for (int k = 0; k < LANES / 4; k++)
                part[k] = wasm_f32x4_add(part[k], wasm_f32x4_sub(wasm_v128_load(in + 4 * k), wasm_v128_load(out + 4 * k)));
        }
        for (int k = 0; k < LANES / 4; k++) wasm_v128_store(sums + i + 4 * k, part[k]);
    }
}
#define PRODUCT(n) wasm_f32x4_mul(wasm_v128_load32_splat(factors + chosen[n]), wasm_v128_load(rows + chosen[n] * width + i + 4 * k))
static inline void weigh_singles(float *sums, const float *rows, const int64_t *chosen, const float *factors, int64_t count, int64_t width) {
    for (int64_t i = 0; i < width; i += LANES) {
        v128_t part[LANES / 4];
        for (int k = 0; k < LANES / 4; k++) part[k] = wasm_v128_load(sums + i + 4 * k);
        int64_t n = 0;
        for (; n + 4 <= count; n += 4)
            for (int k = 0; k < LANES / 4; k++)
                part[k] = wasm_f32x4_add(part[k], wasm_f32x4_add(wasm_f32x4_add(wasm_f32x4_add(PRODUCT(n), PRODUCT(n + 1)), PRODUCT(n + 2)), PRODUCT(n + 3)));
        for (; n < count; n++)
            for (int k = 0; k < LANES / 4; k++) part[k] = wasm_f32x4_add(part[k], PRODUCT(n));
        for (int k = 0; k < LANES / 4; k++) wasm_v128_store(sums + i + 4 * k, part[k]);
    }
}
#define simd_exchange_rows(sums, rows, added, removed, count, width) \
    _Generic((sums), float *: _Generic((rows), float *: exchange_singles))(sums, rows, added, removed, count, width)
#define simd_weigh_rows(sums, rows, chosen, factors, count, width) \
    _Generic((sums), float *: _Generic((rows), float *: weigh_singles))(sums, rows, chosen, factors, count, width)
#define simd_positive_bits(v, start) _Generic((v), float *: positive_singles)(v, start)
#define simd_differing_bits(a, b, start) _Generic((a), int16_t *: _Generic((b), int16_t *: differing_shorts))(a, b, start)
#endif
