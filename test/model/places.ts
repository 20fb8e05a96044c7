import type { Topology } from '../../service/topology/index.ts'
import { large, medium, small, tenant } from '../support/service/topology.ts'

const timeZone = 'Europe/Amsterdam'

/** Few lockers, so that they run out: points of one and of two tenants, chained overflows, and one to a foreign point. */
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
