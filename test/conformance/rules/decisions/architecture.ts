import type { Rule } from '../../rule.ts'

/** The decisions on architecture. */
export const architectureDecisions: readonly Rule[] = [
  {
    section: 'D-089 No local activities',
    rule: 'No workflow runs a local activity.',
    heldBy: ['test/project/localActivities.test.ts'],
  },
  {
    section: 'D-090 The plan is in the history',
    rule: 'A changed declaration does not affect the replay of a flow.',
    heldBy: [
      'test/replay/replay.test.ts > a replay > does not depend on the declaration, since a run follows its plan',
    ],
  },
  {
    section: 'D-092 One lock per locker',
    rule: 'Concurrent bookings never put two shipments into one locker.',
    heldBy: ['test/service/lockers/lastLocker.test.ts'],
  },
  {
    section: 'D-092 One lock per locker',
    rule: 'A failed opening and the report of a broken door lock the door before its locker.',
    heldBy: [
      'test/service/store/postgres/brokenDoors.test.ts > a failed opening waits for the event of its broken door, and neither fails',
    ],
  },
  {
    section: 'D-093 Group commit on the embedded store',
    rule: 'Concurrent requests share a commit. A failing one fails alone.',
    heldBy: ['test/service/store/sqlite/groupCommit.test.ts'],
  },
  {
    section: 'D-094 One transaction per event',
    rule: 'A committed state change has a callback, which survives a restart.',
    heldBy: ['test/service/outbox/restart.test.ts'],
  },
  {
    section: 'D-100 No other I/O in a transaction',
    rule: 'A transaction resolves no name, opens no connection and opens no door. Every test of the suite watches for it.',
    heldBy: ['test/service/store/transactionIo.test.ts'],
  },
  {
    section: 'D-100 No other I/O in a transaction',
    rule: 'A door is opened under a lease. One of several concurrent requests opens it, other changes at the locker wait, and the lease of a killed process expires.',
    heldBy: ['test/service/lockers/doorLeases.test.ts', 'test/service/tenancy/fairShares.test.ts'],
  },
  {
    section: 'D-100 No other I/O in a transaction',
    rule: 'Lookups of one host are shared, and a tenant has one lookup at a time.',
    heldBy: ['test/addresses/lookups.test.ts'],
  },
  {
    section: 'D-102 Load shedding',
    rule: 'Past a limit of the event loop or of the store, requests get 503 with Retry-After, and health checks an answer.',
    heldBy: ['test/service/http/overload.test.ts'],
  },
  {
    section: 'D-387 Unread responses',
    rule: 'The requests of a tenant whose callers leave too many bytes unread are rejected, and those of others are not.',
    heldBy: ['test/service/http/unread.test.ts'],
  },
  {
    section: 'D-387 Unread responses',
    rule: 'A connection whose caller stops reading is closed. A request of the flow API is in progress until its response is read.',
    heldBy: ['test/gateway/flowApi/connections.test.ts > a response that its caller does not read'],
  },
  {
    section: 'D-174 Shares of requests',
    rule: 'Beside other tenants, a tenant runs at most its share of operations at once. The rest waits in order, and a tenant alone has no limit.',
    heldBy: ['test/service/http/shares.test.ts'],
  },
  {
    section: 'D-174 Shares of requests',
    rule: 'Beside other tenants, a tenant reads one page at a time, and pages and uploads give way to their other operations.',
    heldBy: [
      'test/service/http/shares.test.ts > long work yields until the light work of others has ended, for 25 ms at most',
      'test/service/http/shares.test.ts > beside others, heavy work of a tenant runs one piece after the other, and light work beside it',
      'test/service/http/shares.test.ts > parts of long work rest beside other tenants for as long as the part before took, 25 ms at most',
    ],
  },
  {
    section: 'D-175 Rate of bodies',
    rule: 'Bodies of a tenant beyond its rate are read later, whether they are used or discarded.',
    heldBy: ['test/service/http/bodyRate.test.ts'],
  },
  {
    section: 'D-270 Pipelined transactions on PostgreSQL',
    rule: 'A write waits until its transaction has begun. A statement that fails unawaited rolls the transaction back, and its error is the reported one.',
    heldBy: ['test/service/store/postgres/pipelining.test.ts'],
  },
  {
    section: 'D-271 Bookings share a commit on PostgreSQL',
    rule: 'A booking in a batch has the response and the rows of one in a transaction of its own. One that is refused has its reason, and the others are booked.',
    heldBy: ['test/service/store/postgres/batchedBookings.test.ts'],
  },
  {
    section: 'D-303 The drafts of a batch share its statements',
    rule: 'A draft that fails leaves the others of its batch booked, each with the rows of a transaction of its own.',
    heldBy: ['test/service/store/postgres/batchedBookings.test.ts'],
  },
  {
    section: 'D-304 Tables of a booking have no foreign keys to the topology',
    rule: 'A booking waits while its tenant is being removed, and is refused afterwards.',
    heldBy: ['test/service/store/postgres/batchedBookings.test.ts > a booking waits while its tenant is being removed'],
  },
  {
    section: 'D-306 A batch waits while bookings arrive',
    rule: 'A commit waits while items arrive, until it is full.',
    heldBy: ['test/service/store/sqlite/groupCommit.test.ts > a commit waits while items arrive, until it is full'],
  },
  {
    section: 'D-316 Lists by their filter or by their order',
    rule: 'A list reads by the index of its filter, and has the same shipments in the same order, whether they are sorted or found in their order, and page by page.',
    heldBy: [
      'test/service/shipments/queryPlans.test.ts',
      'test/service/operations/logistics/getShipments.test.ts > GetShipments lists by',
      'test/service/operations/logistics/getShipments.test.ts > GetShipments pages',
    ],
  },
  {
    section: 'D-318 Ended shipments are counted once',
    rule: 'The total of a list is exact while shipments end, rounds count and old shipments are purged.',
    heldBy: ['test/service/shipments/counts.test.ts'],
  },
  {
    section: 'D-332 Pages of all shipments by ranges',
    rule: 'A page in the middle of all shipments has the same shipments, in both orders, while rounds count and old shipments are purged.',
    heldBy: ['test/service/shipments/ranges.test.ts'],
  },
  {
    section: 'D-390 Pages of ended shipments by ranges',
    rule: 'A page in the middle of ended shipments has the same shipments, in both orders, while shipments end, rounds count and old shipments are purged.',
    heldBy: ['test/service/shipments/ranges.test.ts'],
  },
  {
    section: 'D-391 Pages by last change by ranges',
    rule: 'A page in the middle of the order of changes has the same shipments, in both directions, while shipments end, rounds count, the clock is set back and old shipments are purged.',
    heldBy: ['test/service/shipments/ranges.test.ts'],
  },
  {
    section: 'D-392 Checkpoints of the embedded store have a thread',
    rule: 'A thread copies committed pages while the log is short. It ends before the store closes, a kill beside it loses no commit, and without it SQLite makes the checkpoints.',
    heldBy: ['test/service/store/sqlite/checkpoints.test.ts'],
  },
  {
    section: 'D-395 Statements of the service scan no table that has an index for them',
    rule: 'Claims, deletions and failures of callbacks that were planned for a small outbox read no row of a large one by a sequential scan.',
    heldBy: ['test/service/store/postgres/growingOutbox.test.ts'],
  },
  {
    section: 'D-500 A transaction per migration',
    rule: 'On PostgreSQL a migration that has ended is recorded and keeps no lock while the next one runs, and a start after a failure or a kill goes on with the next one.',
    heldBy: [
      'test/service/store/postgres/start.test.ts > a migration that fails keeps those before it, and the next start goes on with it',
      'test/service/store/postgres/start.test.ts > a migration that has ended keeps no lock while the next one runs, and another process goes on after a kill',
    ],
  },
  {
    section: 'D-412 Sessions are replaced after a refused write',
    rule: 'A service is ready again after a switchover that ends no session, keeps no read-only session, and replaces its sessions at most once a second.',
    heldBy: [
      'test/service/store/postgres/outages.test.ts > a service whose PostgreSQL is read-only is not ready and names it, and keeps no read-only session afterwards: %s',
      'test/service/store/postgres/replaceablePool.test.ts',
    ],
  },
  {
    section: 'D-523 A process without free file descriptors stays alive',
    rule: 'A service without free file descriptors stays alive, returns 503, and recovers.',
    heldBy: ['test/service/store/postgres/fileDescriptors.test.ts'],
  },
  {
    section: 'D-345 Log lines share a write',
    rule: 'Lines share a write for 20 ms or 8 KiB, and the end of the process writes those that wait. A log that cannot be written does not stop the process.',
    heldBy: ['test/logs/log.test.ts'],
  },
  {
    section: 'D-346 The drafts of a batch reserve their lockers together',
    rule: 'Bookings of different sizes in one batch have different lockers, and are refused only when none is free.',
    heldBy: [
      'test/service/store/postgres/batchedBookings.test.ts > concurrent bookings of different sizes, whose smallest locker is the same, are booked by batches until none is free',
    ],
  },
  {
    section: 'D-321 A code in use leaves one draft out of its batch',
    rule: 'A draft with a code in use is booked by itself, and the other drafts by their batch.',
    heldBy: [
      'test/service/store/postgres/batchedBookings.test.ts > a draft with a code in use is booked by itself, and the others by their batch',
    ],
  },
]
