# SPDX-License-Identifier: Apache-2.0
"""What servers can do, from what an event costs.

Costs are those that Benchmarks/service-nodes measures with one server: milliseconds of processor for a request
(accept_server, accept_database, accept_client) and for an event that is worked on (digest_server, digest_database), bytes
that the database writes and keeps, sync, the milliseconds that a small write takes to reach the disk, and digest_alone,
the milliseconds from one stored event of a project to the next: that part is done for one after another.
"""
import heapq


def on_one_machine(cost, servers, cores, clients=64, seconds=20.0):
    """Requests and events a second of so many servers with one database and the clients on one machine."""
    return {
        "accepted": accepted(cost, servers, cores, clients, seconds),
        "digested": digested(cost, servers, cores),
    }


def accepted(cost, servers, cores, clients, seconds):
    """Simulates clients that send, wait, and send again.

    A request takes its share of a core from all three sides, one after another in the order of arrival, and then waits for
    its server's commit: a server commits for all that wait, once the commit before has ended.
    """
    work = (cost["accept_server"] + cost["accept_database"] + cost["accept_client"]) / 1000
    sync = cost["sync"] / 1000
    # What happens next: (time, number that keeps the order, kind, whose).
    agenda, order, done = [], 0, 0
    free, ready = cores, [client for client in range(clients)]
    waiting = [[] for _ in range(servers)]
    committing = [[] for _ in range(servers)]

    def later(delay, kind, whose, now):
        nonlocal order
        order += 1
        heapq.heappush(agenda, (now + delay, order, kind, whose))

    def begin(now):
        nonlocal free
        while free and ready:
            free -= 1
            later(work, "worked", ready.pop(0), now)

    def commit(server, now):
        if waiting[server] and not committing[server]:
            committing[server], waiting[server] = waiting[server], []
            later(sync, "committed", server, now)

    begin(0.0)
    while agenda and agenda[0][0] < seconds:
        now, _, kind, whose = heapq.heappop(agenda)
        if kind == "worked":
            free += 1
            waiting[whose % servers].append(whose)
            commit(whose % servers, now)
        else:
            done += len(committing[whose])
            ready += committing[whose]
            committing[whose] = []
            commit(whose, now)
        begin(now)
    return done / seconds


def digested(cost, servers, cores, workers=2):
    """Events a second of one project: as many as cores and workers let through, and no more than go in one by one."""
    work = (cost["digest_server"] + cost["digest_database"]) / 1000
    return min(min(cores, servers * workers) / work, 1000 / cost["digest_alone"])
