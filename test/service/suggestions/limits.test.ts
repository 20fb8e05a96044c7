import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { UploadLimits } from '../../../service/suggestions/index.ts'
import { longUploads } from '../../support/service/longUploads.ts'
import { csv, sheet, titles, upload } from '../../support/service/uploads.ts'
import { archive, aroundSheet, blown, packed, sheetName, sheetXml } from '../../support/service/zipArchive.ts'
import { measureSlowness } from '../../support/slowness.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

async function start(limits: Partial<UploadLimits> = {}): Promise<ServiceWorld> {
  const world = await createWorld({ service: { uploadLimits: { ...longUploads, ...limits } } })
  onTestFinished(() => world.stop())
  return world
}

const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ EmailAddress: `u${row}@home.example` }))
const letters = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
const header = Object.fromEntries(titles.map((title, at) => [letters[at] ?? '', title]))
/** `took` are the milliseconds on an idle machine, and `slowed` is how many times as many passed. */
async function timed<Result extends object>(
  work: () => Promise<Result>,
): Promise<Result & { took: number; slowed: number }> {
  const slowness = measureSlowness()
  const started = performance.now()
  const result = await work()
  const slowed = slowness()
  return { ...result, took: (performance.now() - started) / slowed, slowed }
}

const megabytes = (count: number) => count * 1_000_000

describe('a bomb', () => {
  test.each([
    ['whose directory tells', (size: number) => size],
    ['whose directory lies', () => 1_000],
  ])('%s is refused early and takes little memory', async (_, told) => {
    const { service } = await start()
    const bomb = await blown(sheetName, sheetXml({ 1: header }).slice(0, -20), megabytes(300))
    const file = archive([...aroundSheet, { ...bomb, size: told(bomb.size) }])
    expect(file.length).toBeLessThan(400_000)
    const idle = await timed(() => upload(service, 'empty.csv', csv([])))
    const before = process.resourceUsage().maxRSS
    const { status, body, took } = await timed(() => upload(service, 'bomb.xlsx', file))
    // Beyond what any file takes.
    expect(took - idle.took).toBeLessThan(5_000)
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(150_000)
    expect({ status, success: body.success }).toEqual({ status: told(1) === 1 ? 400 : 200, success: false })
    expect(body.error).toBe(told(1) === 1 ? 'InvalidRequest' : 'InvalidImportType')
  })

  test('of pictures is not unpacked at all', async () => {
    const { service } = await start()
    const picture = await blown('xl/media/image1.png', '', megabytes(300))
    const file = archive([
      ...aroundSheet,
      packed(sheetName, sheetXml({ 1: header, 2: { A: 'ada@home.example' } })),
      picture,
    ])
    expect((await upload(service, 'a.xlsx', file)).result).toMatchObject({ importedCount: 1 })
  })

  test('of cells is refused', async () => {
    const { service } = await start()
    const cells = sheetXml({ 1: header }).replace(
      '</sheetData>',
      `<row r="2">${'<c/>'.repeat(1_600_000)}</row></sheetData>`,
    )
    const file = archive([...aroundSheet, packed(sheetName, cells)])
    const { status, body } = await upload(service, 'a.xlsx', file)
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'InvalidRequest' })
    expect(body.message).toContain('cells')
  })
})

test('of many refused rows the first ten thousand are listed, and all are counted', async () => {
  const { service } = await start()
  const rows = Array.from({ length: 10_002 }, () => ({ EmailAddress: 'none' }))
  const { result } = await upload(service, 'a.csv', csv(rows))
  expect(result).toMatchObject({ totalCount: 10_002, errorCount: 10_002, importedCount: 0 })
  expect(result.errorLogs.map(({ id }) => id)).toEqual(Array.from({ length: 10_000 }, (_, row) => row + 2))
  const cut = result.errorLogs.filter(({ message }) => message.includes('2 more rows were refused'))
  expect(cut.map(({ id }) => id)).toEqual([10_001])
})

describe('a sheet', () => {
  test('with the largest possible range is read by its actual cells', async () => {
    const { service } = await start()
    const xml = sheetXml({ 1: header, 1048576: { A: 'ada@home.example' }, 7: { A: 'none' } }, 'A1:XFD1048576')
    const { result } = await upload(service, 'a.xlsx', archive([...aroundSheet, packed(sheetName, xml)]))
    expect(result).toMatchObject({ importedCount: 1, errorLogs: [{ id: 7 }] })
  })

  test.each([
    ['header', { 1: { ...header, XFD: 'Extra' } }],
    ['row', { 1: header, 2: { A: 'ada@home.example', XFD: 'more' } }],
  ])('with a %s of too many columns is refused', async (_, cells) => {
    const { service } = await start()
    const { body } = await upload(service, 'a.xlsx', archive([...aroundSheet, packed(sheetName, sheetXml(cells))]))
    expect(body.error).toBe('InvalidHeader')
  })
})

describe('too many rows are refused', () => {
  test.each([
    ['a.csv', csv],
    ['a.xlsx', sheet],
  ] as const)('%s', async (name, write) => {
    const { service, call } = await start({ rows: 20 })
    expect((await upload(service, name, write(rows(20)))).result).toMatchObject({ importedCount: 20 })
    const { status, body } = await upload(service, name, write(rows(21)))
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'InvalidRequest' })
    expect(body.message).toContain('20 rows')
    expect((await call('GetAccountSuggestions', {})).totalItems).toBe(20)
  })

  test('and 100,000 are accepted', async () => {
    const { service } = await start()
    expect((await upload(service, 'a.csv', csv(rows(100_000)))).result).toMatchObject({ importedCount: 100_000 })
    expect((await upload(service, 'a.csv', csv(rows(100_001)))).body).toMatchObject({ error: 'InvalidRequest' })
  })
})

test('a file that takes too long to read is refused', async () => {
  const { service } = await start({ timeout: 1 })
  const { status, body } = await upload(service, 'a.csv', csv(rows(1)))
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'InvalidRequest' })
  expect(body.message).toContain('too long')
})

test('a standstill of the service does not count as time to read a file', async () => {
  const timeout = 3_000
  const { service } = await start({ timeout })
  // As a stopped process, or a paused machine.
  const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeout + 2_000)
  const onChild = () => void setImmediate(standStill)
  subscribe('child_process', onChild)
  onTestFinished(() => void unsubscribe('child_process', onChild))
  expect((await upload(service, 'a.csv', csv(rows(1)))).result).toMatchObject({ importedCount: 1 })
})

test('a file that takes too much memory to read is refused, and the service lives on', async () => {
  const { service } = await start({ heap: 24 })
  const { status, body } = await upload(service, 'a.xls', sheet(rows(15_000), 'biff8'))
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'InvalidRequest' })
  expect(body.message).toContain('memory')
  expect((await upload(service, 'a.csv', csv([]))).status).toBe(200)
})

test('more concurrent files than the queue holds are rejected', async () => {
  const { service } = await start({ concurrency: 1, queueLength: 1 })
  const responses = await Promise.all([1, 2, 3].map(() => upload(service, 'a.csv', csv(rows(2_000)))))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 503])
  expect(responses.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('1')
  expect((await upload(service, 'a.csv', csv(rows(1)))).status).toBe(200)
})

test('other requests are served while a big sheet is read', async () => {
  const { service, call } = await start()
  const file = sheet(rows(30_000))
  for (let measurements = 1; ; measurements++) {
    let reading = true
    const sending = timed(() => upload(service, 'a.xlsx', file)).finally(() => {
      reading = false
    })
    const waits: number[] = []
    while (reading) {
      const started = performance.now()
      await call('GetPickUpPoints', {})
      waits.push(performance.now() - started)
    }
    const { result, took, slowed } = await sending
    expect(result).toMatchObject({ importedCount: 30_000 })
    const limit = Math.max(500, took / 5)
    // A pause of the machine does not return, and a caller that waits for the file does.
    if (Math.max(...waits) / slowed >= limit && measurements < 3) continue
    expect(Math.max(...waits) / slowed).toBeLessThan(limit)
    expect(waits.length).toBeGreaterThan(20)
    return
  }
})
