import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Connection } from '@temporalio/client'
import { expect, inject, onTestFinished, test } from 'vitest'
import { findTemporalCommand } from '#testing/temporal'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'

test('the command of the page makes an endpoint of the namespace and task queue that it names', async () => {
  const page = await readFile(join(root, 'docs/how-to/call-flows.md'), 'utf8')
  const [line = ''] = /^temporal operator nexus endpoint create .*$/m.exec(page) ?? []
  const { address, namespace } = inject('temporal')
  const name = `page-${randomUUID()}`
  const [, ...words] = line
    .replace('--name lockerflow', `--name ${name}`)
    .replace('--target-namespace lockers', `--target-namespace ${namespace}`)
    .split(' ')
  const command = await findTemporalCommand(progress => console.error(progress))
  await promisify(execFile)(command, [...words, '--address', address], {
    // The command looks for its configuration there.
    env: { ...childEnvironment, HOME: tmpdir() },
  })

  const connection = await Connection.connect({ address })
  onTestFinished(() => connection.close())
  const { operatorService } = connection
  const { endpoints } = await operatorService.listNexusEndpoints({ name })
  const worker = { namespace, taskQueue: 'lockerflow' }
  expect(endpoints).toMatchObject([{ spec: { name, target: { worker } } }])
  for (const { id = null, version = null } of endpoints) await operatorService.deleteNexusEndpoint({ id, version })
})
