# SPDX-License-Identifier: Apache-2.0
"""What servers can do, from what an event costs.

Costs are those that Benchmarks/service-nodes measures with one server: milliseconds of processor for a request
(accept_server, accept_database, accept_client) and for an event that is worked on (digest_server, digest_database), bytes
that the database writes and keeps, sync, the milliseconds that a small write takes to reach the disk, sync_byte, what each
byte adds to that, and digest_alone, the milliseconds from one stored event of a project to the next: that part is done for
one after another. The costs of accepting are also told apart into those of a request (request_…) and those of a commit
(commit_…), which many requests share.
"""
import collections
import heapq


def on_one_machine(cost, servers, cores, clients=64, seconds=20.0):
    """Requests and events a second of so many servers with one database and the clients on one machine."""
    return {
        "accepted": accepted(cost, servers, cores, clients, seconds),
        "digested": digested(cost, servers, cores),
    }


class Machine:
    """So many cores; who finds none waits in order."""

    def __init__(self, cores):
        self.free, self.ready, self.agenda, self.order, self.now = cores, collections.deque(), [], 0, 0.0

    def later(self, seconds, then):
        self.order += 1
        heapq.heappush(self.agenda, (self.now + seconds, self.order, then))

    def compute(self, seconds, then):
        """`then` is called when a core has worked on it for so long."""
        self.ready.append((seconds, then))
        self.begin()

    def begin(self):
        while self.free and self.ready:
            self.free -= 1
            seconds, then = self.ready.popleft()
            self.later(seconds, lambda then=then: self.end(then))

    def end(self, then):
        self.free += 1
        then()
        self.begin()

    def run(self, seconds):
        while self.agenda and self.agenda[0][0] < seconds:
            self.now, _, then = heapq.heappop(self.agenda)
            then()


class Acceptor:
    """A server: what its clients sent waits for one commit after another, each for all that wait."""

    def __init__(self, cost, machine, slower):
        self.cost, self.machine, self.slower = cost, machine, slower
        self.waiting, self.isCommitting, self.done = 0, False, 0

    def send(self):
        """A client's request, until it is read and waits for a commit."""
        work = self.cost["request_server"] + self.cost["accept_client"]
        self.machine.compute(work / 1000 * self.slower, self.arrive)

    def arrive(self):
        self.waiting += 1
        self.commit()

    def commit(self):
        if self.isCommitting or not self.waiting:
            return
        self.isCommitting, count, self.waiting = True, self.waiting, 0
        work = self.cost["commit_server"] + self.cost["commit_database"] + count * self.cost["request_database"]
        written = self.cost["commit_written"] + count * self.cost["request_written"]
        sync = self.cost["sync"] + written * self.cost["sync_byte"]
        self.machine.compute(
            work / 1000 * self.slower, lambda: self.machine.later(sync / 1000, lambda: self.answer(count)))

    def answer(self, count):
        self.isCommitting = False
        self.done += count
        for _ in range(count):
            self.send()
        self.commit()


def accepted(cost, servers, cores, clients, seconds):
    """Simulates clients that send, wait, and send again.

    A request takes a core for the client's and the server's part of it; then it waits for its server's commit, which
    is one connection's work, one after another: the database's part of each request in it, what a commit itself takes,
    and the disk. `cores` may be a part of the machine's: what others left of them.
    """
    whole = max(1, round(cores))
    machine = Machine(whole)
    acceptors = [Acceptor(cost, machine, whole / cores) for _ in range(servers)]
    for client in range(clients):
        acceptors[client % servers].send()
    machine.run(seconds)
    return sum(acceptor.done for acceptor in acceptors) / seconds


def parts(many, one):
    """Costs of a request and of a commit, from a load of many connections and one of a single connection, in which each
    request has a commit of its own."""
    share = 1 / many["requests_a_commit"]
    found = {}
    for name in ("server", "database", "written"):
        a, b = many[f"accept_{name}"], one[f"accept_{name}"]
        commit = max(0.0, (b - a) / (1 - share)) if share < 1 else 0.0
        found[f"commit_{name}"], found[f"request_{name}"] = commit, max(0.0, a - commit * share)
    return found


def digested(cost, servers, cores, workers=2):
    """Events a second of one project: as many as cores and workers let through, and no more than go in one by one."""
    work = (cost["digest_server"] + cost["digest_database"]) / 1000
    return min(min(cores, servers * workers) / work, 1000 / cost["digest_alone"])
