// SPDX-License-Identifier: Apache-2.0

/// The rules as data, most particular first. Changing them changes keys: raise `Grouping.version` with it.
package enum FrameRules {
    package static let ordered: [FrameRule] = ends + heap + waits + bases + libraries

    private static let ends: [FrameRule] = [
        FrameRule(
            name: "swift runtime trap", frameClass: .runtimeTrap,
            functions: [
                "Swift runtime failure: *", "Swift._assertionFailure*", "_assertionFailure*", "Swift.fatalError*",
                "Swift._fatalErrorMessage*", "_swift_runtime_on_report", "swift::fatalError*", "swift::swift_abort*",
                "swift_abort*", "swift_dynamicCastFailure*", "swift::swift_dynamicCastFailure*",
                "swift_unexpectedError*",
                "Swift._unexpectedError*", "swift_deletedMethodError", "swift_beginAccess", "swift::swift_beginAccess*",
                "swift::runtime::AccessSet::*", "swift_dynamicCast*", "swift_errorInMain", "Swift.preconditionFailure*",
                "Swift.precondition*", "Swift.assert*", "Swift._precondition*", "Swift._debugPrecondition*",
                "Swift._internalInvariant*", "Swift._preconditionFailure*", "swift::fatalErrorv*", "swift::warningv*",
            ]),
        FrameRule(
            name: "rust panic", frameClass: .abort,
            functions: [
                "rust_begin_unwind", "rust_panic*", "std::panicking::*", "core::panicking::*",
                "core::result::unwrap_failed",
                "core::option::unwrap_failed", "core::option::expect_failed", "core::slice::index::*_fail*",
                "std::sys::*::abort_internal", "std::process::abort", "panic_abort::*", "__rust_start_panic*",
                "std::sys::backtrace::__rust_end_short_backtrace",
                "std::sys_common::backtrace::__rust_end_short_backtrace",
            ]),
        FrameRule(
            name: "c++ throw", frameClass: .abort,
            functions: [
                "__cxa_throw", "__cxa_rethrow", "__cxa_bad_*", "__cxa_pure_virtual", "std::terminate*",
                "__cxxabiv1::*", "__gxx_personality_v0", "__gnu_cxx::__verbose_terminate_handler*", "_Unwind_*",
                "std::__throw_*", "std::rethrow_exception*", "std::unexpected*", "__clang_call_terminate",
            ]),
        FrameRule(
            name: "raise and abort", frameClass: .abort,
            functions: [
                "abort", "__abort*", "raise", "__GI_raise", "__GI_abort", "gsignal", "pthread_kill*", "__pthread_kill*",
                "tgkill", "kill", "__kill", "__assert*", "__GI___assert*", "__libc_message*", "__libc_fatal",
                "__fortify_fail*", "__GI___fortify_fail*", "__stack_chk_fail*", "__chk_fail", "__restore_rt",
                "sigqueue",
                "*_chk_fail*", "__ubsan_handle_*_abort", "g_assertion_message*", "g_log*_abort",
            ]),
    ]

    private static let heap: [FrameRule] = [
        FrameRule(
            name: "allocator", frameClass: .allocator,
            functions: [
                "malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "memalign", "posix_memalign",
                "aligned_alloc", "malloc_printerr*", "malloc_consolidate", "_int_malloc", "_int_free*", "_int_realloc",
                "__libc_malloc", "__libc_free", "__libc_calloc", "__libc_realloc", "__GI___libc_*", "unlink_chunk*",
                "tcache_*", "sysmalloc*", "operator new*", "operator delete*", "swift_slowAlloc*", "swift_slowDealloc*",
                "swift_allocObject*", "swift_deallocClassInstance*", "je_*", "mi_*", "__rust_alloc*", "__rust_dealloc*",
                "__rdl_*", "alloc::alloc::*",
            ])
    ]

    private static let waits: [FrameRule] = [
        FrameRule(
            name: "lock", frameClass: .lock,
            functions: [
                "pthread_mutex_*", "__pthread_mutex_*", "pthread_cond_*", "__pthread_cond_*", "pthread_rwlock_*",
                "__lll_lock_*", "lll_*", "futex*", "__futex*", "sem_wait*", "os_unfair_lock*",
            ]),
        FrameRule(
            name: "dispatch", frameClass: .dispatch,
            functions: ["_dispatch_*", "dispatch_*", "swift_job_run*", "swift::runJobInEstablishedExecutorContext*"],
            modules: []),
        FrameRule(
            name: "dispatch library", frameClass: .dispatch, modules: ["libdispatch.so*", "libBlocksRuntime.so*"]),
    ]

    private static let bases: [FrameRule] = [
        FrameRule(
            name: "thread base", frameClass: .threadBase,
            functions: [
                "__libc_start_main*", "__libc_start_call_main", "_start", "start_thread", "clone", "__clone*", "clone3",
                "__clone3*", "_dispatch_worker_thread*", "std::rt::lang_start*", "std::sys::*::thread::Thread::new::*",
                "_pthread_start", "thread_start", "execute_native_thread_routine*",
            ])
    ]

    private static let libraries: [FrameRule] = [
        FrameRule(
            name: "language library", frameClass: .system,
            functions: [
                "Swift.*", "_Concurrency.*", "Foundation.*", "FoundationEssentials.*", "Dispatch.*", "swift_*",
                "swift::*", "Synchronization.*", "std::*", "__gnu_cxx::*", "core::*", "alloc::*", "<* as core::*",
                "<core::*", "<alloc::*", "<std::*",
            ]),
        FrameRule(
            name: "system library", frameClass: .system,
            modules: [
                "libc.so*", "libc-2*", "libc.musl*", "ld-linux*", "ld-musl*", "libpthread*", "libm.so*", "libdl.so*",
                "librt.so*", "libstdc++.so*", "libgcc_s.so*", "libc++.so*", "libc++abi.so*", "libunwind.so*",
                "linux-vdso*", "linux-gate*", "[vdso]", "libswift*", "libFoundation*", "lib_Foundation*", "libXCTest*",
                "libTesting.so*", "libvakacrash*",
            ]),
        FrameRule(
            name: "system folder", frameClass: .system,
            paths: [
                "/lib/*", "/lib64/*", "/lib32/*", "/usr/lib/*", "/usr/lib64/*", "/usr/libexec/*",
                "/nix/store/*-glibc-*",
            ]),
    ]
}
