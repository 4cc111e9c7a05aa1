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
#define AT(i, n, line) checked_index(i, n, line)
#define FIT(x, limit, line) checked_fit(x, limit, line)
#define SHIFT_LEFT(a, n, line) shift_left(a, n, line)
#define SHIFT_RIGHT(a, n, line) ((a) >> checked_shift(n, line))
#define COUNT_BITS(x, line) ((int64_t)__builtin_popcountll((uint64_t)checked_count(x, line)))
#else
#define AT(i, n, line) (i)
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
