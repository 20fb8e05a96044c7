import { describe, expect, test } from 'vitest'
import { demoTopology } from '#service'
import { checkCrossReferences } from '../../../service/topology/crossReferences.ts'
import type { Topology } from '../../../service/topology/shape.ts'

/** Changes a copy of the demonstration topology: tenants acme and globex, pick up points pup-1 to pup-3. */
type Change = (topology: Topology) => unknown

const side = { width: 1, height: 1, length: 1 }
const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index]
  if (item === undefined) throw new Error(`the demonstration topology has no entry ${index}`)
  return item
}
const square = (topology: Topology) => at(topology.pickUpPoints, 0)
const globex = (topology: Topology) => at(topology.tenants, 1)

const rows: [name: string, change: Change, issues: [path: string, message: string][]][] = [
  ['the demonstration', () => {}, []],
  [
    'a tenant name twice',
    topology => Object.assign(globex(topology), { name: 'acme' }),
    [
      ['tenants.1.name', 'acme must be unique'],
      ['pickUpPoints.2.tenants.0', 'must be a declared tenant, got "globex"'],
    ],
  ],
  [
    'a dispatcher name twice, in another casing',
    topology => Object.assign(globex(topology).dispatcher, { userName: 'ACME' }),
    [['tenants.1.dispatcher.userName', 'acme must be unique']],
  ],
  [
    'a dispatcher address twice, in another casing',
    topology => Object.assign(globex(topology).dispatcher, { emailAddress: 'Dispatch@ACME.example' }),
    [['tenants.1.dispatcher.emailAddress', 'dispatch@acme.example must be unique']],
  ],
  [
    'a client of two tenants',
    topology => Object.assign(at(globex(topology).clients, 0), { clientId: 'acme' }),
    [['tenants.1.clients.0.clientId', 'acme must be unique']],
  ],
  [
    'a tenant without a pick up point',
    topology => topology.pickUpPoints.splice(2),
    [['tenants.1', 'no pick up point lists the tenant globex']],
  ],
  [
    'a pick up point twice',
    topology => Object.assign(at(topology.pickUpPoints, 2), { pupUid: 'pup-2' }),
    [['pickUpPoints.2.pupUid', 'pup-2 must be unique']],
  ],
  [
    'an unknown tenant',
    topology => square(topology).tenants.push('initech'),
    [['pickUpPoints.0.tenants.1', 'must be a declared tenant, got "initech"']],
  ],
  [
    'an unknown overflow',
    topology => Object.assign(square(topology), { overflowPupUid: 'pup-9' }),
    [['pickUpPoints.0.overflowPupUid', 'must be a declared pick up point, got "pup-9"']],
  ],
  [
    'an overflow to itself',
    topology => Object.assign(square(topology), { overflowPupUid: 'pup-1' }),
    [['pickUpPoints.0.overflowPupUid', 'must be another pick up point']],
  ],
  ['no overflow', topology => Object.assign(square(topology), { overflowPupUid: undefined }), []],
  [
    'a range from high to low',
    topology => Object.assign(square(topology), { lockers: [{ names: '8-1', ...side }] }),
    [['pickUpPoints.0.lockers.0.names', 'must be a range from the lower to the higher number, such as 1-8']],
  ],
  [
    'a range of the greatest length',
    topology => Object.assign(square(topology), { lockers: [{ names: '1-1000', ...side }] }),
    [],
  ],
  [
    'a range that is too long',
    topology => Object.assign(square(topology), { lockers: [{ names: '1-1500', ...side }] }),
    [
      [
        'pickUpPoints.0.lockers.0.names',
        'must be a range of at most 1,000 lockers, not 1,500; use several entries for more',
      ],
    ],
  ],
  [
    'a uid for several lockers',
    topology => Object.assign(square(topology), { lockers: [{ names: '1-2', lockerUid: 'l', ...side }] }),
    [
      ['pickUpPoints.0.lockers.0.lockerUid', 'must not be set for several lockers'],
      ['pickUpPoints.0.lockers.0.names', 'l must be unique'],
    ],
  ],
  [
    'a uid for a range of one',
    topology => Object.assign(square(topology), { lockers: [{ names: '1-1', lockerUid: 'l', ...side }] }),
    [],
  ],
  [
    'a locker name in a range and alone',
    topology => square(topology).lockers.push({ names: '3', lockerUid: 'third', ...side }),
    [['pickUpPoints.0.lockers.2.names', '3 must be unique']],
  ],
  [
    'a uid at two pick up points',
    topology => Object.assign(square(topology), { lockers: [{ names: '1', lockerUid: 'locker-a1', ...side }] }),
    [['pickUpPoints.1.lockers.0.names', 'locker-a1 must be unique']],
  ],
  [
    'a generated uid beyond 64 characters',
    topology => Object.assign(square(topology), { lockers: [{ names: 'x'.repeat(59), ...side }] }),
    [['pickUpPoints.0.lockers.0.names', `pup-1:${'x'.repeat(59)} must have at most 64 characters; set a lockerUid`]],
  ],
]

describe('the issues of a topology', () => {
  test.each(rows)('%s', (_, change, issues) => {
    const topology = structuredClone(demoTopology)
    change(topology)
    expect(checkCrossReferences(topology).map(({ path, message }) => [path.join('.'), message])).toEqual(issues)
  })
})
