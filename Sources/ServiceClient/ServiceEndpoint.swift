// SPDX-License-Identifier: Apache-2.0
package import Delivery

/// The address of a service; see ``Delivery/ServiceEndpoint``.
package typealias ServiceEndpoint = Delivery.ServiceEndpoint
