import { reachability, shipmentMachine, shipmentTransitions } from '#contract/machines'
import { stateCodes, states } from '#contract/terms'
import { callbacksSection } from './callbacks.ts'
import { linksSection } from './links.ts'
import { generated, table } from './markdown.ts'

const transitions = shipmentTransitions()

/** docs/reference/shipments.md: the machine of a shipment, what linked shipments do to each other, and callbacks. */
export function shipmentsPage(): string {
  return `${[generated, introduction, picture(), meanings(), events(), after(), links, linksSection(), callbacksSection()].join('\n\n')}\n`
}

function picture(): string {
  const arrows = transitions.map(({ from, event, to, guard }) => `  ${from} --> ${to}: ${event}${condition(guard)}`)
  const ends = stateCodes.filter(code => states[code].final).map(code => `  ${code} --> [*]`)
  return ['```mermaid', 'stateDiagram-v2', ...arrows, ...ends, '```'].join('\n')
}

function condition(guard: string | undefined): string {
  return guard === undefined ? '' : ` [${guard}]`
}

function meanings(): string {
  const rows = stateCodes.map(code => [
    `\`${code}\``,
    shipmentMachine.states[code]?.description ?? '',
    states[code].final ? 'yes' : '',
  ])
  return ['## States', table(['state', 'meaning', 'final'], rows)].join('\n\n')
}

function events(): string {
  const rows = transitions.map(({ from, event, to, guard, description }) => [
    `\`${from}\``,
    `\`${event}\`${condition(guard)}`,
    `\`${to}\``,
    description,
  ])
  return [
    '## Events',
    'If several rows have the same state and event, the first one whose guard (in brackets) holds applies.',
    table(['from', 'event', 'to', 'meaning'], rows),
  ].join('\n\n')
}

function after(): string {
  const reachable = reachability()
  const rows = stateCodes.map(code => [
    `\`${code}\``,
    reachable[code].map(next => `\`${next}\``).join(', ') || 'nothing',
  ])
  return [
    '## Reachable states',
    'Callbacks report states, not events. A flow accepts a callback if its state can follow the current one.',
    table(['state', 'reachable states, over any number of events'], rows),
  ].join('\n\n')
}

const introduction = `# Shipments

A shipment is a booking of a locker. Its states and events are one xstate machine (\`contract/machines/shipment.ts\`), from which
this picture is made. [Stately's editor](https://stately.ai/editor) opens that file. The service applies the machine inside
the transaction of each event.`

const links = `## Links

A shipment can follow another one and then shares its locker (\`contract/machines/links.ts\`).

| link | advances when | to |
|---|---|---|
| swap | the swapped shipment is ReadyForPickup | ReadyForDropOff; its delivery code is the pick up code of the swapped shipment |
| subsequent | the prior shipment is Completed | ReadyForDropOff |
| circular | its intake is dropped off, which completes the intake | ReadyForPickup, without a receiver: stock |

- A locker passes to one shipment, so a shipment has at most one swap or subsequent shipment.
- While a swapped shipment is ReadyForPickup, one opening with the common code picks it up and drops off the other item.
- Cancelling a shipment also cancels its followers that hold no item. Cancelling a circular stock leaves its intake as an
  ordinary one.`
