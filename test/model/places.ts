import type { Topology } from '../../service/topology/index.ts'
import { large, medium, small, tenant } from '../service/places.ts'

const timeZone = 'Europe/Amsterdam'

/** Few lockers, so that they run out: points of one tenant and of two, overflows that chain, and one to somebody else's. */
export const topology: Topology = {
  tenants: [tenant('acme', 'acme-2'), tenant('globex'), tenant('initech')],
  pickUpPoints: [
    {
      pupUid: 'square',
      name: 'Station Square',
      timeZone,
      tenants: ['acme'],
      overflowPupUid: 'reserve',
      lockers: [
        { names: 'S1', ...small },
        { names: 'S2', ...small },
        { names: 'M1', ...medium },
        { names: 'L1', ...large },
      ],
    },
    {
      pupUid: 'reserve',
      name: 'Reserve',
      timeZone,
      tenants: ['acme', 'initech'],
      overflowPupUid: 'attic',
      lockers: [
        { names: 'R1', ...small },
        { names: 'R2', ...medium },
      ],
    },
    { pupUid: 'attic', name: 'Attic', timeZone, tenants: ['acme'], lockers: [{ names: 'A1', ...large }] },
    {
      pupUid: 'hall',
      name: 'Shared Hall',
      timeZone,
      tenants: ['acme', 'globex'],
      lockers: [
        { names: 'H1', ...small },
        { names: 'H2', ...medium },
        { names: 'H3', ...medium },
      ],
    },
    {
      pupUid: 'harbour',
      name: 'Harbour',
      timeZone,
      tenants: ['globex'],
      overflowPupUid: 'depot',
      lockers: [{ names: 'B1', ...medium }],
    },
    {
      pupUid: 'depot',
      name: 'Depot',
      timeZone,
      tenants: ['initech'],
      overflowPupUid: 'reserve',
      lockers: [
        { names: 'D1', ...small },
        { names: 'D2', ...large },
      ],
    },
  ],
}

export type PickUpPoint = (typeof topology.pickUpPoints)[number]

export const tenantNames = topology.tenants.map(({ name }) => name)

/** The tenant of each API client. */
export const tenantOf: Readonly<Record<string, string>> = Object.fromEntries(
  topology.tenants.flatMap(({ name, clients }) => clients.map(({ clientId }) => [clientId, name])),
)

export const clientIds = Object.keys(tenantOf)
