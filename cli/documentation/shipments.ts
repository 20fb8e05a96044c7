import { stateCodes, states } from '#contract/terms'
import { reachability, shipmentMachine } from '#machines'
import { linksSection } from './links.ts'
import { generated, table } from './markdown.ts'

/** A transition as the machine's configuration writes it. */
interface Step {
  readonly target?: string
  readonly guard?: unknown
}

/** docs/shipments.md: the machine of a shipment, and what linked shipments do to each other. */
export function shipmentsPage(): string {
  return `${[generated, introduction, picture(), after(), links, linksSection()].join('\n\n')}\n`
}

function picture(): string {
  const arrows = Object.entries(shipmentMachine.config.states ?? {}).flatMap(([from, { on }]) =>
    Object.entries(on ?? {}).flatMap(([event, steps]) =>
      [steps].flat().map(step => arrow(from, event, typeof step === 'string' ? { target: step } : (step as Step))),
    ),
  )
  const ends = stateCodes.filter(code => states[code].final).map(code => `  ${code} --> [*]`)
  return ['```mermaid', 'stateDiagram-v2', ...arrows, ...ends, '```'].join('\n')
}

function arrow(from: string, event: string, { target, guard }: Step): string {
  const condition = typeof guard === 'string' ? ` [${guard}]` : ''
  return `  ${from} --> ${target ?? from}: ${event}${condition}`
}

function after(): string {
  const rows = stateCodes.map(code => [
    `\`${code}\``,
    reachability()
      [code].map(next => `\`${next}\``)
      .join(', ') || 'nothing',
  ])
  return [
    '## What can come after',
    'This is what a flow judges callbacks by: they tell a state and not an event.',
    table(['state', 'states that can follow, over any number of steps'], rows),
  ].join('\n\n')
}

const introduction = `# The shipment

A shipment is a locker booking. Its states and events are one xstate machine (\`machines/shipment.ts\`); this picture is
made from it. The service applies the machine inside its transaction.`

const links = `## Links

A shipment can come after another one, and then shares its locker (\`machines/links.ts\`).

| link | its turn comes when | and then it is |
|---|---|---|
| swap | the swapped shipment is ReadyForPickup | ReadyForDropOff; its delivery code is the swapped one's pick up code, always |
| subsequent | the prior shipment is Completed | ReadyForDropOff |
| circular | its intake is dropped off; the intake is then Completed | ReadyForPickup, without a receiver: stock |

- Only one shipment can take a locker over, so a shipment that has a swap or a subsequent one cannot get another.
- While a swapped shipment is ReadyForPickup, any access with the common code is the pick up of the one and the drop off of the other.
- Cancelling a shipment cancels those that come after it and hold no item, and theirs. Cancelling a circular stock leaves its intake, which is then an ordinary one.`
