import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkFlows, describeFault, loadFlows } from '#flows/check'
import { checkStory } from '#testing/cases'
import { closeWorlds, type StoryEvent, simulate } from '#testing/simulator'
import { root } from '../project/sources.ts'

const page = readFileSync(join(root, 'docs/how-to/declare-a-flow.md'), 'utf8')
const [, text = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
const [, program = ''] = /```ts activities\.ts\n(.*?)```/s.exec(page) ?? []
const activities = [...program.matchAll(/export async function (\w+)/g)].map(([, name = '']) => name)

test('the declaration of the page has no fault with the activities of the page', () => {
  expect(checkFlows([parse(text)], { activities })).toEqual([])
})

test('the flow of the README has no fault', () => {
  const [, flow = ''] = /```yaml\n(.*?)```/s.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  expect(checkFlows([parse(flow)], { activities })).toEqual([])
})

test('the fault of the page is the one of its declaration without the condition, in its line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  try {
    await mkdir(join(folder, 'flows'))
    await writeFile(join(folder, 'flows/sparePart.yaml'), text.replace(/ +when:.*\n/, ''))
    const { faults } = await loadFlows(['./flows/*.yaml'], { folder, activities })
    expect(faults).toHaveLength(1)
    expect(page.split('\n')).toContain(faults.map(describeFault).join())
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the story of the page orders the part', async () => {
  const [, story = ''] = /```yaml\n(runs:.*?)```/s.exec(page) ?? []
  const checked = checkStory(parse(story))
  if (!checked.ok) throw new Error(JSON.stringify(checked.findings))
  const sparePart = parse(text)
  const [, request = '{}'] = /```json\n(.*?)```/s.exec(page) ?? []
  const run = await simulate({
    flow: 'sparePart',
    flows: { sparePart },
    request: JSON.parse(request),
    story: checked.value.story as readonly StoryEvent[],
    ...(checked.value.runs && { runs: checked.value.runs }),
  })
  await closeWorlds()
  expect(run).toMatchObject({ outcome: 'completed', timeLine: expect.not.arrayContaining([{ kind: 'refused' }]) })
  expect(run.timeLine.at(-1)).toMatchObject({ kind: 'completed', result: { orderNo: 'O-1' } })
})
