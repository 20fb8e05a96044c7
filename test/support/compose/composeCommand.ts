import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEnvironment } from '../../../cli/environment.ts'
import { cachedFolder, goBuild } from '../../../cli/temporal/index.ts'

const version = '2.40.3'
const program = 'docker-compose'

/** A wrapper module: `go install` rejects modules with `exclude` or `replace` directives. */
const goModule = `module lockerflow/compose

go 1.24

require github.com/docker/compose/v2 v${version}
`

/** The real `docker compose`, built once per machine from its Go module. Its `config` needs no engine. */
export async function composeCommand(progress: (line: string) => void): Promise<string> {
  const folder = await cachedFolder(readEnvironment().cacheFolder, `docker-compose-${version}`, async making => {
    progress(`Building docker compose ${version} with Go, once for this machine: up to three minutes`)
    await writeFile(join(making, 'go.mod'), goModule)
    await goBuild(['build', '-v', '-o', program, 'github.com/docker/compose/v2/cmd'], {
      progress,
      folder: making,
      environment: { GOFLAGS: '-mod=mod -buildvcs=false' },
    })
  })
  return join(folder, program)
}

/** The same; undefined on a machine without Go. */
export function findComposeCommand(progress: (line: string) => void): Promise<string | undefined> {
  return composeCommand(progress).catch(error => {
    if (error instanceof Error && error.message === 'no command go found') return undefined
    throw error
  })
}
