import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EnvHttpProxyAgent, fetch } from 'undici'
import { cliVersion, executable, fillCache } from './cache.ts'
import type { Progress } from './goBuild.ts'
import { run } from './run.ts'
import type { Source } from './sources.ts'

/** An archive of the release: platform and processor as Temporal names them, and the archive's SHA-256. */
export type Release = { platform: string; arch: string; sha256: string }

/** Archives of release `cliVersion` by Node's names of platform and processor. */
const releases: Readonly<Record<string, Release>> = {
  'linux x64': {
    platform: 'linux',
    arch: 'amd64',
    sha256: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  },
  'linux arm64': {
    platform: 'linux',
    arch: 'arm64',
    sha256: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  },
  'darwin x64': {
    platform: 'darwin',
    arch: 'amd64',
    sha256: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  },
  'darwin arm64': {
    platform: 'darwin',
    arch: 'arm64',
    sha256: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  },
}

/** Downloads the official command from the origin that Temporal's SDKs use. */
export const downloadSource = downloadFrom('https://temporal.download', releases[`${process.platform} ${process.arch}`])

/** Downloads the official command from an origin. */
export function downloadFrom(origin: string, release: Release | undefined): Source {
  return {
    title: `the download from ${new URL(origin).host}`,
    async find({ cacheFolder, progress }) {
      if (!release) throw new Error(`no archive is known for ${process.platform} on ${process.arch}`)
      const { platform, arch, sha256 } = release
      const archive = await download(`${origin}/cli/archive/v${cliVersion}?platform=${platform}&arch=${arch}`, progress)
      const digest = createHash('sha256').update(archive).digest('hex')
      if (digest !== sha256) throw new Error(`the archive must have SHA-256 ${sha256}, got ${digest}`)
      return fillCache(cacheFolder, 'released', async folder => {
        const file = join(folder, 'archive.tar.gz')
        await writeFile(file, archive)
        await run('tar', ['-xzf', file, '-C', folder, executable], { timeoutMs: 120_000 })
        return join(folder, executable)
      })
    },
  }
}

async function download(url: string, progress: Progress): Promise<Uint8Array> {
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: 5_000 },
    headersTimeout: 10_000,
    bodyTimeout: 30_000,
  })
  try {
    const response = await fetch(url, { dispatcher })
    if (!response.ok) throw new Error(`${url} returns ${response.status}`)
    progress(`Downloading the Temporal CLI ${cliVersion}, once for this machine`)
    return await response.bytes()
  } catch (error) {
    // fetch puts the reason into the cause.
    throw error instanceof Error && error.cause instanceof Error ? new Error(`${url}: ${error.cause.message}`) : error
  } finally {
    await dispatcher.destroy()
  }
}
