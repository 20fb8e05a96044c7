import { expect, test } from 'vitest'
import type { FlowDeclaration } from '#flows'
import { edgeDiagram, flowDiagram, flowSvg } from '#flows/check'

const flow: FlowDeclaration = {
  name: 'words',
  summary: 'Steps have the names of words and nodes of Mermaid.',
  steps: [
    { name: 'start', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsIssue' },
    { name: 'class', summary: 'It is placed.', wait: { issue: 'ReadyForPickup' }, window: '2d', onTimeout: 'cancel' },
    { name: 'style', summary: 'It stays for an hour.', sleep: '1h' },
    { name: 'completed', summary: 'It is collected.', wait: { issue: 'Completed' }, window: '2d', onTimeout: 'ask' },
  ],
}

test('a step that is called as a word or another node of Mermaid has an id of its own', () => {
  expect(flowDiagram(flow, { at: 'style' }).split('\n').slice(2, -5)).toEqual([
    '  start([words]) --> start_',
    '  start_["start"]',
    '  class_["class"]',
    '  style_(["style"])',
    '  completed_["completed"]',
    '  start_ -->|booked| class_',
    '  class_ -->|issue ReadyForPickup| style_',
    '  class_ -.->|2d pass| expired',
    '  style_ -->|1h pass| completed_',
    '  completed_ -->|issue Completed| completed',
    '  completed_ -.->|2d pass: ask| completed_',
  ])
  expect(flowDiagram(flow, { at: 'style' })).toContain('  class start_,class_ done\n  class style_ current\n')
  expect(edgeDiagram(flow, () => true)).toContain('  completed_ -->|reached| completed\n')
})

test('the SVG picture of a flow has its windows, and an arrow past the steps that a way leaves out', () => {
  const way = { ...flow.steps[1], onTimeout: { goTo: 'completed' } }
  const svg = flowSvg({
    ...flow,
    steps: flow.steps.map((step, index) => (index === 1 ? way : step)),
  } as FlowDeclaration)
  for (const text of ['2d, then completed', '1h', '2d, then ask']) expect(svg).toContain(`>${text}</text>`)
  expect(svg.match(/<path d="M150 /g)).toHaveLength(4)
  expect(svg.match(/<path d="M110 /g)).toHaveLength(1)
})

test('a picture escapes the characters that Mermaid reads as entities or HTML', () => {
  const step = {
    name: 'offer',
    summary: 'Someone answers.',
    who: 'desk #2 <b>"main"</b>',
    ask: { yes: {} },
    window: null,
  } as const
  const when = { 'input.no': '#1 <i>' }
  const run = {
    name: 'pay',
    summary: 'It is paid.',
    run: 'pay',
    with: {},
    keep: {},
    undo: 'nothing',
    timeout: '5s',
  } as const
  const steps = [step, { ...run, onError: { 'Card#2': { goTo: 'end' } } }, { ...flow.steps[2], name: 'rest', when }]
  const texts: FlowDeclaration = { name: 'texts', summary: 'Texts.', input: { no: 'text' }, steps } as FlowDeclaration
  const picture = flowDiagram(texts)
  expect(picture).toContain('  offer{{"offer: desk #35;2 #lt;b#gt;#quot;main#quot;#lt;/b#gt;"}}')
  expect(picture).toContain('|"done, no is #35;1 #lt;i#gt;"| rest')
  expect(edgeDiagram(texts, () => true)).toContain('|"Card#35;2"| completed')
})
