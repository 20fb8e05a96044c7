import type { Topology } from '../../../service/topology/index.ts'

/** A tenant with an API client of the same name, and further clients. */
export const tenant = (name: string, ...clientIds: string[]): Topology['tenants'][number] => ({
  name,
  dispatcher: { userName: name, emailAddress: `dispatch@${name}.example`, firstName: name, lastName: 'Dispatch' },
  clients: [name, ...clientIds].map(clientId => ({ clientId, clientSecret: `${clientId}-secret` })),
})

/** Sizes of lockers in centimetres. */
export const small = { width: 10, height: 20, length: 30 }
export const medium = { width: 20, height: 30, length: 40 }
export const large = { width: 40, height: 40, length: 40 }
const timeZone = 'Europe/Amsterdam'

/** Three sizes at `square`, a point of both tenants, a chain of overflows, and a point of another tenant. */
export const topology: Topology = {
  tenants: [tenant('acme'), tenant('globex')],
  pickUpPoints: [
    {
      pupUid: 'square',
      name: 'Station Square',
      timeZone,
      tenants: ['acme'],
      overflowPupUid: 'reserve',
      streetName: 'Square',
      streetNo: '1a',
      city: 'Utrecht',
      countryCode: 'NL',
      externalReference: 'ext-1',
      lockers: [
        { names: 'L1', ...large },
        { names: 'S1', ...small },
        { names: 'S2', ...small },
        { names: 'M1', ...medium },
      ],
    },
    {
      pupUid: 'reserve',
      name: 'Reserve 100%',
      timeZone,
      tenants: ['acme'],
      overflowPupUid: 'lastResort',
      lockers: [
        { names: 'R1', ...small },
        { names: 'R2', ...large },
      ],
    },
    { pupUid: 'lastResort', name: 'Last Resort', timeZone, tenants: ['acme'], lockers: [{ names: '1-9', ...large }] },
    {
      pupUid: 'shared',
      name: 'Shared Hall',
      timeZone,
      tenants: ['acme', 'globex'],
      lockers: [{ names: '1-20', ...medium }],
    },
    {
      pupUid: 'border',
      name: 'Border',
      timeZone,
      tenants: ['acme'],
      overflowPupUid: 'harbour',
      city: 'Élysée',
      lockers: [{ names: '1', ...small }],
    },
    { pupUid: 'harbour', name: 'Harbour', timeZone, tenants: ['globex'], lockers: [{ names: '1-4', ...medium }] },
    {
      pupUid: 'shelves',
      name: 'Shelves',
      timeZone,
      tenants: ['acme'],
      overflowPupUid: 'reserve',
      lockers: [
        { names: 'flat', width: 100, height: 10, length: 10 },
        { names: 'cube', width: 20, height: 20, length: 20 },
      ],
    },
  ],
}

/** An item that fits the smallest locker everywhere. */
export const item = { width: 5, height: 5, length: 5 }

/** The fields of a booking at `square` that do not matter to a test. */
export const booking = {
  PupUid: 'square',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: item,
} as const
