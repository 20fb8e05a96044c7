import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { demoTopology, readTopology, startService, type Topology } from '#service'
import { temporaryFolder, temporaryStore } from '../../support/service/temporaryStore.ts'
import { startTestService } from '../../support/service/testService.ts'

function file(content: unknown, name = 'topology.yaml'): string {
  const path = join(temporaryFolder(), name)
  const text = name.endsWith('.json') ? JSON.stringify(content) : stringify(content)
  writeFileSync(path, typeof content === 'string' ? content : text)
  return path
}

const [acme, globex] = demoTopology.tenants
const [square, harbour, hall] = demoTopology.pickUpPoints
if (!acme || !globex || !square || !harbour || !hall) throw new Error('the demonstration topology has changed')

/** The demonstration topology with some pick up points and tenants in place of its own. */
const changed = (change: Partial<Topology>): Topology => ({ ...demoTopology, ...change })
const withSquare = (change: Partial<typeof square>) =>
  changed({ pickUpPoints: [{ ...square, ...change }, harbour, hall] })
const withAcme = (change: Partial<typeof acme>) => changed({ tenants: [{ ...acme, ...change }, globex] })

test.each(['topology.yaml', 'topology.json'])('%s is read', name => {
  expect(readTopology(file(demoTopology, name))).toEqual(demoTopology)
})

describe('a faulty file is refused with its name and every field', () => {
  const side = { width: 1, height: 1, length: 1 }
  test.each<[string, unknown, string]>([
    ['nothing', '', 'must have the lists tenants and pickUpPoints'],
    ['comments alone', '# tenants: []', 'must have the lists tenants and pickUpPoints'],
    ['a list', [], 'must have the lists tenants and pickUpPoints'],
    ['no YAML', 'tenants: [', 'cannot be read'],
    ['a misspelled key', { ...demoTopology, tenats: [] }, 'tenats'],
    [
      'a missing field',
      withAcme({ clients: [{ clientId: 'acme' } as never] }),
      'tenants[0].clients[0].clientSecret is missing',
    ],
    ['a short secret', withAcme({ clients: [{ clientId: 'acme', clientSecret: 'short' }] }), 'clients[0].clientSecret'],
    ['an unknown time zone', withSquare({ timeZone: 'Mars/Crater' }), 'pickUpPoints[0].timeZone'],
    [
      'an unknown tenant',
      withSquare({ tenants: ['acme', 'unknown'] }),
      'pickUpPoints[0].tenants[1]: must be a declared tenant, got "unknown"',
    ],
    ['an unknown overflow', withSquare({ overflowPupUid: 'pup-9' }), 'pickUpPoints[0].overflowPupUid'],
    ['an overflow onto itself', withSquare({ overflowPupUid: 'pup-1' }), 'pickUpPoints[0].overflowPupUid'],
    ['a range backwards', withSquare({ lockers: [{ names: '8-1', ...side }] }), 'pickUpPoints[0].lockers[0].names'],
    [
      'a name twice',
      withSquare({
        lockers: [
          { names: '1-3', ...side },
          { names: '3', ...side },
        ],
      }),
      '3 must be unique',
    ],
    [
      'one uid for several',
      withSquare({ lockers: [{ names: '1-3', lockerUid: 'l', ...side }] }),
      'lockers[0].lockerUid',
    ],
    [
      'a uid twice',
      withSquare({ lockers: [{ names: '1', lockerUid: 'locker-a1', ...side }] }),
      'locker-a1 must be unique',
    ],
    ['a client twice', withAcme({ clients: [...acme.clients, ...globex.clients] }), 'globex must be unique'],
    ['a side below 1 cm', withSquare({ lockers: [{ names: '1', ...side, width: 0.5 }] }), 'lockers[0].width'],
  ])('%s', (_name, content, wrong) => {
    const path = file(content)
    const read = () => readTopology(path)
    expect(read).toThrow(path)
    expect(read).toThrow(wrong)
  })

  test('a tenant without pick up points', () => {
    const path = file(changed({ pickUpPoints: [square, harbour] }))
    expect(() => readTopology(path)).toThrow('tenants[1]: no pick up point lists the tenant globex')
  })

  test('without showing a secret', () => {
    const path = file('tenants:\n  - clients: [{ clientSecret: top-secret')
    expect(() => readTopology(path)).not.toThrow('top-secret')
    expect(() => readTopology(path)).toThrow('cannot be read')
  })
})

async function start(topology: Topology, databaseUrl: string) {
  const service = await startTestService({ topology, databaseUrl })
  onTestFinished(() => service.stop())
  const rows = async () => ({
    tenants: await service.store.selectFrom('tenants').selectAll().orderBy('tenant_id').execute(),
    clients: await service.store.selectFrom('clients').selectAll().orderBy('client_id').execute(),
    accounts: await service.store.selectFrom('accounts').selectAll().orderBy('user_uid').execute(),
    points: await service.store.selectFrom('pick_up_points').selectAll().orderBy('pup_uid').execute(),
    managed: await service.store.selectFrom('pick_up_point_tenants').selectAll().orderBy('pup_uid').execute(),
    lockers: await service.store.selectFrom('lockers').selectAll().orderBy('locker_uid').execute(),
  })
  return { ...service, rows }
}

test('applied twice, it is applied once', async () => {
  const databaseUrl = await temporaryStore()
  const first = await start(demoTopology, databaseUrl)
  const before = await first.rows()
  await first.stop()
  const second = await start(demoTopology, databaseUrl)
  expect(await second.rows()).toEqual(before)
})

test('the declared parts exist: ranges, uids, natural order, sorted sides, the main account', async () => {
  const { rows } = await start(demoTopology, await temporaryStore())
  const { lockers, tenants, accounts } = await rows()
  const names = lockers.filter(({ pup_uid }) => pup_uid === 'pup-1').toSorted((a, b) => a.position - b.position)
  expect(names.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)))
  expect(names[0]).toMatchObject({ locker_uid: 'pup-1:1', side_min: 20, side_mid: 40, side_max: 60, volume: 48_000 })
  expect(lockers).toContainEqual(expect.objectContaining({ locker_uid: 'locker-a1', pup_uid: 'pup-2', name: 'A1' }))
  const dispatcher = accounts.find(({ user_uid }) => user_uid === tenants[0]?.dispatcher_user_uid)
  expect(dispatcher).toMatchObject({ user_name: 'acme', email: 'dispatch@acme.example', main_pup_uid: 'pup-1' })
  expect(dispatcher?.mail_code).toHaveLength(8)
})

test('new entries are added, changed ones updated, and omitted ones kept', async () => {
  const databaseUrl = await temporaryStore()
  const first = await start(demoTopology, databaseUrl)
  await first.store.updateTable('lockers').set({ booked: 1 }).where('locker_uid', '=', 'pup-1:1').execute()
  await first.stop()
  const next: Topology = {
    tenants: [{ ...acme, clients: [{ clientId: 'acme', clientSecret: 'another-secret' }] }],
    pickUpPoints: [
      {
        ...square,
        name: 'Central Square',
        overflowPupUid: undefined,
        lockers: [
          { names: '1', width: 50, height: 50, length: 50 },
          { names: '20', width: 5, height: 5, length: 5 },
        ],
      },
    ],
  }
  const second = await start(next, databaseUrl)
  const { points, lockers, clients } = await second.rows()
  expect(points).toMatchObject([{ name: 'Central Square', overflow_pup_uid: null }, { name: 'Harbour' }, {}])
  expect(lockers).toHaveLength(18)
  expect(lockers).toContainEqual(expect.objectContaining({ locker_uid: 'pup-1:1', width: 50, booked: 1 }))
  expect(clients.map(({ client_id }) => client_id)).toEqual(['acme', 'globex'])
  const form = { client_id: 'acme', grant_type: 'client_credentials' }
  expect((await second.signIn({ ...form, client_secret: 'acme-secret' })).status).toBe(401)
  expect((await second.signIn({ ...form, client_secret: 'another-secret' })).status).toBe(200)
})

describe('a contradiction of the store fails the start and changes nothing', () => {
  test.each<[string, Topology, string]>([
    [
      'a client of another tenant',
      changed({
        tenants: [
          { ...acme, clients: globex.clients },
          { ...globex, clients: acme.clients },
        ],
      }),
      'must stay with the tenant',
    ],
    [
      'another uid for a locker',
      changed({
        pickUpPoints: [
          square,
          { ...harbour, lockers: [{ names: 'A1', lockerUid: 'other', width: 60, height: 60, length: 60 }] },
          hall,
        ],
      }),
      'locker A1 of pup-2 must not be other',
    ],
    [
      'a taken account',
      changed({
        tenants: [
          acme,
          globex,
          {
            ...acme,
            name: 'initech',
            clients: [{ clientId: 'initech', clientSecret: 'initech-secret' }],
            dispatcher: { ...acme.dispatcher, userName: 'initech', emailAddress: 'A@b.example' },
          },
        ],
        pickUpPoints: [square, harbour, { ...hall, tenants: ['globex', 'initech'] }],
      }),
      'the emailAddress of the dispatcher of initech',
    ],
  ])('%s', async (_name, topology, wrong) => {
    const databaseUrl = await temporaryStore()
    const first = await start(demoTopology, databaseUrl)
    const account = { emailAddress: 'a@B.example', firstName: 'A', lastName: 'B', pickUpPointUid: 'pup-1' }
    await first.call('CreateAccount', account)
    const before = await first.rows()
    await first.stop()
    await expect(startService({ topology, databaseUrl })).rejects.toThrow(wrong)
    const again = await start(demoTopology, databaseUrl)
    expect(await again.rows()).toEqual(before)
  })
})

test('secrets are stored as hashes, each with its own salt', async () => {
  const { store } = await start(demoTopology, await temporaryStore())
  const secrets = await store.selectFrom('client_secrets').selectAll().execute()
  expect(secrets).toHaveLength(2)
  expect(JSON.stringify(secrets)).not.toContain('-secret')
  expect(new Set(secrets.map(({ secret_salt }) => secret_salt)).size).toBe(secrets.length)
})
