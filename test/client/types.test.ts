import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = ['typed', 'typedOwnFlows'] as const
/** Ignored by git; inside the package, so that its doors resolve. */
const copies = `${root}.lockerflow/types-${process.pid}`
const directive = /^\s*\/\/ @ts-expect-error/

test('the compiler rejects exactly the calls below a directive', async () => {
  mkdirSync(copies, { recursive: true })
  try {
    const expected = sources.flatMap(name => {
      const lines = readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8').split('\n')
      writeFileSync(`${copies}/${name}.ts`, lines.map(line => line.replace('@ts-expect-error', '')).join('\n'))
      const rejected = lines.flatMap((line, index) => (directive.test(line) ? [`${name}.ts:${index + 2}`] : []))
      expect(rejected.length).toBeGreaterThan(8)
      return rejected
    })
    expect(await rejectedLines(sources.map(name => `${copies}/${name}.ts`))).toEqual(expected)
  } finally {
    rmSync(copies, { recursive: true })
  }
})

/** File and line of each place that the compiler rejects, with the options of the project. */
async function rejectedLines(files: readonly string[]): Promise<string[]> {
  const { compilerOptions } = JSON.parse(readFileSync(`${root}tsconfig.json`, 'utf8'))
  const config = `${copies}/tsconfig.json`
  const paths = { 'lockerflow/*': [`${root}*/index.ts`] }
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: { ...compilerOptions, paths, typeRoots: [`${root}node_modules/@types`] },
      files,
    }),
  )
  const output = await new Promise<string>(resolve => {
    execFile(`${root}node_modules/.bin/tsc`, ['-p', config, '--pretty', 'false'], { cwd: root }, (_, stdout) =>
      resolve(stdout),
    )
  })
  const found = [...output.matchAll(/^(\S+)\((\d+),\d+\): error/gm)]
  return [...new Set(found.map(([, path = '', line]) => `${basename(path)}:${line}`))]
}
