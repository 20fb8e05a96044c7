import type { Rule } from '../../rule.ts'

/** The decisions on the callback. */
export const callbackDecisions: readonly Rule[] = [
  {
    section: 'D-014 Registration',
    rule: 'ConfigureCallback has url, authType, resetKey and authKey, and rules for generating a key or keeping the old one. Callbacks that wait when the address is removed go to the next one.',
    heldBy: [
      'test/service/operations/platform/configureCallback.test.ts > ConfigureCallback > $what',
      'test/service/operations/platform/configureCallback.test.ts > ConfigureCallback > not the key %s',
      'test/service/outbox/receivers.test.ts > while callbacks are off none is queued; earlier ones go to the next address',
    ],
  },
  {
    section: 'D-015 Body',
    rule: 'It has the seven fields, and pupUid, fromUserUid and toUserUid, with their values at the time of the change.',
    heldBy: ['test/service/shipments/lifecycle.test.ts > a callback has the values at the time of the change'],
  },
  {
    section: 'D-016 First state',
    rule: 'The initial state is announced too.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > the life of a shipment, with a callback for each state in its order',
    ],
  },
  {
    section: 'D-017 The uid signature',
    rule: 'X-HMAC contains the HMAC of the shipment uid, SHA-256 in hex. A setting changes the scheme. For ApiKey the header is X-Api-Key.',
    heldBy: [
      'test/service/outbox/signature.test.ts > the scheme of the uid signature is a setting',
      'test/service/outbox/signature.test.ts > ApiKey: the key itself, and the Standard Webhooks signature',
      'test/contract/settings.test.ts > the scheme of the uid signature is parsed part by part',
    ],
  },
  {
    section: 'D-018 The Standard Webhooks signature',
    rule: 'Callbacks carry the Standard Webhooks headers, and the gateway requires them.',
    heldBy: [
      'test/service/outbox/signature.test.ts > HMAC: the uid signature and the Standard Webhooks signature are valid with this key only',
      'test/gateway/verify.test.ts > a forged callback is refused and signals nothing',
    ],
  },
  {
    section: 'D-018 The Standard Webhooks signature',
    rule: 'A service that has only the uid signature is polled after each callback.',
    heldBy: [
      'test/gateway/verify.test.ts > a service without Standard Webhooks',
      'test/workflows/steps/book/serviceProfiles.test.ts > a service with only the uid signature > is read after every callback, and a callback alone changes nothing',
    ],
  },
  {
    section: 'D-019 Clocks',
    rule: 'The gateway accepts a callback within fifteen minutes of its own time.',
    heldBy: [
      'test/contract/signature.test.ts > the Standard Webhooks signature > %s',
      'test/workflows/steps/book/clockSkew.test.ts > a service whose clock is ten minutes %s',
    ],
  },
  {
    section: 'D-020 Rotation',
    rule: 'For 24 h both keys sign, and the gateway accepts both.',
    heldBy: [
      'test/service/outbox/signature.test.ts > for 24 hours after a change of the key both keys sign, and the uid signature uses the new one',
      'test/gateway/verify.test.ts > a genuine callback is accepted > the previous key is rejected once it is removed',
      'test/gateway/verify.test.ts > a genuine callback is accepted > name',
    ],
  },
  {
    section: 'D-020 Rotation',
    rule: 'A key change loses no callback, whether the receiver or the service has the new key first.',
    heldBy: [
      'test/service/outbox/keyRotation.test.ts > replacing a key while shipments change loses no callback > $authType, the $first has it first',
    ],
  },
  {
    section: 'D-021 Delivery',
    rule: 'Delivery is at least once, with a constant webhook-id, in order per shipment. No shipment waits for another.',
    heldBy: [
      'test/service/outbox/delivery.test.ts > a shipment keeps its order while the receiver fails, and each message its webhook-id and body',
      'test/service/outbox/receivers.test.ts > a receiver that blocks one shipment does not delay the others',
      'test/service/outbox/receivers.test.ts > a receiver that was unavailable loses nothing',
    ],
  },
  {
    section: 'D-021 Delivery',
    rule: 'A 2xx response in time is a success, a redirect is a failure. Backoff doubles with jitter up to 1 h and honours Retry-After.',
    heldBy: [
      'test/service/outbox/delivery.test.ts > a delivery fails',
      'test/service/outbox/delivery.test.ts > Retry-After is honoured',
      'test/service/outbox/retryPolicy.test.ts > the wait after a failed delivery',
    ],
  },
  {
    section: 'D-022 Address',
    rule: 'It must use https and a public host. The address is checked again on connecting. A setting allows private ones, but never metadata services.',
    heldBy: [
      'test/addresses/addresses.test.ts > a connection may go to',
      'test/service/outbox/delivery.test.ts > an address that is no longer allowed is not dialled',
      'test/service/outbox/dnsRebinding.test.ts > a host whose address is $what is not dialled',
      'test/service/outbox/dnsRebinding.test.ts > the dialled address is the one that was checked',
      'test/service/operations/platform/configureCallback.test.ts > a forbidden callback address is InvalidCallbackUrl',
    ],
  },
  {
    section: 'D-265 Recent traffic in staging',
    rule: 'A tenant sees the requests and deliveries of its own in memory, in staging only.',
    heldBy: [
      'test/service/sandbox/traffic.test.ts > a tenant sees its own requests without their bodies, and nothing of others',
      'test/service/sandbox/traffic.test.ts > the list of deliveries has the address, the answer and the body of each, and a follower gets new ones',
      'test/service/sandbox/traffic.test.ts > tries the address of the tenant alone, and sends no callback',
      'test/service/sandbox/traffic.test.ts > does not try an address that callbacks may not go to',
      'test/service/sandbox/traffic.test.ts > there are no such paths %s',
      'test/service/sandbox/traffic.test.ts > a caller needs a token, and a tenant may follow eight lists',
      'test/service/sandbox/traffic.test.ts > the list in memory',
    ],
  },
  {
    section: 'D-266 How a local receiver gets callbacks',
    rule: 'A listener leaves a registered address alone, and is the address of a tenant without one until it ends.',
    heldBy: [
      'test/cli/callbacks.test.ts > listen > beside the address of a tenant, forwards each callback once, with a key that stays the same',
      'test/cli/callbacks.test.ts > listen > for a tenant without an address, is the address until it ends',
      'test/cli/callbacks.test.ts > listen > a service that does not reach this machine needs a public address',
    ],
  },
  {
    section: 'D-267 What is sent again',
    rule: 'Callbacks that were delivered are sent again with the present state, by shipment, case or time.',
    heldBy: [
      'test/service/outbox/presentStates.test.ts > a shipment whose callback is being enqueued by a change gets no second one',
      'test/service/sandbox/traffic.test.ts > resends the present state of delivered shipments, by message, shipment, case or time',
      'test/service/sandbox/traffic.test.ts > a tenant cannot resend callbacks of another',
      'test/cli/callbacks.test.ts > lists what was sent with the answers, resends it, and replays it unchanged to a local address',
    ],
  },
  {
    section: 'D-110 Callbacks that are given up',
    rule: 'A callback that fails at the age limit is given up with an error in the log, and later ones of its shipment wait.',
    heldBy: [
      'test/service/outbox/deadLetters.test.ts > a callback that fails at the age limit is given up with an error in the log, and later ones of its shipment wait',
    ],
  },
  {
    section: 'D-110 Callbacks that are given up',
    rule: 'A command lists them and sends them again, in the order of each shipment, while the service runs.',
    heldBy: [
      'test/service/outbox/deadLetters.test.ts > callbacks that were given up are sent again on command, in the order of their shipment',
      'test/cli/callbacks.test.ts > lists callbacks that were given up and sends them again, while the service runs',
    ],
  },
  {
    section: 'D-111 Shares of the sender',
    rule: "A tenant's backlog and slow receivers delay no other tenant, and no other shipment of the tenant.",
    heldBy: [
      'test/service/outbox/fairness.test.ts > a backlog for a receiver that $what leaves bookings and callbacks of another tenant as fast as they were',
      'test/service/outbox/slowReceivers.test.ts > %i deliveries without a response delay no other shipment of the tenant',
      'test/service/outbox/slowReceivers.test.ts > deliveries without a response are bounded, per tenant and in all',
    ],
  },
  {
    section: 'D-111 Shares of the sender',
    rule: 'Claims read few rows by an index, and retries are limited while deliveries fail.',
    heldBy: ['test/service/outbox/queryPlans.test.ts', 'test/service/outbox/lanes.test.ts > retries'],
  },
  {
    section: 'D-111 Shares of the sender',
    rule: 'A recall of retries or a report that fails or takes long delays no claim.',
    heldBy: ['test/service/outbox/poll.test.ts'],
  },
  {
    section: 'D-463 New callbacks for a receiver that fails',
    rule: 'While deliveries of a tenant fail, its new callbacks share the rate of its retries, after those that are due.',
    heldBy: [
      'test/service/outbox/lanes.test.ts > new messages',
      'test/service/outbox/receivers.test.ts > a receiver that fails gets new callbacks at the rate of retries, and all of them soon when it is back',
    ],
  },
  {
    section: 'D-112 The time of leases',
    rule: 'A lease that ends later than possible has expired, and a retry that is later than any backoff is due.',
    heldBy: [
      'test/service/outbox/leases.test.ts > a lease that ends later than possible has expired: the clock was set back',
      'test/service/outbox/leases.test.ts > a retry that is later than any backoff is due: the clock was set back',
      'test/service/outbox/leases.test.ts > a service whose clock is ten minutes ahead leaves no lease that outlasts it',
    ],
  },
  {
    section: 'D-421 Retries of before the clock was set back',
    rule: 'After a clock was ahead for a while, a retry comes at most an hour late.',
    heldBy: [
      'test/service/outbox/leases.test.ts > a clock that was three hours ahead for a while postpones no retry by more than the longest backoff',
    ],
  },
  {
    section: 'D-112 The time of leases',
    rule: 'A process with a shorter timeout ends no lease of another process.',
    heldBy: [
      'test/service/outbox/leases.test.ts > a process with a shorter lease claims no message that another one has leased for the longest time',
      'test/service/outbox/leases.test.ts > the longest lease is that of the longest timeout',
    ],
  },
  {
    section: 'D-305 Deliveries precede bookings in a commit of the embedded store',
    rule: 'Claims and outcomes precede waiting callers and end the commit early, and a delivery is young until its receiver has responded.',
    heldBy: [
      'test/service/store/sqlite/groupCommit.test.ts > work of the background precedes waiting callers, and ends its commit early',
      'test/service/outbox/lanes.test.ts > young deliveries > are limited, and refilled when half of them have a response',
    ],
  },
  {
    section: 'D-315 Outcomes of deliveries share statements',
    rule: 'Callbacks that are delivered or fail at the same time are recorded together, and one that is locked delays no other.',
    heldBy: [
      'test/service/outbox/outcomes.test.ts > callbacks that are delivered at the same time share a statement',
      'test/service/outbox/outcomes.test.ts > a callback that a transaction has locked delays the deletion of no other',
      'test/service/outbox/outcomes.test.ts > failures of one statement have their own backoff, and a lost lease changes nothing',
      'test/service/outbox/lanes.test.ts > a tenant is full until a claim finds fewer messages than it could take',
    ],
  },
  {
    section: 'D-336 A claim of callbacks writes no index',
    rule: 'On PostgreSQL, all claims of new callbacks are updates without an index entry.',
    heldBy: ['test/service/store/postgres/claims.test.ts'],
  },
  {
    section: 'D-320 A batch leases its callbacks for their delivery',
    rule: 'The callback of a batch is delivered without a claim, in the order of its shipment, within the share of its tenant, and to its present address.',
    heldBy: [
      'test/service/store/postgres/leasedCallbacks.test.ts',
      'test/service/outbox/lanes.test.ts > a message that is being committed > counts as a delivery, within the share of its tenant',
      'test/service/outbox/lanes.test.ts > a message that is being committed > has no place before others of its tenant that are due',
      'test/service/outbox/lanes.test.ts > a message that is being committed > is delivered when a delivery is no longer young',
    ],
  },
  {
    section: 'D-113 Registration and backoff',
    rule: 'A changed registration makes waiting callbacks due, an unchanged one leaves them as they are.',
    heldBy: [
      'test/service/outbox/receivers.test.ts > a changed registration makes waiting messages due, and an unchanged one does not',
    ],
  },
  {
    section: 'D-114 `webhook-id` without a key',
    rule: 'With authType None and no key, callbacks carry webhook-id and webhook-timestamp.',
    heldBy: ['test/service/outbox/signature.test.ts > None > without a key: id and time, but no signature'],
  },
  {
    section: 'D-307 Lookups of deliveries',
    rule: 'The callbacks of a tenant look up one host at a time, and delay no lookup of another tenant.',
    heldBy: [
      'test/addresses/lookups.test.ts > connections of one tenant have one lookup in flight, and delay no other tenant',
    ],
  },
  {
    section: 'D-435 Registration by a person',
    rule: 'Where a person registers the address, the gateway registers nothing, logs the address and is ready.',
    heldBy: [
      'test/gateway/registration.test.ts > is ready without a registration where a person registers the address, and logs that address',
      'test/gateway/registration.test.ts > a service without ConfigureCallback is told apart: the log names the setting',
    ],
  },
]
