import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = fileURLToPath(new URL('typed.ts', import.meta.url))
/** Ignored by git; inside the package, so that its doors resolve. */
const copy = `${root}.lockerflow/typed-${process.pid}.ts`
const directive = /^\s*\/\/ @ts-expect-error/

test('the compiler rejects exactly the calls below a directive', { timeout: 120_000 }, async () => {
  const lines = readFileSync(source, 'utf8').split('\n')
  const expected = lines.flatMap((line, index) => (directive.test(line) ? [index + 2] : []))
  expect(expected.length).toBeGreaterThan(10)
  mkdirSync(`${root}.lockerflow`, { recursive: true })
  writeFileSync(copy, lines.map(line => line.replace('@ts-expect-error', '')).join('\n'))
  try {
    expect(await rejectedLines(copy)).toEqual(expected)
  } finally {
    rmSync(copy)
  }
})

/** Lines of a file that the compiler rejects, with the options of the project. */
async function rejectedLines(file: string): Promise<number[]> {
  const { compilerOptions } = JSON.parse(readFileSync(`${root}tsconfig.json`, 'utf8'))
  const config = `${file}on`
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: { ...compilerOptions, typeRoots: [`${root}node_modules/@types`] },
      files: [file],
    }),
  )
  const output = await new Promise<string>(resolve => {
    execFile(`${root}node_modules/.bin/tsc`, ['-p', config, '--pretty', 'false'], { cwd: root }, (_, stdout) =>
      resolve(stdout),
    )
  })
  rmSync(config)
  const found = [...output.matchAll(/^(\S+)\((\d+),\d+\): error/gm)]
  return [...new Set(found.map(([, path, line]) => (path?.includes('typed-') ? Number(line) : -1)))]
}
