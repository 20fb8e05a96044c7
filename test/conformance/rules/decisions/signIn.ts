import type { Rule } from '../../rule.ts'

/** The decisions on sign-in. */
export const signInDecisions: readonly Rule[] = [
  {
    section: 'D-150 Wrong secrets',
    rule: 'They are counted by client and address, by address, and by client, over all processes.',
    heldBy: [
      'test/service/auth/wrongSecrets.test.ts > wrong secrets lock a client out at their address only, and no other client there',
      'test/service/auth/wrongSecrets.test.ts > made-up ids share the limit of their address: they erase no lock, and fill no store',
      'test/service/auth/wrongSecrets.test.ts > guesses from many addresses leave each address one wrong secret; a right one is accepted from each',
      'test/service/store/postgres/sharedLimits.test.ts > wrong secrets are counted over all processes, and lock the client out at each',
    ],
  },
  {
    section: 'D-150 Wrong secrets',
    rule: 'An expired secret is refused and not counted.',
    heldBy: ['test/service/auth/wrongSecrets.test.ts > an expired secret locks out no process that has the new one'],
  },
  {
    section: 'D-151 The rate limit of several processes',
    rule: 'Processes on PostgreSQL share the token bucket of a client.',
    heldBy: [
      'test/service/store/postgres/sharedLimits.test.ts > requests at one process use up the rate limit of the others',
    ],
  },
  {
    section: 'D-152 Revocation',
    rule: 'Revoked tokens end at every process, by client, by tenant and by key.',
    heldBy: [
      'test/service/auth/revocation.test.ts > revoked tokens end at every process, and the client gets new ones at once',
      'test/service/auth/revocation.test.ts > a tenant that is switched off ends the tokens of its clients, and of no others',
      'test/service/auth/revocation.test.ts > the tokens of a revoked signing key end, and the service signs with a new one',
    ],
  },
  {
    section: 'D-153 Weak secrets',
    rule: 'Production refuses a topology with a short secret or a placeholder.',
    heldBy: ['test/service/environment.test.ts > production refuses weak client secrets'],
  },
  {
    section: 'D-154 Topology and command',
    rule: 'A topology brings back no removed client and no ended secret, and switches nothing on.',
    heldBy: [
      'test/service/topology/clients.test.ts > a topology rotates a secret by two files, and an old file does not bring the old secret back',
      'test/service/topology/clients.test.ts > a topology leaves secrets alone that the command has changed, and switches nothing on',
      'test/service/auth/revocation.test.ts > a removed client stays removed when a service starts with the same topology',
    ],
  },
  {
    section: 'D-155 Tenants that are switched off or removed',
    rule: 'A tenant with active shipments cannot be removed; otherwise nothing of it is left.',
    heldBy: [
      'test/service/clients/remove.test.ts > a tenant is removed with all that is its own, once nothing of it is active',
    ],
  },
  {
    section: 'D-155 Tenants that are switched off or removed',
    rule: "The account of a removed tenant's dispatcher stays while an active shipment of another tenant names it.",
    heldBy: [
      "test/service/clients/remove.test.ts > with $what at another tenant, the removed tenant's dispatcher stays: $stays",
      'test/service/store/postgres/concurrentChanges.test.ts > the account of a dispatcher stays if a booking that names it is committed during the removal of the tenant',
    ],
  },
  {
    section: 'D-155 Tenants that are switched off or removed',
    rule: 'The callbacks of a tenant that is switched off wait.',
    heldBy: [
      'test/service/outbox/disabledTenant.test.ts > callbacks of a tenant that is switched off wait, and are sent when it is on again',
    ],
  },
  {
    section: 'D-462 Web pages and public secrets',
    rule: 'A web page of another host gets no token for a secret of the built-in topology.',
    heldBy: [
      'test/service/auth/tokenEndpoint.test.ts > a web page gets no token for a public secret (D-462) > of the origin %j, whatever Host it names',
      'test/service/auth/tokenEndpoint.test.ts > a web page gets no token for a public secret (D-462) > and its wrong secrets lock no client',
    ],
  },
  {
    section: 'D-425 Removal in small transactions',
    rule: 'Services write between the transactions of a removal, and each of them checks the tenant.',
    heldBy: [
      'test/service/clients/removeRows.test.ts > a tenant is removed in small transactions, between which others write',
      'test/service/clients/removeRows.test.ts > the responses of a client are removed in small transactions',
      'test/service/clients/removeRows.test.ts > a tenant that is switched on again during its removal stays',
    ],
  },
  {
    section: 'D-496 One address is enough in staging',
    rule: 'In staging the token endpoint is that of LOCKERFLOW_BASE_URL, unless LOCKERFLOW_AUTH_URL names another one.',
    heldBy: [
      'test/contract/settings.test.ts > staging signs in at the address of the service, unless another one is set',
    ],
  },
]
