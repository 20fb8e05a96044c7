import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { gatewayVariables } from '#gateway'
import { codecServerVariables } from '#gateway/codecServer'
import { serviceVariables } from '#service'
import { workerVariables } from '#worker'
import { type CheckedProcess, findProblems } from '../../cli/doctor/settings.ts'
import { telemetryVariables } from '../../platform/telemetry/variables.ts'
import { newKey } from '../support/codec/keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const key = (letter: string) => `${letter.repeat(5)}9-_Kq3Zt7Lw2Xv8Rb`
const secret = 'N4v8Qz1LtX7cRk2YwB9mHs5D'

const topology = `
tenants:
  - name: t
    dispatcher: { userName: t, emailAddress: t@t.example, firstName: T, lastName: T }
    clients: [{ clientId: c, clientSecret: ${secret} }]
pickUpPoints:
  - pupUid: p
    name: P
    timeZone: Europe/Amsterdam
    tenants: [t]
    lockers: [{ names: "1", width: 1, height: 1, length: 1 }]
`
const flow = `
name: wait
summary: Time passes.
input: {}
steps:
  - { name: pause, summary: It passes., sleep: 1h }
`
const calendar = 'default: { hours: { monday: ["09:00-17:00"] } }\n'

const driven = {
  LOCKERFLOW_BASE_URL: 'https://lockers.example',
  LOCKERFLOW_AUTH_URL: 'https://lockers.example',
  LOCKERFLOW_CLIENT_ID: 'c',
  LOCKERFLOW_CLIENT_SECRET: secret,
  LOCKERFLOW_CODEC_KEYS: newKey('a'),
  TEMPORAL_ADDRESS: 'temporal.example:7233',
  TEMPORAL_TLS: 'true',
  TEMPORAL_CONFIG_FILE: file('temporal.toml', '[profile.default]\n'),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('temporal.pem', 'x'),
}

/** Right settings of each process, with all that it requires and every file that it can have. */
const right: { readonly [Name in CheckedProcess]: NodeJS.ProcessEnv } = {
  service: {
    LOCKERFLOW_DATABASE_URL: 'postgres://user:own-word@db.example/lockerflow',
    LOCKERFLOW_DATABASE_CA: file('ca.pem', ''),
    LOCKERFLOW_STORE_KEYS: newKey('s'),
    LOCKERFLOW_TOPOLOGY: file('topology.yaml', topology),
    LOCKERFLOW_PUBLIC_URL: 'https://lockers.example',
    LOCKERFLOW_HARDWARE_URL: 'https://adapter.example',
    LOCKERFLOW_HARDWARE_KEY: key('h'),
  },
  gateway: {
    ...driven,
    LOCKERFLOW_CALLBACK_KEY: key('c'),
    LOCKERFLOW_GATEWAY_URL: 'https://gateway.example',
    LOCKERFLOW_FLOW_API_PORT: '0',
    LOCKERFLOW_FLOW_API_ISSUER: 'https://login.example',
    LOCKERFLOW_FLOW_API_AUDIENCE: 'flows',
    LOCKERFLOW_FLOWS: file('flow.yaml', flow),
  },
  worker: {
    ...driven,
    LOCKERFLOW_NOTIFICATIONS_URL: 'https://planning.example/n',
    LOCKERFLOW_NOTIFICATIONS_KEY: key('n'),
    LOCKERFLOW_DECISION_LINKS_URL: 'https://decide.example',
    LOCKERFLOW_DECISION_LINKS_KEY: key('d'),
    LOCKERFLOW_DEPLOYMENT: 'lockerflow',
    LOCKERFLOW_BUILD_ID: '1',
    LOCKERFLOW_WORKFLOW_BUNDLE: file('bundle.js', ''),
    LOCKERFLOW_FLOWS: file('flow.yaml', flow),
    LOCKERFLOW_ACTIVITIES: file('activities.mjs', 'export function weigh() {}\n'),
    LOCKERFLOW_CALENDARS: file('calendars.yaml', calendar),
  },
  codec: driven,
}

const declared: { readonly [Name in CheckedProcess]: object } = {
  service: { ...serviceVariables, ...telemetryVariables },
  gateway: { ...gatewayVariables, ...telemetryVariables },
  worker: { ...workerVariables, ...telemetryVariables },
  codec: codecServerVariables,
}

/** They decide which others a process needs. While one is wrong, that is open. */
const modes = new Set([
  'LOCKERFLOW_ENVIRONMENT',
  'LOCKERFLOW_CODEC',
  'LOCKERFLOW_DATABASE_TLS',
  'LOCKERFLOW_FLOW_API_SERVICE_ROLES',
  'TEMPORAL_TLS',
])

/** Texts of which at least one is wrong for each variable that can be wrong. */
const wrongTexts = [
  ' ? ',
  'http://8.8.8.8/',
  '/nowhere/at-all',
  'postgres://u:p@db.example/x?sslmode=disable',
  file('broken.yaml', 'name: [\n'),
  file('broken.mjs', 'export const number = 1\n'),
  'x'.repeat(3_000),
  'password',
]

/** Pseudo-random numbers from 0 to 1 that a failed test repeats. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

async function problemsOf(process: CheckedProcess, source: NodeJS.ProcessEnv) {
  return (await findProblems([process], source)).map(({ setting, problem }) => `${setting}: ${problem}`)
}

const isFile = (text: string | undefined) => text?.startsWith(folder)
const mixtures = 40

const processes = Object.keys(right) as CheckedProcess[]

describe.each(processes)('the settings of the process %s', process => {
  const environments = ['production', 'staging']

  test.each(environments)('are right in %s', async environment => {
    expect(await problemsOf(process, { ...right[process], LOCKERFLOW_ENVIRONMENT: environment })).toEqual([])
  })

  test.each(environments)('that are missing or wrong in %s are told in one message', async environment => {
    const base: NodeJS.ProcessEnv = { ...right[process], LOCKERFLOW_ENVIRONMENT: environment }
    const names = [...new Set([...Object.keys(declared[process]), ...Object.keys(base)])].filter(
      name => !modes.has(name),
    )
    const told = new Set<string>()
    for (let seed = 1; seed <= mixtures; seed++) {
      const random = createRandom(seed)
      const source = { ...base }
      // From few faults, each with many right settings around it, to many.
      const share = 0.02 + (seed / mixtures) * 0.6
      for (const name of names) {
        if (random() > share) continue
        source[name] = random() < 0.4 ? undefined : wrongTexts[Math.floor(random() * wrongTexts.length)]
      }
      const found = (await findProblems([process], source)).map(({ setting }) => setting)
      const mended = { ...source }
      for (const setting of found) {
        const name = setting.replace(/_FILE$/, '')
        told.add(setting).add(name)
        mended[name] = base[name]
        mended[setting] = base[setting]
      }
      expect({ seed, left: await problemsOf(process, mended) }).toEqual({ seed, left: [] })
    }
    // The faults were of many variables, and of each that names a file.
    expect(told.size).toBeGreaterThanOrEqual(10)
    expect([...told]).toEqual(expect.arrayContaining(Object.keys(base).filter(name => isFile(base[name]))))
  })
})
