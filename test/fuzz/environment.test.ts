import { access, chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findSchemathesis } from './environment.ts'

let folder: string
let cache: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-python-'))
  cache = join(folder, 'cache')
  vi.stubEnv('PATH', folder)
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

/** Creates a `python3` that reports version 3.12 and runs the script for every other call. */
async function python(script: string): Promise<void> {
  const path = join(folder, 'python3')
  await writeFile(path, `#!/bin/sh\n[ "$1" = -c ] && echo 3.12 && exit 0\n${script}\n`)
  await chmod(path, 0o755)
}

test('a machine without Python gets the required version in the error', async () => {
  await expect(findSchemathesis(cache, () => undefined)).rejects.toThrow('needs Python 3.10 or later')
})

test('a Python that cannot create an environment reports every reason, and leaves nothing behind', async () => {
  await python('echo "No module named $2" >&2; exit 1')
  const finding = findSchemathesis(cache, () => undefined)
  await expect(finding).rejects.toThrow(
    'venv: No module named venv; virtualenv: No module named virtualenv; pip: No module named pip',
  )
  expect(await readdir(cache)).toEqual([])
})

test('a Python with only pip gets one folder of packages', async () => {
  // The last argument is the folder.
  await python('[ "$2" = pip ] || exit 1\nfor last; do :; done\n/bin/mkdir -p "$last"; echo >> "$last/times"')
  const found = await findSchemathesis(cache, () => undefined)
  expect(found.python.command).toBe('python3')
  await access(join(found.python.variables.PYTHONPATH ?? '', 'times'))
  const lines: string[] = []
  expect(await findSchemathesis(cache, line => lines.push(line))).toEqual(found)
  expect(lines).toEqual([])
})
