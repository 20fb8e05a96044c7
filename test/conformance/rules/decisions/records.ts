import type { Rule } from '../../rule.ts'

export const recordDecisions: readonly Rule[] = [
  {
    section: 'D-200 The audit log',
    rule: 'Each audited action is an entry of its transaction, with ids and without secrets.',
    heldBy: [
      'test/service/audit/audit.test.ts > each audited action is an entry of its transaction, with ids and without secrets',
    ],
  },
  {
    section: 'D-200 The audit log',
    rule: 'Entries cannot be changed, and deleted by the purge only.',
    heldBy: [
      'test/service/audit/audit.test.ts > the log > refuses changes, and allows the deletion of entries before the moment of the purge only',
    ],
  },
  {
    section: 'D-201 Frequent actions in the audit log',
    rule: 'A client cannot fill the log by repeating a sign-in or a read.',
    heldBy: [
      'test/service/audit/audit.test.ts > the log > has a bounded number of entries of a frequent action per client and hour',
    ],
  },
  {
    section: 'D-202 Retention',
    rule: 'Rows past their time are purged in bounded batches, once, beside other processes.',
    heldBy: [
      'test/service/retention/retention.test.ts > rows past their time are purged once by two processes, in batches, and fresh rows stay',
      'test/service/retention/retention.test.ts > a transaction of the purge deletes a bounded number of rows',
      'test/service/retention/retention.test.ts > callbacks that were given up and suggestions of a removed tenant are purged',
    ],
  },
  {
    section: 'D-202 Retention',
    rule: 'A shipment stays while its case or a linked shipment is active.',
    heldBy: [
      'test/service/retention/retention.test.ts > an ended shipment is purged when neither its case nor a linked shipment is active',
      'test/service/retention/shipments.test.ts > a shipment that is booked during a round keeps the others of its case: $caseNo',
    ],
  },
  {
    section: 'D-202 Retention',
    rule: 'Neither a case of many shipments nor the failure of another tenant delays the purge of a tenant.',
    heldBy: [
      'test/service/retention/shipments.test.ts > shipments of an active case are read in few transactions',
      'test/service/retention/shipments.test.ts > the shipments of other tenants are purged when those of one cannot be',
    ],
  },
  {
    section: 'D-203 Erasure of a person',
    rule: 'After an erasure no table contains the name, the e-mail address or the user name.',
    heldBy: [
      'test/service/persons/persons.test.ts > after an erasure no table contains the name, the e-mail address or the user name',
      'test/service/persons/persons.test.ts > the report of an erasure counts decisions about cases whose number names the person',
      'test/service/persons/persons.test.ts > a dispatcher and a foreign account are refused',
      'test/service/persons/persons.test.ts > a text names a person',
    ],
  },
  {
    section: 'D-204 The hook of an erasure',
    rule: 'The command posts the uid to the hook, and fails when the hook fails.',
    heldBy: [
      'test/cli/person.test.ts > the hook of an erasure is called, and its failure is an error',
      'test/cli/person.test.ts > %s, the report says what histories have of the person',
    ],
  },
  {
    section: 'D-399 The signature of the hook of an erasure',
    rule: 'The request is signed, and production requires the key.',
    heldBy: [
      'test/cli/person.test.ts > with a key, the request to the hook of an erasure is signed',
      'test/service/environment.test.ts > the hook of an erasure > in %s, %j is an error',
    ],
  },
  {
    section: 'D-205 Decisions about flows',
    rule: 'A history records who decided what, and when.',
    heldBy: ['test/replay/decisionRecords.test.ts > a history records who decided what, and when'],
  },
  {
    section: 'D-205 Decisions about flows',
    rule: 'A command copies the decisions from the histories into the audit log, once each.',
    heldBy: [
      'test/cli/auditDecisions.test.ts > the decisions about flows are copied into the audit log, once each, with who decided and when',
    ],
  },
  {
    section: 'D-254 The process that fills the audit log',
    rule: 'A process copies the decisions by itself, goes on after an outage, and reads only histories that have grown.',
    heldBy: [
      'test/cli/auditDecisions.test.ts > the process of the audit log copies decisions by itself, and says when it cannot',
      'test/cli/auditDecisions.test.ts > a history is read again only if it has grown',
      'test/compose/config.test.ts > the container of the audit log starts without a profile, and copies the decisions of the tenant again and again',
    ],
  },
  {
    section: 'D-322 A process of the audit log that stands still',
    rule: 'Services measure how long a pass is due, whether its process fails or has ended.',
    heldBy: [
      'test/service/audit/collections.test.ts > a pass is late from its moment on, until one succeeds',
      'test/cli/auditDecisions.test.ts > the process of the audit log copies decisions by itself, and says when it cannot',
      'test/cli/auditDecisions.test.ts > a process for a tenant that the store lacks ends',
      'test/metrics/promtool.test.ts > promtool accepts %s',
    ],
  },
  {
    section: 'D-368 The name of the one who decides',
    rule: 'A decision over HTTP has the client of its token, and one of the command its user.',
    heldBy: [
      'test/cli/auditDecisions.test.ts > a decision over HTTP is copied with the client, and one of the command with its user',
    ],
  },
  {
    section: 'D-289 The name of a caller by Nexus',
    rule: 'A decision by Nexus has the namespace and the workflow that called.',
    heldBy: ['test/nexus/operations.test.ts > a decision names the workflow that calls, in the history of the flow'],
  },
  {
    section: 'D-369 Keys that are replaced by a setting',
    rule: 'A key that replaces another one is an entry of the audit log, once.',
    heldBy: [
      'test/service/audit/audit.test.ts > a key that replaces another one at a start is an entry, once',
      'test/codec/ringRotation.test.ts > the ring rotates while flows run: none fails, and all histories and personal fields stay readable',
    ],
  },
  {
    section: 'D-424 The time of the purge',
    rule: 'A process whose clock is ahead purges nothing early.',
    heldBy: [
      'test/service/retention/clock.test.ts > a process whose clock is ahead of PostgreSQL purges nothing early',
      'test/service/suggestions/sweep.test.ts > a process whose clock is %i h ahead of PostgreSQL uses its time',
      'test/service/suggestions/sweep.test.ts > an upload deletes the expired ones of its tenant only',
    ],
  },
  {
    section: 'D-464 The purge does not wait for the disk',
    rule: 'A transaction of the purge on PostgreSQL commits without a wait for the disk, and no other transaction does.',
    heldBy: [
      'test/service/retention/batches.test.ts > a batch does not wait for the disk, and transactions of requests do',
    ],
  },
  {
    section: 'D-517 The tenant of a namespace',
    rule: 'Decisions of the flows of another tenant are not copied.',
    heldBy: [
      'test/cli/auditDecisions.test.ts > a tenant without shipments in the flows of the namespace is refused: %s',
    ],
  },
]
