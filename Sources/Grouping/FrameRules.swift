// SPDX-License-Identifier: Apache-2.0

/// The rules as data, most particular first. Changing them changes keys: raise `Grouping.version` with it.
///
/// A pattern on functions must not be so wide that a program's own function can fall under it: names are either exact, or
/// reserved (`_…`), or looked for in one language only.
package enum FrameRules {
    package static let ordered: [FrameRule] = ends + heap + bases + entries + waits + libraries

    private static let ends: [FrameRule] = [
        FrameRule(
            name: "swift trap", frameClass: .runtimeTrap,
            functions: [
                "Swift runtime failure: *", "swift_dynamicCastFailure*", "swift_unexpectedError*", "swift_errorInMain",
                "swift_deletedMethodError*", "swift_abort*", "swift_reportError*", "swift::fatalError*",
                "swift::warning*", "swift::swift_abort*", "swift::swift_dynamicCastFailure*",
                "swift::runtime::AccessSet::*",
                "swift_beginAccess", "swift_dynamicCast", "_swift_runtime_on_report",
            ]),
        FrameRule(
            name: "swift assertion", frameClass: .runtimeTrap,
            functions: [
                "*assertionFailure(*", "*fatalError(*", "*_fatalErrorMessage(*", "*unexpectedError(*",
                "*precondition(*",
                "*preconditionFailure(*", "*assert(*", "*_precondition(*", "*_debugPrecondition(*",
                "*_preconditionFailure(*",
                "*_checkSubscript(*", "*_checkIndex(*", "*_failEarlyRangeCheck(*",
            ],
            swiftModules: ["Swift"]),
        FrameRule(
            name: "rust panic", frameClass: .abort,
            functions: [
                "rust_begin_unwind", "rust_panic", "__rust_start_panic", "__rustc::rust_begin_unwind",
                "__rustc::rust_panic", "__rustc::__rust_start_panic", "__rustc::__rust_abort",
                "std::panicking::panic*", "std::panicking::begin_panic*", "std::panicking::default_hook*",
                "std::panicking::rust_panic*",
                "core::panicking::*", "core::result::unwrap_failed", "core::option::unwrap_failed",
                "core::option::expect_failed",
                "core::slice::index::*_fail*", "core::str::slice_error_fail*", "std::sys::*::abort_internal",
                "std::process::abort", "panic_abort::*", "std::sys::backtrace::__rust_end_short_backtrace",
                "std::sys_common::backtrace::__rust_end_short_backtrace",
            ],
            language: .rust),
        FrameRule(
            name: "rust unwrap", frameClass: .runtimeTrap,
            functions: [
                "core::option::Option*::unwrap*", "core::option::Option*::expect", "core::result::Result*::unwrap*",
                "core::result::Result*::expect*",
            ],
            language: .rust),
        FrameRule(
            name: "c++ throw", frameClass: .abort,
            functions: [
                "__cxa_throw", "__cxa_rethrow", "__cxa_bad_*", "__cxa_pure_virtual", "__cxa_deleted_virtual",
                "std::terminate", "std::unexpected", "__cxxabiv1::*", "__gxx_personality_v0",
                "__gnu_cxx::__verbose_terminate_handler", "_Unwind_*", "std::__throw_*", "std::rethrow_exception",
                "__clang_call_terminate",
            ]),
        FrameRule(
            name: "raise and abort", frameClass: .abort,
            functions: [
                "abort", "__abort*", "raise", "__GI_raise", "__GI_abort", "gsignal", "pthread_kill", "__pthread_kill*",
                "tgkill", "kill", "__kill", "__assert*", "__GI___assert*", "__libc_message*", "__libc_fatal",
                "__fortify_fail*", "__GI___fortify_fail*", "__stack_chk_fail*", "__chk_fail", "__restore_rt",
                "__*_chk_fail",
            ]),
    ]

    private static let heap: [FrameRule] = [
        FrameRule(
            name: "allocator", frameClass: .allocator,
            functions: [
                "malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "memalign", "posix_memalign",
                "aligned_alloc", "malloc_printerr*", "malloc_consolidate", "_int_malloc", "_int_free*", "_int_realloc",
                "__libc_malloc", "__libc_free", "__libc_calloc", "__libc_realloc", "__GI___libc_malloc",
                "__GI___libc_free", "__GI___libc_calloc", "__GI___libc_realloc", "unlink_chunk*", "tcache_get",
                "tcache_put", "tcache_thread_shutdown", "sysmalloc*", "operator new", "operator new[]",
                "operator delete", "operator delete[]", "swift_slowAlloc", "swift_slowDealloc", "swift_allocObject",
                "swift_deallocClassInstance", "__rust_alloc*", "__rust_dealloc*", "__rust_realloc", "__rdl_*", "__rg_*",
            ])
    ]

    private static let bases: [FrameRule] = [
        FrameRule(
            name: "thread base", frameClass: .threadBase,
            functions: [
                "__libc_start_main*", "__libc_start_call_main", "_start", "start_thread", "clone", "__clone*", "clone3",
                "_dispatch_worker_thread*", "_dispatch_root_queue_drain*", "__GI___clone*",
            ]),
        FrameRule(
            name: "rust thread base", frameClass: .threadBase,
            functions: [
                "std::rt::lang_start*", "std::sys::*::__rust_begin_short_backtrace",
                "std::sys_common::backtrace::__rust_begin_short_backtrace", "std::sys::*::thread_start",
            ],
            language: .rust),
        FrameRule(name: "c++ thread base", frameClass: .threadBase, functions: ["execute_native_thread_routine*"]),
    ]

    private static let entries: [FrameRule] = [
        FrameRule(name: "main", frameClass: .entry, functions: ["main", "async_Main"]),
        FrameRule(name: "swift main", frameClass: .entry, functions: ["*.main()", "*.$main()"], language: .swift),
        FrameRule(name: "rust main", frameClass: .entry, functions: ["*::main"], language: .rust),
    ]

    private static let waits: [FrameRule] = [
        FrameRule(
            name: "lock", frameClass: .lock,
            functions: [
                "pthread_mutex_lock*", "__pthread_mutex_*", "pthread_cond_wait*", "pthread_cond_timedwait*",
                "__pthread_cond_*", "pthread_rwlock_*", "__pthread_rwlock_*", "__lll_lock_*", "__futex_*", "sem_wait*",
            ]),
        FrameRule(
            name: "dispatch", frameClass: .dispatch,
            functions: [
                "_dispatch_*", "swift_job_run*", "swift::runJobInEstablishedExecutorContext", "swift_task_switch*",
            ]),
        FrameRule(
            name: "dispatch library", frameClass: .dispatch, modules: ["libdispatch.so*", "libBlocksRuntime.so*"]),
    ]

    private static let libraries: [FrameRule] = [
        FrameRule(
            name: "swift library", frameClass: .system,
            swiftModules: [
                "Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "Synchronization", "Distributed",
                "Foundation*", "_Foundation*", "Dispatch", "Glibc", "XCTest", "Testing",
            ]),
        // What the compiler writes between a call and its function.
        FrameRule(
            name: "swift thunk", frameClass: .system, functions: ["thunk", "protocol witness for *"], language: .swift),
        FrameRule(
            name: "swift runtime", frameClass: .system,
            functions: [
                "swift::*", "swift_retain*", "swift_release*", "swift_task_*", "swift_once*", "swift_bridgeObject*",
                "swift_get*Metadata*", "swift_getWitnessTable*", "swift_array*", "swift_initStack*", "swift_asyncLet_*",
                "swift_unknownObject*", "swift_weak*", "swift_unowned*", "swift_conformsToProtocol*",
            ]),
        // A lambda of which the debug information does not say where it stands.
        FrameRule(name: "c++ nameless lambda", frameClass: .system, functions: ["operator()"]),
        FrameRule(name: "c++ library", frameClass: .system, functions: ["std::*", "__gnu_cxx::*"], language: .cxx),
        FrameRule(
            name: "rust library", frameClass: .system,
            functions: [
                "core::*", "alloc::*", "std::*", "<* as core::*", "<* as alloc::*", "<* as std::*", "<core::*",
                "<alloc::*",
                "<std::*", "__rustc::*",
            ],
            language: .rust),
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
