import type { ComposeService, Resolved } from '../compose/resolved.ts'

/** Where on this machine something is that docker-compose.yml calls `name:port`. */
export type Places = Map<string, string>

/** Variables that name a host by itself, and those with its port. */
const pairs = [
  ['SQL_HOST', 'SQL_PORT'],
  ['POSTGRES_SEEDS', 'DB_PORT'],
] as const

/**
 * The environment that docker-compose.yml gives a container, for a process of this machine: names of containers and
 * paths of secrets become what stands for them here.
 * @throws Error when a name is left: then a setting has come to it that this does not understand
 */
export function environmentHere(
  { environment = {}, secrets = [] }: ComposeService,
  resolved: Resolved,
  places: Places,
): Record<string, string> {
  const here = { ...environment }
  for (const [host, port] of pairs) {
    const place = places.get(`${here[host]}:${here[port]}`)
    if (place !== undefined) [here[host], here[port]] = place.split(':') as [string, string]
  }
  for (const [variable, value] of Object.entries(here)) {
    const secret = secrets.find(({ target }) => target === value)
    here[variable] = secret === undefined ? translated(value, places) : (resolved.secrets[secret.source]?.file ?? '')
  }
  const names = Object.keys(resolved.services).join('|')
  const left = Object.entries(here).filter(([, value]) => new RegExp(`(^|//|@)(${names})(:\\d+)?(/|$)`).test(value))
  // TEMPORAL_NAMESPACE, POSTGRES_USER and their like are names of other things.
  const wrong = left.filter(([variable]) => !/NAMESPACE|USER|DBNAME/.test(variable))
  if (wrong.length > 0) throw new Error(`docker-compose.yml names what is not here: ${JSON.stringify(wrong)}`)
  return here
}

function translated(value: string, places: Places): string {
  let text = value
  for (const [name, place] of places) text = text.replace(new RegExp(`(^|//|@)${name}(?=/|$)`), `$1${place}`)
  return text
}
