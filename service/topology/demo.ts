import type { Topology } from './shape.ts'

/**
 * The default topology, for staging only because its secrets are public.
 *
 * ```ts
 * const [tenant] = demoTopology.tenants
 * ```
 */
export const demoTopology: Topology = {
  tenants: [
    {
      name: 'acme',
      dispatcher: {
        userName: 'acme',
        emailAddress: 'dispatch@acme.example',
        firstName: 'Acme',
        lastName: 'Dispatch',
      },
      clients: [{ clientId: 'acme', clientSecret: 'acme-secret' }],
    },
    {
      name: 'globex',
      dispatcher: {
        userName: 'globex',
        emailAddress: 'dispatch@globex.example',
        firstName: 'Globex',
        lastName: 'Dispatch',
      },
      clients: [{ clientId: 'globex', clientSecret: 'globex-secret' }],
    },
  ],
  pickUpPoints: [
    {
      pupUid: 'pup-1',
      name: 'Station Square',
      timeZone: 'Europe/Amsterdam',
      tenants: ['acme'],
      overflowPupUid: 'pup-2',
      lockers: [
        { names: '1-8', width: 40, height: 20, length: 60 },
        { names: '9-12', width: 40, height: 40, length: 60 },
      ],
    },
    {
      pupUid: 'pup-2',
      name: 'Harbour',
      timeZone: 'Europe/Amsterdam',
      tenants: ['acme'],
      lockers: [{ names: 'A1', lockerUid: 'locker-a1', width: 60, height: 60, length: 60 }],
    },
    {
      pupUid: 'pup-3',
      name: 'Market Hall',
      timeZone: 'Europe/Amsterdam',
      tenants: ['globex'],
      lockers: [{ names: '1-4', width: 40, height: 40, length: 60 }],
    },
  ],
}
