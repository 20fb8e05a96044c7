import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '#service'
import {
  findWriteFault,
  inTransaction,
  openExistingStore,
  openStore,
  type Store,
  withSavepoint,
} from '../../../../service/store/index.ts'
import { toPath } from '../../../../service/store/sqlite/open.ts'
import { childEnvironment } from '../../../support/childEnvironment.ts'
import { temporaryFile, temporaryFolder } from '../../../support/service/temporaryStore.ts'

async function open(url: string): Promise<Store> {
  const store = await openStore(url)
  onTestFinished(() => store.destroy())
  return store
}

const point = { pup_uid: 'p', name: 'P', time_zone: 'UTC' }
const uids = async (store: Store) =>
  (await store.selectFrom('pick_up_points').select('pup_uid').execute()).map(({ pup_uid }) => pup_uid)

test.each([
  ['a path', (folder: string) => `file:${folder}/a/b/service.db`],
  ['a URL', (folder: string) => `file://${folder}/a%20b/service.db`],
  ['a path with characters of a URL', (folder: string) => `file:${folder}/50%25%23%3F/service.db`],
  ['a relative path with such characters', (folder: string) => `file:${relative('', folder)}/50%25%23%3F/service.db`],
])('%s is opened, folders included, and keeps its content', async (_name, urlOf) => {
  const folder = temporaryFolder()
  const url = urlOf(folder)
  const first = await open(url)
  await first.insertInto('pick_up_points').values(point).execute()
  await first.destroy()
  expect(await uids(await open(url))).toEqual(['p'])
  if (url.includes('%25')) expect(existsSync(join(folder, '50%#?', 'service.db'))).toBe(true)
})

test('stores in memory have the tables of a file, and no rows of each other', async () => {
  const schemaOf = (store: Store) =>
    sql`select type, name, tbl_name, sql from sqlite_schema order by type, name`.execute(store)
  const [first, second, file] = [await open('file::memory:'), await open('file::memory:'), await open(temporaryFile())]
  await first.insertInto('pick_up_points').values(point).execute()
  expect(await uids(first)).toEqual(['p'])
  expect(await uids(second)).toEqual([])
  expect(await uids(await open('file::memory:'))).toEqual([])
  expect((await schemaOf(second)).rows).toEqual((await schemaOf(file)).rows)
})

const modeOf = (path: string) => statSync(path).mode & 0o777
const storeFiles = (path: string) => [path, `${path}-wal`, `${path}-shm`]

test('only the owner can read the files of a store, and a folder that it creates', async () => {
  const folder = join(temporaryFolder(), 'made')
  const path = join(folder, 'service.db')
  const store = await open(`file:${path}`)
  await store.insertInto('pick_up_points').values(point).execute()
  expect(modeOf(folder)).toBe(0o700)
  expect(storeFiles(path).map(modeOf)).toEqual([0o600, 0o600, 0o600])
})

test('files that others may read are closed to them, and a shared folder stays as it is', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'service.db')
  const before = await open(`file:${path}`)
  await before.insertInto('pick_up_points').values(point).execute()
  chmodSync(folder, 0o755)
  for (const file of storeFiles(path)) chmodSync(file, 0o644)
  const store = await open(`file:${path}`)
  await store
    .insertInto('pick_up_points')
    .values({ ...point, pup_uid: 'q' })
    .execute()
  expect(storeFiles(path).map(modeOf)).toEqual([0o600, 0o600, 0o600])
  expect(modeOf(folder)).toBe(0o755)
})

test('a folder and another file are refused, and keep their modes', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'hosts')
  writeFileSync(file, '127.0.0.1 localhost '.repeat(50))
  chmodSync(folder, 0o755)
  for (const mode of [0o644, 0o600]) {
    chmodSync(file, mode)
    for (const path of [folder, file]) {
      await expect(openStore(`file:${path}`)).rejects.toThrow(
        `LOCKERFLOW_DATABASE_URL: must name a SQLite file, got ${path}.`,
      )
    }
    expect(modeOf(file)).toBe(mode)
  }
  expect(modeOf(folder)).toBe(0o755)
  expect(readdirSync(folder)).toEqual(['hosts'])
})

test('a path that cannot be created is refused by the name of the setting', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  await expect(openStore(`file:${file}/service.db`)).rejects.toThrow(
    /^LOCKERFLOW_DATABASE_URL: must name a file that the process can write: E\w+: .*'\.$/m,
  )
})

test('the database of another program is not a store for a command, and stays as it is', async () => {
  const url = temporaryFile()
  const path = url.slice('file:'.length)
  const other = new DatabaseSync(path)
  other.exec('create table notes (text)')
  other.close()
  chmodSync(path, 0o644)
  const before = readFileSync(path)
  await expect(openExistingStore(url)).rejects.toThrow(
    `LOCKERFLOW_DATABASE_URL: must be an existing store, but ${path} has no tables of a service`,
  )
  expect(readFileSync(path)).toEqual(before)
  expect(modeOf(path)).toBe(0o644)
})

test.each(['service.db', 'file:', 'postgres:lockerflow', 'http://localhost'])('%s is refused', async url => {
  await expect(openStore(url)).rejects.toThrow('file: URL')
})

test('a power cut loses nothing: write-ahead log, synchronous to the disk', async () => {
  const store = await open(temporaryFile())
  expect((await sql`pragma journal_mode`.execute(store)).rows).toEqual([{ journal_mode: 'wal' }])
  expect((await sql`pragma synchronous`.execute(store)).rows).toEqual([{ synchronous: 2 }])
})

/** The temporary files of SQLite that this process has open. */
const temporaryFiles = () =>
  readdirSync('/proc/self/fd').flatMap(descriptor => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`)
      return path.includes('etilqs') ? [path] : []
    } catch {
      return []
    }
  })

test.runIf(process.platform === 'linux')('the pages before a savepoint are kept in memory', async () => {
  const store = await open(temporaryFile())
  const points = Array.from({ length: 500 }, (_, n) => ({ ...point, pup_uid: `p${n}`, name: 'a'.repeat(500) }))
  await store.insertInto('pick_up_points').values(points).execute()
  await inTransaction(store, async tx => {
    const failure = await withSavepoint(tx, async () => {
      await tx.updateTable('pick_up_points').set({ name: 'b' }).execute()
      expect(temporaryFiles()).toEqual([])
    })
    expect(failure).toBeUndefined()
  })
})

test('a migration that fails halfway leaves nothing behind', async () => {
  const url = temporaryFile()
  const other = new DatabaseSync(url.slice('file:'.length))
  onTestFinished(() => other.close())
  other.exec('create table lockers (of_somebody_else integer)')
  await expect(openStore(url)).rejects.toThrow('lockers')
  const tables = other.prepare("select name from sqlite_schema where type = 'table' and name not like 'kysely%'").all()
  expect(tables).toEqual([{ name: 'lockers' }])
})

test('a transaction that throws leaves nothing behind', async () => {
  const store = await open('file::memory:')
  const work = inTransaction(store, async tx => {
    await tx.insertInto('pick_up_points').values(point).execute()
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(await uids(store)).toEqual([])
})

test('transactions run one at a time, and a read outside of them waits', async () => {
  const store = await open('file::memory:')
  const order: string[] = []
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const first = inTransaction(store, async tx => {
    begun.resolve()
    await gate.promise
    await tx.insertInto('pick_up_points').values(point).execute()
    order.push('first')
  })
  const second = inTransaction(store, async () => void order.push('second'))
  await begun.promise
  const look = uids(store).then(found => order.push(`look: ${found}`))
  gate.resolve()
  await Promise.all([first, second, look])
  expect(order).toEqual(['first', 'second', 'look: p'])
})

test('numbers of the outbox are never reused, even after all rows are deleted', async () => {
  const store = await open('file::memory:')
  const account = {
    user_uid: 'u',
    user_name: 'u',
    user_name_key: 'u',
    email: 'e',
    email_key: 'e',
    first_name: 'f',
    last_name: 'l',
    main_pup_uid: 'p',
    mail_code: 'm',
    mutation_config: '{}',
    created_at: 0,
  }
  await store.insertInto('pick_up_points').values(point).execute()
  await store.insertInto('accounts').values(account).execute()
  await store
    .insertInto('tenants')
    .values({ tenant_id: 't', dispatcher_user_uid: 'u', callback_auth_type: 'None' })
    .execute()
  const queue = async (message_id: string) => {
    const message = { message_id, tenant_id: 't', shipment_uid: 's', body: '{}', created_at: 0, next_attempt_at: 0 }
    return store.insertInto('outbox').values(message).returningAll().executeTakeFirstOrThrow()
  }
  const first = await queue('1')
  await store.deleteFrom('outbox').execute()
  const second = await queue('2')
  expect(second.seq).toBeGreaterThan(first.seq)
  expect(second).toMatchObject({ attempts: 0, lease_expires_at: 0 })
})

test('foreign keys are enforced', async () => {
  const store = await open('file::memory:')
  const insert = store
    .insertInto('pick_up_point_tenants')
    .values({ pup_uid: 'nowhere', tenant_id: 'nowhere' })
    .execute()
  await expect(insert).rejects.toThrow('FOREIGN KEY')
})

test('a value that only one kind of store supports is rejected', async () => {
  const store = await open('file::memory:')
  const insert = store
    .insertInto('pick_up_points')
    .values({ ...point, name: true as unknown as string })
    .execute()
  await expect(insert).rejects.toThrow('a boolean cannot be stored')
})

test('a limit is not a bare parameter, for which SQLite would prepare the statement again at each execution', async () => {
  const store = await open('file::memory:')
  const points = ['p', 'q', 'r'].map(pup_uid => ({ ...point, pup_uid, name: pup_uid }))
  await store.insertInto('pick_up_points').values(points).execute()
  const page = store.selectFrom('pick_up_points').select('pup_uid').orderBy('pup_uid').limit(1).offset(1)
  expect(page.compile().sql).toMatch(/ limit cast\(\? as integer\) offset \?$/)
  expect(await page.execute()).toEqual([{ pup_uid: 'q' }])
})

test('a store beside whose file SQLite cannot write is refused by the name of the setting', async () => {
  const file = join(temporaryFolder(), 'service.db')
  await (await openStore(`file:${file}`)).destroy()
  mkdirSync(`${file}-wal`)
  await expect(openStore(`file:${file}`)).rejects.toThrow(
    `LOCKERFLOW_DATABASE_URL: must name a file that the process can write: unable to open database file, ${file}.`,
  )
})

test.runIf(process.platform === 'linux')(
  'a disk without space fails the start with the setting and the file',
  async () => {
    const path = join(temporaryFolder(), 'service.db')
    // The largest file, in blocks of 512 bytes. The tables need more.
    const limited = ['-c', `trap '' XFSZ; ulimit -f 64; exec "$0" service/main.ts`, process.execPath]
    const env = { ...childEnvironment, LOCKERFLOW_DATABASE_URL: `file:${path}`, LOCKERFLOW_SERVICE_PORT: '0' }
    const child = spawn('sh', limited, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect(output).toBe(`service: LOCKERFLOW_DATABASE_URL: ${path} cannot be read or written: disk I/O error\n`)
    // As with a PostgreSQL that does not respond.
    expect(code).toBe(3)
  },
)

/** Not root, who may write to every file. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
/** A clone in a private folder of root is closed to that user. */
const mayRead = spawnSync(process.execPath, ['--check', 'service/main.ts'], unprivileged).status === 0

/** Starts a service on a file without the rights of root. Returns what it prints and its exit code. */
async function failToStart(path: string): Promise<readonly [output: string, code: unknown]> {
  const env = { ...childEnvironment, LOCKERFLOW_DATABASE_URL: `file:${path}`, LOCKERFLOW_SERVICE_PORT: '0' }
  const child = spawn(process.execPath, ['service/main.ts'], { env, ...unprivileged })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return [output, code]
}

test.runIf(mayRead)(
  'a file that the process may only read fails the start of a service, and not that of a command',
  async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'service.db')
    await (await openStore(`file:${path}`)).destroy()
    chmodSync(path, 0o444)
    chmodSync(folder, 0o777)
    const [output, code] = await failToStart(path)
    expect(output).toMatch(
      /^service: LOCKERFLOW_DATABASE_URL: must name a file that the process can write: EACCES: permission denied, access/,
    )
    expect(code).toBe(2)
    await (await openExistingStore(`file:${path}`)).destroy()
  },
)

test('a file with damaged pages fails the start with the setting and the file', async () => {
  const url = temporaryFile()
  const path = toPath(url)
  await (await startService({ databaseUrl: url, port: 0 })).stop()
  const other = new DatabaseSync(path)
  const roots = other
    .prepare("select rootpage from sqlite_schema where tbl_name = 'pick_up_points' and rootpage > 0")
    .all()
  const pageSize = Number(other.prepare('pragma page_size').get()?.page_size)
  other.close()
  const bytes = readFileSync(path)
  for (const { rootpage } of roots) bytes.fill(0xff, (Number(rootpage) - 1) * pageSize, Number(rootpage) * pageSize)
  writeFileSync(path, bytes)
  await expect(startService({ databaseUrl: url, port: 0 })).rejects.toMatchObject({
    message: `LOCKERFLOW_DATABASE_URL: ${path} cannot be read or written: database disk image is malformed`,
    code: 'NotReachable',
  })
})

test('a file that another process has locked for too long fails the start with the setting and the file', async () => {
  const path = join(temporaryFolder(), 'service.db')
  const other = new DatabaseSync(path)
  onTestFinished(() => other.close())
  other.exec('begin exclusive')
  const opening = openStore(`file:${path}`, { lockTimeout: 20 })
  await expect(opening).rejects.toMatchObject({
    message: `LOCKERFLOW_DATABASE_URL: ${path} cannot be read or written: database is locked`,
    code: 'NotReachable',
  })
})

test('keys that cannot be read are refused by the name of the setting', async () => {
  const file = join(temporaryFolder(), 'service.db')
  mkdirSync(`${file}.key`)
  await expect(startService({ databaseUrl: `file:${file}` })).rejects.toThrow(
    `LOCKERFLOW_STORE_KEYS: must be set, or ${file}.key must be a file that the process can read and create: EISDIR`,
  )
})

test.each<[string, (path: string) => void]>([
  ['deleted', path => rmSync(path)],
  ['moved', path => renameSync(path, `${path}.old`)],
  [
    'replaced',
    path => {
      copyFileSync(path, `${path}.new`)
      renameSync(`${path}.new`, path)
    },
  ],
])('a store whose file was %s goes on, and names the loss', async (_, lose) => {
  const url = temporaryFile()
  const store = await open(url)
  expect(await findWriteFault(store)).toBeUndefined()
  lose(toPath(url))
  await store.insertInto('pick_up_points').values(point).execute()
  expect(await findWriteFault(store)).toBe('The file of the store was moved, replaced or deleted')
})
