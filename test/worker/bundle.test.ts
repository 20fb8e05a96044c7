import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prebuildFlows } from '#worker'
import { writeMarks } from '../../worker/bundle.ts'
import { readSettings } from '../../worker/settings.ts'
import { book } from '../support/flows/booking.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()
let folder: string
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  file = join(folder, 'workflows.js')
  await prebuildFlows(file)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('a worker runs flows out of a prebuilt bundle', async () => {
  const { bundle } = readSettings({ LOCKERFLOW_WORKFLOW_BUNDLE: file })
  expect(bundle).toEqual({ codePath: file })
  await world.restartWorker({ ...(bundle !== undefined && { bundle }) })
  const { caseNo, shipment } = await book(world, 'issue')
  expect(shipment.stateCode).toBe('ReadyForDropOff')
  expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled', leftOver: [] })
})

test('the source map of a bundle has files and lines, and no sources', async () => {
  const [, text = ''] = /\n\/\/# sourceMappingURL=data:.*;base64,(\S+)/.exec(await readFile(file, 'utf8')) ?? []
  const { sources, mappings, sourcesContent } = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  expect(sources).toContainEqual(expect.stringMatching(/workflows\/continueAsNew\.ts$/))
  expect(mappings.length).toBeGreaterThan(sources.length)
  expect(sourcesContent).toBeUndefined()
})

test('only a worker without metrics tells its flows not to count their steps', () => {
  const plain = { encrypts: false, traced: false }
  expect(writeMarks({ ...plain, measured: false })).toBe('globalThis.lockerflowIsMeasured = false;')
  expect(writeMarks({ ...plain, measured: true })).toBe('')
  expect(writeMarks(plain)).toBe('')
})

test('without the setting a worker builds its own', () => {
  expect(readSettings({ LOCKERFLOW_WORKFLOW_BUNDLE: '' })).not.toHaveProperty('bundle')
})

test('a missing bundle is an error of the setting, which says how to build one', () => {
  expect(() => readSettings({ LOCKERFLOW_WORKFLOW_BUNDLE: join(folder, 'gone.js') })).toThrow(
    /^LOCKERFLOW_WORKFLOW_BUNDLE: must be an existing file, but .*gone\.js is not/,
  )
})
