import Glibc

/// Does a sanitizer run beneath this process, and so beneath those of ours that it starts?
package let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// How often a test repeats what only chance can bring about: a tenth of `count` under a sanitizer,
/// where each time takes many times as long and tells of more than what went wrong.
package func repetitions(_ count: Int) -> Int { isSanitized ? count / 10 : count }
