// Node 20 lacks `glob`: a named import would fail before the check of the version runs.
import fileSystem, { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Files of one pattern. */
const maxFiles = 1_000

/** Characters and braces of a pattern. Each of the alternatives that its braces stand for is looked up by itself. */
const [maxLength, maxBraces] = [200, 3]

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
  const braces = pattern.match(/\{/g)?.length ?? 0
  if (pattern.length > maxLength || braces > maxBraces || /\{-?\w+\.\.-?\w/.test(pattern)) {
    const fault = `must have at most ${maxLength} characters and ${maxBraces} braces, without ranges such as {1..9}.`
    return { pattern, files: [], fault }
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
