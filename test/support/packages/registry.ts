import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { packages, root, type Tarball } from '../../../packages/build/index.ts'
import { run } from './installed.ts'

export interface Registry {
  /** The variables with which npm uses it. */
  readonly variables: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/**
 * A registry of npm on loopback, in which packed packages are published. It redirects all other requests to the registry
 * of this machine.
 */
export async function startRegistry(tarballs: readonly Tarball[]): Promise<Registry> {
  const configured = (await run(root, ['npm', 'config', 'get', 'registry'])).stdout.trim().replace(/\/$/, '')
  const files = new Map(tarballs.map(({ file }) => [`/${basename(file)}`, file]))
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const file = files.get(path)
    const tarball = tarballs.find(({ name }) => path === `/${name}`)
    if (file !== undefined) response.end(await readFile(file))
    else if (tarball === undefined) response.writeHead(307, { location: configured + request.url }).end()
    else response.end(JSON.stringify(await describe(tarball, `http://${request.headers.host}`)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    variables: {
      npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      npm_config_noproxy: '127.0.0.1',
      // Packages of others come from the cache where it has them.
      npm_config_prefer_offline: 'true',
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** The document of a package with one version. */
async function describe({ name, file }: Tarball, address: string): Promise<object> {
  const folder = packages[name as keyof typeof packages].folder
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
  const integrity = `sha512-${createHash('sha512')
    .update(await readFile(file))
    .digest('base64')}`
  const version = { ...manifest, dist: { tarball: `${address}/${basename(file)}`, integrity } }
  return { name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: version } }
}
