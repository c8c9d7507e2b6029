// SPDX-License-Identifier: Apache-2.0
import Glibc
import IngestService

/// `vaka-server`: the service; with the word `worker` first its own child process, with `admin` what manages it.
@main
enum VakaServer {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        do throws(UsageError) {
            switch try CommandLineReader.read(Array(CommandLine.arguments.dropFirst())) {
            case .help: print(Usage.text, terminator: "")
            case .adminHelp: print(AdminCommand.usage + BackupCommand.usage, terminator: "")
            case .admin(let command): exit(try administer(command))
            case .migrateHelp: print(MigrateCommand.usage, terminator: "")
            case .migrate(let command): exit(run(command.run))
            case .backup(let command): exit(run(command))
            case .worker(let options): Worker(options).run()
            case .serve(let options):
                // A file that would be larger than it may is an error like a full disk.
                signal(SIGXFSZ, SIG_IGN)
                exit(serve(options))
            }
        } catch {
            say("vaka-server: \(error.message)\nTry: vaka-server --help")
            exit(2)
        }
    }

    private static func administer(_ command: AdminCommand) throws(UsageError) -> Int32 {
        do {
            print(try command.run(), terminator: "")
            return 0
        } catch let error as UsageError {
            throw error
        } catch {
            say("vaka-server: \(error)")
            return 1
        }
    }

    private static func run(_ work: () throws -> Void) -> Int32 {
        do {
            try work()
            return 0
        } catch {
            say("vaka-server: \(error)")
            return 1
        }
    }

    private static func run(_ command: BackupCommand) -> Int32 {
        do {
            let status = try command.run()
            fflush(nil)
            return status
        } catch {
            fflush(nil)
            say("vaka-server: \(error)")
            return 1
        }
    }

    private static func serve(_ options: ServiceOptions) -> Int32 {
        // Blocked before any thread is made, so that only this one takes them.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        do {
            let service = try Service(options: options)
            print("listening on \(service.listeningURL)")
            fflush(nil)
            ServiceManager.tell(.ready)
            var received: Int32 = 0
            while sigwait(&signals, &received) == 0, received == SIGHUP { service.renewCertificate() }
            ServiceManager.tell(.stopping)
            service.stop()
            return 0
        } catch {
            if options.logFormat == .json {
                Log(.json).error("not_started", "\(error)")
            } else {
                say("vaka-server: \(error)")
            }
            return 1
        }
    }

    private static func say(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(2, bytes, bytes.count)
    }
}
