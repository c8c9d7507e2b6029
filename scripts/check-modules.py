#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The direction of the modules: what each may import of ours, and of the systems' libraries. ARCHITECTURE.md has the reasons."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STANDARD = {"FoundationEssentials", "Glibc", "Dispatch", "Synchronization", "Testing"}
ALLOWED = {
    "VakaModel": set(),
    "CrashRecord": {"CVakaRecord", "VakaModel"},
    "CoreFile": {"CElfutils", "CInstruction", "CrashRecord", "VakaModel"},
    "Delivery": {"CLoadedZstd", "CVakaDigest", "CVakaRecord", "CZlib", "CrashRecord", "VakaModel"},
    "HTTPClient": {"CCurl", "Delivery"},
    "Vaka": {"CVakaCrash", "CVakaHost", "CVakaRecord", "CrashRecord", "Delivery", "HTTPClient", "VakaModel"},
    "VakaObservation": {"CLinux", "VakaModel"},
    "VakaRecording": {"Delivery", "Vaka", "VakaModel", "VakaObservation"},
    "ObservationClient": {"CLinux", "VakaModel"},
    "VakaNetwork": {"Vaka", "VakaModel", "Foundation", "FoundationNetworking"},
    "DebugImages": {"CDeflate", "CElfutils", "CLinux", "CLzma", "CZlib", "CZstd", "VakaModel"},
    "Unwinding": {"CElfutils", "DebugImages", "VakaModel"},
    "SourceBundles": {"CMessageDigest", "CMinizip", "DebugImages", "VakaModel"},
    "Symbolication": {"CElfutils", "CDemangle", "CVakaSymbols", "DebugImages", "SourceBundles", "Unwinding", "VakaModel"},
    "CoreCollector": {
        "CDemangle", "CElfutils", "CLinux", "CVakaRecord", "CoreFile", "CrashRecord", "Delivery", "Unwinding", "VakaModel",
    },
    "Grouping": {"CVakaDigest", "VakaModel"},
    "EventStore": {"CDeflate", "CPostgres", "CSQLite", "VakaModel"},
    "EventText": {"DebugImages", "VakaModel"},
    "Disassembly": {"CCapstone", "VakaModel"},
    "JSONScan": {"CVakaScan"},
    "Privacy": {"JSONScan"},
    "BlobStore": {"CCurl", "CSodium", "DebugImages", "VakaModel"},
    "Alerts": {"CCurl", "CSodium", "EventStore", "VakaModel"},
    "IngestService": {
        "Alerts", "BlobStore", "CDeflate", "CLinux", "CMicroHTTPD", "CSodium", "CTLS", "CZlib", "CZstd", "CoreFile", "DebugImages", "Debuginfod",
        "Disassembly", "EventStore", "EventText", "Grouping", "JSONScan", "Privacy", "SourceBundles", "Symbolication", "VakaModel",
    },
    "Backups": {"BlobStore", "CSodium", "DebugImages", "EventStore", "IngestService", "SourceBundles", "VakaModel"},
    "Debuginfod": {"CCurl", "DebugImages", "VakaModel"},
    "ServiceClient": {"CLinux", "CZlib", "Delivery", "HTTPClient", "VakaModel"},
    "Supervision": {"CLinux", "CVakaRecord", "CrashRecord", "Delivery", "VakaModel"},
    "Doctor": {"CDoctor", "CLinux", "CVakaRecord", "CrashRecord", "Supervision", "VakaModel"},
    "vaka": {
        "CArguments", "CGetopt", "CLinux", "CoreCollector", "CoreFile", "CrashRecord", "DebugImages", "Debuginfod", "Delivery",
        "Doctor", "EventText", "Grouping", "ObservationClient", "ServiceClient", "SourceBundles", "Supervision", "Symbolication", "Unwinding", "VakaModel",
    },
    "vaka-server": {"Alerts", "Backups", "BlobStore", "Debuginfod", "EventStore", "IngestService"},
}
IMPORT = re.compile(r"^(?:@\w+\s+)*(?:public |package |internal |private |fileprivate )?import (?:struct |enum |func |class )?(\w+)")


def main():
    problems = []
    for folder in sorted((ROOT / "Sources").iterdir()):
        allowed = ALLOWED.get(folder.name)
        if allowed is None:
            problems.append(f"Sources/{folder.name}: a module that ARCHITECTURE.md and this check do not know")
            continue
        for path in sorted(folder.rglob("*.swift")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = IMPORT.match(line)
                if match and match.group(1) not in allowed | STANDARD:
                    problems.append(f"{path.relative_to(ROOT)}:{number}: {folder.name} may not import {match.group(1)}")
    print("\n".join(problems) if problems else f"modules: {len(ALLOWED)} as ARCHITECTURE.md has them")
    return 1 if problems else 0


sys.exit(main())
