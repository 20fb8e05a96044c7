import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { childEnvironment } from '../childEnvironment.ts'

/** The fields of `docker compose config --format json` that the tests read. */
export interface Resolved {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

export interface ComposeService {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command: readonly string[] | null
  readonly entrypoint: readonly string[] | null
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly { readonly host_ip?: string; readonly published: string; readonly target: number }[]
  readonly volumes?: readonly { readonly type: string; readonly source: string; readonly target: string }[]
  readonly secrets?: readonly { readonly source: string; readonly target: string }[]
  readonly networks?: Readonly<Record<string, unknown>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly deploy?: {
    readonly replicas?: number
    readonly resources?: {
      readonly limits?: { readonly cpus?: string; readonly memory?: string; readonly pids?: number }
    }
  }
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly restart?: string
  readonly profiles?: readonly string[]
  readonly stop_grace_period?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly init?: boolean
}

export const root = join(import.meta.dirname, '..', '..', '..')

/** The environment of a container, with the paths of its secrets on this machine. */
export function environmentOf(resolved: Resolved, name: string): Record<string, string> {
  const { environment = {}, secrets = [] } = resolved.services[name] ?? {}
  const paths = new Map(secrets.map(({ source, target }) => [target, resolved.secrets[source]?.file ?? '']))
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, paths.get(value) ?? value]))
}

/**
 * Resolves docker-compose.yml with docker compose's library, these variables and no others.
 * @param override text of a second file that overrides the first
 * @throws Error with the library's message if it rejects the file
 */
export async function resolve(
  command: string,
  variables: Readonly<Record<string, string>>,
  override?: string,
): Promise<Resolved> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-compose-'))
  try {
    const file = join(folder, 'env')
    await writeFile(file, textOf(variables))
    const files = ['--file', join(root, 'docker-compose.yml')]
    if (override !== undefined) {
      const second = join(folder, 'override.yaml')
      await writeFile(second, override)
      files.push('--file', second)
    }
    const args = [...files, '--env-file', file]
    const { stdout } = await promisify(execFile)(command, args, {
      // Without the developer's own variables and Docker configuration.
      env: { ...childEnvironment, HOME: folder },
      maxBuffer: 2 ** 24,
    })
    return JSON.parse(stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Parses a file such as .env. */
function textOf(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')
}
