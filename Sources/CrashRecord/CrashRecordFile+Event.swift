// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
package import VakaModel

extension CrashRecordFile {
    /// The crash as a document, unsymbolicated: threads with registers, the handler's frames and stack slices, the
    /// images, the run's context, and everything that is missing in `loss`.
    package func event() -> Event {
        EventBuilder(file: self, contents: RecordContents(sections)).event()
    }

    /// The name of the queue that the run's reports go to, where it told.
    package var queue: String? { RecordContents(sections).context?.queue }

    /// The name of the run's last recorded moments, where there are any.
    package var recording: String? { RecordContents(sections).context?.recording }

    /// Paths of the files that the run named to be attached, by name.
    package var attachments: [String: String] { RecordContents(sections).context?.attachments ?? [:] }
}
