import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { imagesIn } from '../../cli/images.ts'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'

const files = ['docker-compose.yml', 'Dockerfile']

/** A registry as the OCI distribution specification describes it, with a token for each repository. */
async function startRegistry(digestOf: (image: string) => string | undefined): Promise<string> {
  const server = createServer(({ url = '', method, headers }, response) => {
    const { origin } = new URL(`http://${headers.host}`)
    const asked = new URL(url, origin)
    if (asked.pathname === '/token') {
      response.end(JSON.stringify({ token: `for ${asked.searchParams.get('scope')}` }))
      return
    }
    const [, repository = '', tag] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(asked.pathname) ?? []
    const scope = `repository:${repository}:pull`
    const digest = digestOf(`${repository}:${tag}`)
    if (headers.authorization !== `Bearer for ${scope}`) {
      response.setHeader('www-authenticate', `Bearer realm="${origin}/token",service="here",scope="${scope}"`)
      response.writeHead(401).end()
    } else if (digest === undefined || method !== 'HEAD' || !headers.accept?.includes('image.index')) {
      response.writeHead(404).end()
    } else response.writeHead(200, { 'docker-content-digest': digest }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const digestOf = (image: string) => `sha256:${createHash('sha256').update(image).digest('hex')}`

const withoutDigests = (text: string) => text.replaceAll(/@sha256:[\da-f]{64}/g, '')

function copyFiles(): string {
  const folder = temporaryFolder()
  for (const file of files) writeFileSync(join(folder, file), withoutDigests(readFileSync(join(root, file), 'utf8')))
  return folder
}

const read = (folder: string) => files.map(file => readFileSync(join(folder, file), 'utf8'))

async function run(action: string, folder: string, registry: string) {
  const args = ['cli/images.ts', action, '--folder', folder, '--registry', registry]
  const child = spawn(process.execPath, args, { cwd: root, env: { ...childEnvironment, NO_PROXY: '127.0.0.1' } })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += chunk))
  const [code] = await once(child, 'close')
  return { code, text }
}

test('every image of others has a digest', () => {
  const images = read(root).flatMap(imagesIn)
  expect(images).toHaveLength(9)
  expect(images.filter(({ digest }) => digest === undefined)).toEqual([])
  // The expression of `imagesIn` finds each of them.
  const named = read(root).flatMap(text => text.match(/^ *(image:|FROM) .*$/gm) ?? [])
  expect(named.filter(line => !line.includes('@sha256:'))).toEqual([expect.stringContaining('image: lockerflow:')])
})

test('pin writes the digest of every image of others, and check finds a tag that has moved', async () => {
  const moved = new Set<string>()
  const registry = await startRegistry(image => digestOf(moved.has(image) ? `${image} later` : image))
  const folder = copyFiles()
  const unpinned = await run('check', folder, registry)
  expect(unpinned).toMatchObject({ code: 1, text: expect.stringContaining('postgres:18.4-bookworm has no digest') })

  expect(await run('pin', folder, registry)).toMatchObject({ code: 0 })
  const images = read(folder).flatMap(imagesIn)
  expect(images.length).toBeGreaterThan(8)
  for (const { name, digest } of images)
    expect({ name, digest }).toEqual({ name, digest: digestOf(name.includes('/') ? name : `library/${name}`) })
  // Nothing else has changed, and our image has no digest.
  expect(read(folder).map(withoutDigests)).toEqual(read(root).map(withoutDigests))
  expect(read(folder).join('\n')).not.toMatch(/lockerflow:\S*@/)

  expect(await run('check', folder, registry)).toMatchObject({ code: 0 })
  const [prometheus = ''] = images.flatMap(({ name }) => (name.startsWith('prom/') ? [name] : []))
  moved.add(prometheus)
  const { code, text } = await run('check', folder, registry)
  expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining('its tag is now sha256:') })
  expect(text.split('\n').filter(line => line.includes('is pinned to'))).toHaveLength(1)
  await run('pin', folder, registry)
  expect(await run('check', folder, registry)).toMatchObject({ code: 0 })
})

test('pin changes no file if one image has no digest', async () => {
  const folder = copyFiles()
  const registry = await startRegistry(image => (image.startsWith('grafana/') ? undefined : digestOf(image)))
  const { code, text } = await run('pin', folder, registry)
  expect({ code, text }).toMatchObject({ code: 1, text: expect.stringMatching(/images: grafana\/grafana:\S+: .*404/) })
  expect(read(folder)).toEqual(read(root).map(withoutDigests))
})

test('without the registry the command names its address', async () => {
  const { code, text } = await run('pin', copyFiles(), 'http://127.0.0.1:9')
  expect({ code, text }).toMatchObject({
    code: 1,
    text: expect.stringContaining('http://127.0.0.1:9 could not be reached'),
  })
})
