import { readFileSync, writeFileSync } from 'node:fs'
import type { ComposeService, Resolved } from '../support/compose/resolved.ts'

/** Addresses on this machine, by their `name:port` in docker-compose.yml. */
export type Addresses = Map<string, string>

/** Pairs of variables that contain a host and its port. */
const pairs = [
  ['SQL_HOST', 'SQL_PORT'],
  ['POSTGRES_SEEDS', 'DB_PORT'],
] as const

/**
 * The environment of a container for a process on this machine. Names of containers and paths of secrets are replaced
 * by their local counterparts.
 * @throws Error if a container name remains, which means that docker-compose.yml has a setting unknown to this function
 */
export function toLocalEnvironment(
  { environment = {}, secrets = [] }: ComposeService,
  resolved: Resolved,
  places: Addresses,
): Record<string, string> {
  const here = { ...environment }
  for (const [host, port] of pairs) {
    const place = places.get(`${here[host]}:${here[port]}`)
    if (place !== undefined) [here[host], here[port]] = place.split(':') as [string, string]
  }
  for (const [variable, value] of Object.entries(here)) {
    const secret = secrets.find(({ target }) => target === value)
    const file = resolved.secrets[secret?.source ?? '']?.file
    here[variable] = file === undefined ? translated(value, places) : toLocalFile(file, places)
  }
  const names = Object.keys(resolved.services).join('|')
  const left = Object.entries(here).filter(([, value]) => new RegExp(`(^|//|@)(${names})(:\\d+)?(/|$)`).test(value))
  // These variables may have the name of a container as their value.
  const wrong = left.filter(([variable]) => !/NAMESPACE|USER|DBNAME/.test(variable))
  if (wrong.length > 0)
    throw new Error(`docker-compose.yml names containers without a local address: ${JSON.stringify(wrong)}`)
  return here
}

/** A secret can contain an address too, as that of the store does. */
function toLocalFile(file: string, places: Addresses): string {
  const text = readFileSync(file, 'utf8')
  const local = translated(text, places)
  if (local === text) return file
  writeFileSync(`${file}.local`, local)
  return `${file}.local`
}

/** The health check of a container, which may call another one, for a process on this machine. */
export function toLocalCheck({ healthcheck }: ComposeService, places: Addresses): readonly string[] {
  return (healthcheck?.test ?? []).map(word => translated(word, places))
}

function translated(value: string, places: Addresses): string {
  let text = value
  for (const [name, place] of places) text = text.replace(new RegExp(`(^|//|@)${name}(?=/|$)`), `$1${place}`)
  return text
}
