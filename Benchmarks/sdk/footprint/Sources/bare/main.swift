// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials

// As much as `measure nothing` does, without the SDK.

DispatchQueue.global().sync {}
print(URL(filePath: CommandLine.arguments.first ?? "").lastPathComponent)
