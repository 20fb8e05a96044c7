// Node 20 lacks `glob`: a named import would fail before the check of the version runs.
import fileSystem, { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Files of one pattern. */
const maxFiles = 1_000

/** Patterns that the braces of a pattern stand for: `{a,b}.{ts,yaml}` for four. Each is looked up by itself. */
const maxAlternatives = 100

/** The files of a path or pattern. */
export interface FoundFiles {
  readonly pattern: string
  /** In the order of their names. */
  readonly files: readonly string[]
  /** A sentence with a full stop: `must match a file.` */
  readonly fault?: string
}

/** The files that paths and patterns such as `./flows/*.{ts,yaml}` name, each pattern once. */
export function findFiles(patterns: readonly string[], folder: string): Promise<FoundFiles[]> {
  return Promise.all([...new Set(patterns)].map(pattern => find(pattern, folder)))
}

async function find(pattern: string, folder: string): Promise<FoundFiles> {
  // The name of a file may have the characters of a pattern.
  if (!/[*?{}[\]]/.test(pattern) || (await isFile(resolve(folder, pattern)))) {
    return { pattern, files: [resolve(folder, pattern)] }
  }
  if (countAlternatives(pattern) > maxAlternatives) {
    return { pattern, files: [], fault: `must have braces for at most ${maxAlternatives} alternatives.` }
  }
  const files: string[] = []
  for await (const entry of fileSystem.glob(pattern, { cwd: folder, withFileTypes: true })) {
    if (!entry.isDirectory()) files.push(resolve(folder, join(entry.parentPath, entry.name)))
    if (files.length > maxFiles) return { pattern, files: [], fault: `must match at most ${maxFiles} files.` }
  }
  return files.length === 0 ? { pattern, files, fault: 'must match a file.' } : { pattern, files: files.toSorted() }
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isFile(),
    () => false,
  )
}

/** At least as many as the braces of a pattern have. A brace that is not closed counts too, since those in it are expanded. */
function countAlternatives(pattern: string): number {
  const open: { sum: number; product: number }[] = []
  let current = { sum: 0, product: 1 }
  const close = () => {
    const { sum, product } = current
    current = open.pop() ?? { sum: 0, product: 1 }
    current.product *= sum + product
  }
  for (const [mark, from, to] of pattern.matchAll(/(-?\w+)\.\.(-?\w+)|[{,}]/g)) {
    if (mark === '{') {
      open.push(current)
      current = { sum: 0, product: 1 }
    } else if (mark === ',') current = { sum: current.sum + current.product, product: 1 }
    else if (mark === '}') close()
    else current.product *= rangeLength(from, to)
  }
  while (open.length > 0) close()
  return current.sum + current.product
}

/** `1..12` stands for 12 numbers, `a..f` for six letters. */
function rangeLength(from = '', to = ''): number {
  const [first, last] = [from, to].map(end => (/^-?\d+$/.test(end) ? Number(end) : end.charCodeAt(0)))
  return 1 + Math.abs((last ?? 0) - (first ?? 0))
}
