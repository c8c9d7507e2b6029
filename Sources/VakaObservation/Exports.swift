// SPDX-License-Identifier: Apache-2.0

// Elements' roles and bounds, actions and their results: who writes a host needs both.
@_exported public import VakaModel
