import { expect, test } from 'vitest'
import type { ActivitiesFor } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'

// Each @ts-expect-error is an assertion of `npm run types`.

const label = {
  name: 'label',
  summary: 'The label is printed.',
  run: 'printLabel',
  with: { device: { from: 'intake.shipmentUid' } },
  keep: { labelNo: 'text', pages: 'integer' },
  undo: 'voidLabel',
  timeout: '30s',
} as const
const shop = {
  name: 'shop',
  summary: 'A device is repaired.',
  steps: [
    { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsIntake' },
    label,
    { ...label, name: 'repair', run: 'repair', undo: 'nothing', taskQueue: 'workbench' },
  ],
} as const satisfies FlowDeclaration

test('activities have the results of their steps, and undo them', () => {
  const activities: ActivitiesFor<typeof shop> = {
    printLabel: async ({ device }: { device: string }, { key }) => ({ labelNo: `${device} ${key}`, pages: 1 }),
    voidLabel: async ({ output }) => output?.labelNo.length,
  }
  const wrong: Record<string, Partial<ActivitiesFor<typeof shop>>> = {
    // @ts-expect-error the result has no pages
    field: { printLabel: async () => ({ labelNo: 'L-1' }) },
    // @ts-expect-error pages are a number
    type: { printLabel: async () => ({ labelNo: 'L-1', pages: 'one' }) },
    // @ts-expect-error the step keeps no labelUid
    undo: { voidLabel: async ({ output }) => output?.labelUid },
  }
  // @ts-expect-error the flow undoes its label
  const missing: ActivitiesFor<typeof shop> = { printLabel: activities.printLabel }
  // @ts-expect-error another worker runs it
  const other: ActivitiesFor<typeof shop> = { ...activities, repair: activities.printLabel }
  expect([activities, ...Object.values(wrong), missing, other]).toHaveLength(6)
})
