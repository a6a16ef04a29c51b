import Glibc

/// Whether this process and its child processes run with a sanitizer.
package let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// Returns the number of repetitions of a random test: `count`, or with a sanitizer, which is many
/// times slower, a tenth of it.
package func repetitions(_ count: Int) -> Int { isSanitized ? count / 10 : count }
