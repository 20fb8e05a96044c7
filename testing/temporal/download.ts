import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EnvHttpProxyAgent, fetch } from 'undici'
import { executable, fillCache } from './cache.ts'
import { type Platform, requireExecutable } from './platforms.ts'
import { run } from './run.ts'
import type { Progress, Source } from './source.ts'
import { commandVersion } from './version.ts'

/** The origin that Temporal's SDKs use. */
export const officialOrigin = 'https://temporal.download'

/** Downloads the official archive of Temporal's command from an origin. */
export function downloadSource(origin: string, platform: Platform | undefined): Source {
  return {
    title: `the download from ${new URL(origin).host}`,
    async find({ cacheFolder, progress }) {
      if (!platform) throw new Error(`no archive is known for ${process.platform} on ${process.arch}`)
      const query = `platform=${platform.system}&arch=${platform.processor}`
      const archive = await download(`${origin}/cli/archive/v${commandVersion}?${query}`, progress)
      return fillCache(cacheFolder, async folder => {
        const file = join(folder, 'archive.tar.gz')
        await writeFile(file, archive)
        await run('tar', ['-xzf', file, '-C', folder, executable], { timeoutMs: 120_000 })
        await requireExecutable(join(folder, executable), platform)
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
    progress(`Downloading Temporal's command ${commandVersion}, once for this machine`)
    return await response.bytes()
  } catch (error) {
    // fetch puts the reason into the cause.
    throw error instanceof Error && error.cause instanceof Error ? new Error(`${url}: ${error.cause.message}`) : error
  } finally {
    await dispatcher.destroy()
  }
}
