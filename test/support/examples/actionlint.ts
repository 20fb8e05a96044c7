import { join } from 'node:path'
import { readEnvironment } from '../../../platform/environment.ts'
import { cachedFolder } from '../cachedFolder.ts'
import { goBuild } from '../goBuild.ts'

const version = '1.7.7'

/** The linter of GitHub's workflows, built once per machine from its Go module; undefined on a machine without Go. */
export async function findActionlint(progress: (line: string) => void): Promise<string | undefined> {
  try {
    const folder = await cachedFolder(readEnvironment().cacheFolder, `actionlint-${version}`, async making => {
      progress(`Building actionlint ${version} with Go, once for this machine`)
      const program = `github.com/rhysd/actionlint/cmd/actionlint@v${version}`
      await goBuild(['install', program], { progress, environment: { GOBIN: making } })
    })
    return join(folder, 'actionlint')
  } catch (error) {
    if (error instanceof Error && error.message === 'no command go found') return undefined
    throw error
  }
}
