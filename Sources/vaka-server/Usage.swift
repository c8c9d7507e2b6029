// SPDX-License-Identifier: Apache-2.0

/// What `--help` prints.
enum Usage {
    static let text = """
        Usage: vaka-server --data DIR [OPTION]…
               vaka-server admin backup|restore|verify …      (vaka-server admin --help)
               vaka-server migrate --from DIR --to URI         (vaka-server migrate --help)

        Takes crash reports of your programs, makes them readable, groups them, and shows them.

          --data DIR             where everything is kept; made when missing. One server at a time uses it
          --store URI            keep rows in PostgreSQL (postgres://[USER@]HOST[:PORT]/DATABASE) instead: any number of servers
                                 may use one database, each with a data folder of its own for images, caches and certificates.
                                 VAKA_STORE says the same. The password from PGPASSFILE or PGPASSWORD stays out of ps
          --listen HOST:PORT     where to listen (default 127.0.0.1:8300); port 0 picks a free one. A socket that a service
                                 manager hands over (systemd's socket units) comes before it
          --public-url URL       how people reach the server, where a proxy stands before it
          --tls-cert FILE        speak TLS with this certificate (PEM; those that vouch for it behind it); needs --tls-key
          --tls-key FILE         the certificate's private key (PEM, without a password)
          --key-file FILE        seal captured memory by the key in FILE, where it is kept (32 bytes or 64 hexadecimal digits,
                                 mode 0600). Without the file it cannot be read again, nor the server be started
          --no-system            do not look for debug images among this machine's own files
          --debuginfod URL       ask this debuginfod server for images that reports wait for; may be repeated. Without it
                                 nobody is asked
          --max-debuginfod BYTES what is kept of those (default 21474836480)
          --blobs s3://BUCKET/PREFIX
                                 keep uploaded images and source bundles in an S3-compatible store, or in a folder that is
                                 given from the root; the data folder then has a cache of them. The keys are in
                                 AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, where they are for a time, AWS_SESSION_TOKEN.
                                 Images that the data folder has are moved there at the first start
          --s3-endpoint URL      of a store other than AWS's, such as https://store.example.com:9000
          --s3-region REGION     of the bucket (default us-east-1)
          --blob-cache BYTES     what is kept of them in the data folder (default 21474836480)
          --blob-wait SECONDS    while the store does not answer, reports whose images are not here wait so long; then they are
                                 stored as they are, and symbolicated again when it answers (default 600)
          --workers N            how many reports are worked on at once (default 1)
          --max-body BYTES       largest batch as sent (default 20971520)
          --max-upload BYTES     largest debug image (default 4294967296)
          --max-spool BYTES      what may wait to be worked on before senders are asked to wait (default 2147483648)
          --max-connections N    how many clients may be connected (default 10000); fewer where the system's limit of open
                                 files is lower. A client that says nothing for 30 seconds is disconnected
          --project-rate N       how many items of a project are taken in a minute; 0, the default, is no limit. A project may
                                 set its own (PUT /api/v1/projects/NAME/limits)
          --key-rate N           the same for one key
          --issue-rate N         how many events of one issue are stored in a minute; the others are counted
          --keep-days N          how many days events and sessions are kept; 0, the default, is for ever. The first and the last
                                 event of an issue, and all counts, stay. A project may set its own
          --keep-issue-events N  how many events of one issue are kept, the newest and the first; 0, the default, is all
          --keep-events N        the same for a whole project
          --disk-budget BYTES    what the data folder may take; 0, the default, is no bound. Beyond it go caches, then captured
                                 memory and attachments, then events, the oldest first
          --repeat-days N        how many days an item that is sent again is known, so that it counts once (default 30)
          --smtp URL             who takes the mails of alerts: smtps://[USER:PASSWORD@]HOST[:PORT], smtp://… with STARTTLS, or
                                 smtp+plain://… without; VAKA_SMTP says the same, and keeps the password out of ps
          --mail-from ADDRESS    whom these mails are from
          --smtp-ca FILE         whose certificates that server may have (PEM; default: the system's)
          --alert-network NET    a network such as 10.1.0.0/16 that webhooks may go to, beside the Internet; may be repeated
          --worker-seconds N     how long the symbolicator may take for one report before it is killed (default 60)
          --worker-memory MIB    how much memory it may use (default 4096)
          --log-format FORMAT    what standard error is written as: text (the default) or json, an object a line
          --report-days DAYS     how long a report with unresolved frames is kept for images to come (default 30)
          --help                 this text

        The first start makes a project "default" with an ingest key (vk_…, for programs) and an admin token (va_…, for
        people and scripts), prints both on standard error, and keeps them in DIR/credentials.json (mode 0600).
        When it is ready it prints "listening on http://HOST:PORT" on standard output. SIGTERM ends it cleanly.
        SIGHUP takes a renewed certificate: write both files, then send the signal. Connections that are open stay.

        Examples
          vaka-server --data /var/lib/vaka
          vaka-server --data /var/lib/vaka --blobs s3://crashes/vaka --s3-region eu-central-1
          vaka upload debug build/ --url http://127.0.0.1:8300 --token va_…
          vaka submit crashes/ --url http://127.0.0.1:8300 --key vk_…

        To be reached from elsewhere it needs --tls-cert and --tls-key, or a proxy with TLS before it.
        Exit status: 0 ended as asked, 1 it failed, 2 wrong usage.

        """
}
