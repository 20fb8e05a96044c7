import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseAst } from 'vitest/node'
import { type Node, root, walk } from '../../project/sources.ts'

/** The beginning of an instrumented function. */
export interface FunctionCall {
  /** Path below the root. */
  readonly file: string
  /** Set for functions that have a name of their own. */
  readonly name?: string | undefined
  readonly isAsync: boolean
}

/** Receives the calls of instrumented functions. */
export interface Recorder {
  enter(call: FunctionCall): unknown
  /** Called when a synchronous function returns or throws, with the result of its `enter`. */
  exit(token: unknown): void
}

type FunctionNode = Node & {
  start: number
  end: number
  async: boolean
  generator: boolean
  id: { name: string } | null
  body: FunctionNode | null
}

/** Makes every function in these folders of the project report its calls. It affects modules imported afterwards. */
export function instrument(folders: readonly string[], recorder: Recorder): void {
  Object.assign(globalThis, {
    __enter: (call: FunctionCall) => recorder.enter(call),
    __exit: (token: unknown, value?: unknown) => {
      recorder.exit(token)
      return value
    },
  })
  const prefixes = folders.map(folder => `${pathToFileURL(join(root, folder)).href}/`)
  registerHooks({
    load(url, context, nextLoad) {
      if (!prefixes.some(prefix => url.startsWith(prefix)) || !url.endsWith('.ts')) return nextLoad(url, context)
      const path = fileURLToPath(url)
      const source = withCalls(readFileSync(path, 'utf8'), path.slice(root.length).replace(/^\//, ''))
      return { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}

/** Adds a report to the start of each function and to the end of each synchronous one. */
function withCalls(source: string, file: string): string {
  const insertions: { at: number; text: string; order: number }[] = []
  for (const node of walk(parseAst(source, { lang: 'ts' })) as FunctionNode[]) {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) || !node.body) continue
    const { body, start } = node
    const isAsync = node.async || node.generator
    const enter = `__enter(${JSON.stringify({ file, name: node.id?.name, isAsync } satisfies Partial<FunctionCall>)})`
    const isBlock = body.type === 'BlockStatement'
    if (isBlock && isAsync) insertions.push({ at: body.start + 1, text: `${enter};`, order: start })
    else if (isBlock) {
      const call = `__call${start}`
      // A constructor that calls `super()` reports its start only.
      if (source.slice(body.start, body.end).includes('super(')) {
        insertions.push({ at: body.start + 1, text: `__exit(${enter});`, order: start })
        continue
      }
      insertions.push({ at: body.start + 1, text: `const ${call} = ${enter}; try {`, order: start })
      insertions.push({ at: body.end - 1, text: `} finally { __exit(${call}) }`, order: -start })
    } else if (isAsync) {
      insertions.push({ at: body.start, text: `(${enter}, `, order: start })
      insertions.push({ at: body.end, text: ')', order: -start })
    } else {
      insertions.push({ at: body.start, text: `__exit(${enter}, `, order: start })
      insertions.push({ at: body.end, text: ')', order: -start })
    }
  }
  let text = source
  const sorted = insertions.toSorted((one, other) => other.at - one.at || other.order - one.order)
  for (const { at, text: inserted } of sorted) text = text.slice(0, at) + inserted + text.slice(at)
  return text
}
