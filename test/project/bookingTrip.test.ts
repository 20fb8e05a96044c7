import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { root } from './sources.ts'

/** The trip of one booking until its callback is delivered: each file in the order of its first entry, and its step. */
const trip = [
  ['service/http/requestHooks.ts', "starts the request's context and sets its id as a header"],
  ['service/http/admission.ts', 'checks the access token and the rate limit; later, waits for the share of the tenant'],
  ['service/auth/verifyBearer.ts', 'verifies the signature and claims of the token'],
  ['service/http/operationRoutes.ts', 'is the route: body, operation, response'],
  ['service/http/parseRequest.ts', 'reads the body as JSON'],
  ['contract/request.ts', "checks the body against the operation's schema; later, takes its fingerprint"],
  ['contract/casing.ts', 'gives the keys the casing of the schema'],
  ['service/http/runOperation.ts', 'runs the handler in a transaction, and wakes the outbox after it'],
  ['service/http/idempotency.ts', 'looks for a stored response, and stores the new one'],
  ['contract/terms/canonical.ts', 'writes the request as canonical JSON for its fingerprint'],
  ['service/store/transaction.ts', "chooses the store's kind of transaction"],
  ['service/store/locks.ts', 'adds row locks to statements, none on the embedded store'],
  ['service/store/groupCommit.ts', 'shares a commit with concurrent requests'],
  ['service/store/sqlite/database.ts', 'executes each statement'],
  ['service/store/statements.ts', 'keeps the texts of statements, and sends them'],
  [
    'service/operations/logistics/createLocalShipmentAsIssue.ts',
    'is the handler, as data: from the dispatcher, to a user',
  ],
  ['service/shipments/create.ts', 'reads pick up point, tenant and accounts, and checks the request'],
  ['service/lockers/accessCodes.ts', 'allocates the codes for drop off and pick up'],
  ['service/encryption/secrets.ts', 'hashes and encrypts the codes; later, decrypts the callback key'],
  ['service/lockers/reserve.ts', 'reserves the smallest free locker that fits'],
  ['service/shipments/insert.ts', 'inserts the shipment'],
  ['service/outbox/enqueue.ts', 'inserts the callback into the outbox'],
  ['contract/fields.ts', 'formats the time of the state'],
  ['service/http/result.ts', 'makes the response and sends it'],
  ['service/http/requestLog.ts', 'logs one line'],
  ['service/outbox/drain.ts', 'drains the outbox'],
  ['service/outbox/lanes.ts', "decides on the tenant's share of the sender"],
  ['service/outbox/claims.ts', 'claims the message, and deletes it after its delivery'],
  ['service/outbox/sender.ts', 'sends the message'],
  ['contract/signature.ts', 'signs the message'],
] as const

/** Files that build, execute or commit single statements. Their entries count the statements and commits. */
const statementFiles: readonly string[] = [
  'service/store/locks.ts',
  'service/store/sqlite/database.ts',
  'service/store/groupCommit.ts',
  'service/store/statements.ts',
]

let files: string[]
let order: string[]

beforeAll(async () => {
  const program = join(root, 'test/support/project/bookingTrip.ts')
  // Code of the cache would be covered less precisely.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: root, env })
  ;({ files, order } = JSON.parse(stdout) as { files: string[]; order: string[] })
})

test('a booking runs through at most 30 files', () => {
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(30)
})

test('a booking runs through the files of the table, in its order', () => {
  const listed = trip.map(([file]) => file)
  expect([...new Set(order)]).toEqual(listed)
  expect(files).toEqual(listed.toSorted())
})

test('a booking enters no file again more than twice, except those of single statements', () => {
  const others = order.filter(file => !statementFiles.includes(file))
  const entries = Map.groupBy(
    others.filter((file, at) => file !== others[at - 1]),
    file => file,
  )
  const reentered = [...entries].filter(([, visits]) => visits.length > 3).map(([file]) => file)
  expect(reentered, order.join(' > ')).toEqual([])
})

test('docs/explanation/architecture.md has the same table', () => {
  const page = readFileSync(join(root, 'docs/explanation/architecture.md'), 'utf8')
  expect(page).toContain(trip.map(([file, step]) => `| ${file} | ${step} |\n`).join(''))
})
