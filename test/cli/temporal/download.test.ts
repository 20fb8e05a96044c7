import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { executable } from '../../../cli/temporal/cache.ts'
import { downloadFrom, type Release } from '../../../cli/temporal/download.ts'

const command = '#!/bin/sh\necho "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)"\n'

let folder: string
let cacheFolder: string
let server: Server
let origin: string
let archive: Uint8Array
let requested: (string | undefined)[]
let status: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-download-'))
  cacheFolder = join(folder, 'cache')
  archive = await pack(command)
  requested = []
  status = 200
  server = createServer(({ url }, response) => {
    requested.push(url)
    response.writeHead(status).end(archive)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  await new Promise(resolve => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

/** An archive as Temporal releases it. */
async function pack(text: string): Promise<Uint8Array> {
  await writeFile(join(folder, executable), text)
  await chmod(join(folder, executable), 0o644)
  await writeFile(join(folder, 'LICENSE'), 'MIT')
  execFileSync('tar', ['-czf', join(folder, 'packed.tar.gz'), '-C', folder, executable, 'LICENSE'])
  return readFile(join(folder, 'packed.tar.gz'))
}

function find(release: Partial<Release> = {}): Promise<string> {
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const known = { platform: 'linux', arch: 'amd64', sha256, ...release }
  return downloadFrom(origin, known).find({ cacheFolder, progress: () => undefined })
}

test('a downloaded command is the one of the archive, can be run, and is alone in the cache', async () => {
  const file = await find()
  expect(await readFile(file, 'utf8')).toBe(command)
  expect((await stat(file)).mode & 0o777).toBe(0o755)
  expect(requested).toEqual(['/cli/archive/v1.5.1?platform=linux&arch=amd64'])
  expect(await readdir(cacheFolder, { recursive: true })).toEqual([
    'temporal-1.5.1-released',
    join('temporal-1.5.1-released', executable),
  ])
})

test('an archive with another digest is refused before it is unpacked', async () => {
  const digest = createHash('sha256').update(archive).digest('hex')
  const other = 'a'.repeat(64)
  await expect(find({ sha256: other })).rejects.toThrow(`the archive must have SHA-256 ${other}, got ${digest}`)
  expect(existsSync(cacheFolder)).toBe(false)
})

test('a command whose server is too old is not put into the cache', async () => {
  archive = await pack(command.replace('1.29.1', '1.28.0'))
  await expect(find()).rejects.toThrow('has "Server 1.28", and needs 1.29 or later')
  expect(await readdir(cacheFolder, { recursive: true })).toEqual(['temporal-1.5.1-released'])
})

test('a status is named, and an origin that does not respond', async () => {
  status = 503
  await expect(find()).rejects.toThrow('?platform=linux&arch=amd64 returns 503')
  origin = 'http://127.0.0.1:1'
  await expect(find()).rejects.toThrow(/^http:\/\/127\.0\.0\.1:1\/cli\/archive\/.*(ECONNREFUSED|bad port)/)
})

test('a platform without a release is named', async () => {
  const source = downloadFrom(origin, undefined)
  await expect(source.find({ cacheFolder, progress: () => undefined })).rejects.toThrow('no archive is known for ')
})
