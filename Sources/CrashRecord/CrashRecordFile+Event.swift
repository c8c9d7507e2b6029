// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
package import VakaModel

extension CrashRecordFile {
    /// The crash as a document, unsymbolicated: threads with registers, the handler's frames and stack slices, the
    /// images, the run's context, and everything that is missing in `loss`.
    package func event() -> Event {
        EventBuilder(file: self, contents: RecordContents(sections)).event()
    }
}
