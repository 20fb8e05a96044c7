import { commonOptions } from '../command/program.ts'
import type { CompletionValues, Verb, VerbOption } from '../command/verb.ts'

/**
 * The words that may stand in the place of the last one, which may be empty or incomplete.
 * @param words the words after `lockerflow`
 */
export async function findCandidates(verbs: readonly Verb[], words: readonly string[]): Promise<readonly string[]> {
  const before = words.slice(0, -1)
  const current = words.at(-1) ?? ''
  const found = await offer(verbs, before, current)
  return [...new Set(found)].filter(each => each.startsWith(current)).toSorted()
}

async function offer(verbs: readonly Verb[], before: readonly string[], current: string): Promise<readonly string[]> {
  const verb = findVerb(verbs, before)
  const next = nextWords(verbs, before)
  if (verb === undefined) return next
  const options = [...(verb.options ?? []), ...commonOptions]
  const rest = before.slice(verb.name.split(' ').length)
  const last = options.find(option => takesValue(option) && nameOf(option) === rest.at(-1))
  if (last !== undefined) return resolve(last.values, before)
  if (current.startsWith('-')) return [...options.map(nameOf), '--help', ...(await fieldsOf(verb, before))]
  const place = rest.filter((word, index) => !word.startsWith('-') && !isValue(options, rest, index)).length
  const list = verb.arguments ?? []
  const argument = list[place] ?? (list.at(-1)?.variadic ? list.at(-1) : undefined)
  return [...next, ...(await resolve(argument?.values, before))]
}

/** The fields of a verb, as flags: the values of its last argument. */
async function fieldsOf({ fields, arguments: list = [] }: Verb, before: readonly string[]): Promise<readonly string[]> {
  return fields ? resolve(list.at(-1)?.values, before) : []
}

/** The verb with the most words of those before. */
function findVerb(verbs: readonly Verb[], before: readonly string[]): Verb | undefined {
  const fitting = verbs.filter(({ name }) => name.split(' ').every((word, index) => word === before[index]))
  return fitting.toSorted((a, b) => b.name.length - a.name.length)[0]
}

/** The next words of the verbs that begin with the words before. */
function nextWords(verbs: readonly Verb[], before: readonly string[]): readonly string[] {
  return verbs
    .filter(({ hidden }) => !hidden)
    .map(({ name }) => name.split(' '))
    .filter(words => words.length > before.length && before.every((word, index) => word === words[index]))
    .flatMap(words => words[before.length] ?? [])
}

function isValue(options: readonly VerbOption[], words: readonly string[], index: number): boolean {
  return options.some(option => takesValue(option) && nameOf(option) === words[index - 1])
}

/** `--wait` of `-w, --wait <moment>`. */
function nameOf({ flags }: VerbOption): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags
}

function takesValue({ flags }: VerbOption): boolean {
  return /[<[]/.test(flags)
}

/** Values that cannot be read, for instance without a service, are not offered. */
async function resolve(values: CompletionValues | undefined, words: readonly string[]): Promise<readonly string[]> {
  if (typeof values !== 'function') return values ?? []
  return values(words).catch(() => [])
}
