import type { FlowDeclaration } from '#flows/declaration'

/** A flow with steps of its own: a device is brought in, inspected by an activity, and given back when its owner agrees. */
export const inspection = {
  name: 'inspection',
  summary: 'A device is inspected in its locker, and given back.',
  steps: [
    { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsIssue' },
    {
      name: 'dropOff',
      summary: 'The owner brings the device.',
      wait: { issue: 'ReadyForPickup' },
      window: '7d',
      onTimeout: 'cancel',
    },
    {
      name: 'inspect',
      summary: 'The device is inspected.',
      run: 'inspect',
      with: { device: { from: 'issue.shipmentUid' } },
      keep: { report: 'text' },
      undo: { leaves: 'The device is inspected.' },
      timeout: '30s',
    },
    {
      name: 'offer',
      summary: 'The owner agrees.',
      ask: { agree: {} },
      who: 'owner',
      window: '3d',
      onTimeout: 'remind',
    },
    {
      name: 'pickUp',
      summary: 'The owner collects the device.',
      wait: { issue: 'Completed' },
      window: '7d',
      onTimeout: 'remind',
      leaves: 'The device is in the locker.',
    },
  ],
  outputs: { report: 'inspect.report' },
} as const satisfies FlowDeclaration

/** The activity of the step `inspect`, for both sides. */
export async function inspect(): Promise<{ report: string }> {
  return { report: 'no faults' }
}
