import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A call of the log in the sources. */
export interface LogLine {
  readonly process: string
  /** `by outcome` where the call computes it. */
  readonly level: string
  /** Undefined without one, or where the call computes it. */
  readonly logId: string | undefined
  readonly text: string
  readonly fields: readonly string[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

const sharedErrors = 'platform/http/listenerErrors.ts'

/** The folders and shared files of each process that logs. */
const processes = {
  service: ['service'],
  gateway: ['gateway', sharedErrors],
  worker: ['worker'],
  codec: ['gateway/codecServer', sharedErrors],
  audit: ['cli/audit'],
} as const

/** Every log line of the processes, once per process, id and text. */
export function logLines(): LogLine[] {
  const lines = Object.entries(processes).flatMap(([process, paths]) =>
    paths
      .flatMap(filesIn)
      .filter(file => process === 'codec' || !file.startsWith('gateway/codecServer/'))
      .flatMap(file => linesIn(readFileSync(join(root, file), 'utf8')).map(line => ({ process, ...line }))),
  )
  const byLine = Map.groupBy(lines, ({ process, logId, text }) => `${process} ${logId} ${text}`)
  return [...byLine.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, fields: [...new Set([first, ...others].flatMap(({ fields }) => fields))] }],
  )
}

/** The sources of a folder, or the given file itself. */
function filesIn(path: string): string[] {
  if (path.endsWith('.ts')) return [path]
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .toSorted()
    .map(file => join(path, file))
}

/** The calls `log.warn({ fields }, 'text')` of a source file. */
export function linesIn(source: string): Omit<LogLine, 'process'>[] {
  const calls = source.matchAll(
    /\blog(?:\??\.(info|warn|error|fatal)|\[\w+\])\(\s*(\{[^{}]*\}|\w+),\s*(?:toText\(logId, )?'([^']+)'\)?,?\s*\)/g,
  )
  const plain = source.matchAll(/\blog\??\.(info|warn|error|fatal)\(\s*'([^']+)'\s*\)/g)
  return [
    ...[...calls].map(([, level = 'by outcome', object = '', text = '']) => ({
      level,
      logId: /\blogId: '([^']+)'/.exec(object)?.[1],
      text,
      fields: object.startsWith('{') ? fieldsIn(object, source) : constantFields(object, source),
    })),
    ...[...plain].map(([, level = '', text = '']) => ({ level, logId: undefined, text, fields: [] })),
  ]
}

/** Calls of a log that `linesIn` cannot read, so that no line escapes the table. */
export function unreadCalls(source: string): number {
  const all = source.matchAll(/\b[lL]og\??\.(?:info|warn|error|fatal)\(|\blog\[\w+\]\(/g)
  return [...all].length - linesIn(source).length
}

/** The keys of an object literal, with those of the constants that it spreads, and without the id. */
function fieldsIn(object: string, source: string): string[] {
  const parts = object
    .slice(1, -1)
    .split(',')
    .map(part => part.split(':')[0]?.trim() ?? '')
  return parts.flatMap(key => {
    if (key.startsWith('...')) return constantFields(key.slice(3), source)
    return /^\w+$/.test(key) && key !== 'logId' ? [key] : []
  })
}

/** The keys of a constant of the source, on one line or on a line each. None for a parameter. */
function constantFields(name: string, source: string): string[] {
  if (!/^\w+$/.test(name)) return []
  const [, object] = new RegExp(`const ${name} = (\\{ .* \\})\\n`).exec(source) ?? []
  if (object !== undefined) return fieldsIn(object, source)
  const [, body = ''] = new RegExp(`const ${name} = \\{\\n(.*?)\\n {2}\\}`, 's').exec(source) ?? []
  return [...body.matchAll(/^ {4}(\w+)[,:]/gm)].map(([, key = '']) => key)
}
