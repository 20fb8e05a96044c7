/** The recorded actions: what the subject is, and what the detail is. Both are ids and fixed words, never personal fields. */
export const auditActions = {
  'signIn.succeeded': { subject: undefined, detail: undefined },
  'signIn.failed': {
    subject: undefined,
    detail: 'wrongSecret, expiredSecret, switchedOff, guessableSecret or unknownClient',
  },
  'code.read': { subject: 'shipmentUid', detail: undefined },
  'codes.listed': { subject: undefined, detail: undefined },
  'locker.unlocked': { subject: 'shipmentUid', detail: 'unlockGoal, or none' },
  'locker.unlockFailed': { subject: 'shipmentUid', detail: 'unlockGoal, or none; the door may have opened later' },
  'locker.outOfService': { subject: 'lockerUid, or pupUid', detail: undefined },
  'locker.inService': { subject: 'lockerUid, or pupUid', detail: undefined },
  'topology.applied': { subject: undefined, detail: 'retire, if missing entries were retired' },
  'account.created': { subject: 'userUid', detail: undefined },
  'account.changed': { subject: 'userUid', detail: 'the fields that the request gives' },
  'account.removed': { subject: 'userUid', detail: undefined },
  'account.exported': { subject: 'userUid', detail: undefined },
  'account.erased': { subject: 'userUid', detail: undefined },
  'callback.registered': { subject: 'tenantId', detail: 'authType, newKey if the key changed, off without an address' },
  'key.rotated': { subject: 'key id', detail: 'signing, store or data' },
  'key.revoked': { subject: 'key id', detail: 'signing' },
  'secret.added': { subject: 'clientId', detail: undefined },
  'secret.rotated': { subject: 'clientId', detail: undefined },
  'tokens.revoked': { subject: 'clientId', detail: undefined },
  'client.disabled': { subject: 'clientId', detail: undefined },
  'client.enabled': { subject: 'clientId', detail: undefined },
  'client.removed': { subject: 'clientId', detail: undefined },
  'tenant.disabled': { subject: 'tenantId', detail: undefined },
  'tenant.enabled': { subject: 'tenantId', detail: undefined },
  'tenant.removed': { subject: 'tenantId', detail: undefined },
  'flow.decided': { subject: 'workflowId', detail: 'the decision or the update, and the identity of its caller' },
} as const satisfies Record<string, { subject: string | undefined; detail: string | undefined }>

export type AuditAction = keyof typeof auditActions

/** Entries per hour of actions that a client can repeat at will, for each client and subject. */
export const hourlyLimits = {
  'signIn.succeeded': 60,
  'signIn.failed': 20,
  'code.read': 1,
  'codes.listed': 1,
  'locker.unlockFailed': 20,
} as const satisfies Partial<Record<AuditAction, number>>
