import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { permissions } from '../../../service/suggestions/reading/readInProcess.ts'

const root = process.cwd()

test('the process that reads a file has access to the code that reads it, and to nothing else', async () => {
  const questions: readonly [scope: string, reference?: string][] = [
    ['fs.read', join(root, 'service/suggestions/reading/main.ts')],
    ['fs.read', join(root, 'node_modules/@e965/xlsx/xlsx.mjs')],
    ['fs.read', join(root, '.env')],
    ['fs.read', join(root, '.lockerflow/service.db')],
    ['fs.read', '/etc/passwd'],
    ['fs.write', join(root, 'service/main.ts')],
    ['fs.write', join(tmpdir(), 'file')],
    ['child'],
    ['worker'],
    ['addon'],
  ]
  const script = `console.log(JSON.stringify(${JSON.stringify(questions)}.map(question => process.permission.has(...question))))`
  const { stdout } = await promisify(execFile)(process.execPath, [...permissions, '--eval', script], { env: {} })
  expect(JSON.parse(stdout)).toEqual([true, true, ...questions.slice(2).map(() => false)])
})
