/** Groups of operations by the second part of their path, in display order. */
const groups = {
  Logistics: 'Shipments: create, list, open, cancel.',
  Account: 'Senders and receivers of shipments.',
  PickupPoints: 'Locations of lockers.',
  Platform: 'Settings of the caller: callbacks and sandbox faults.',
} as const

export const signInTag = 'Sign-in'
export const healthTag = 'Health'

export const tags = [
  { name: signInTag, description: 'OAuth 2 client credentials. All operations require a token.' },
  ...Object.entries(groups).map(([name, description]) => ({ name, description })),
  { name: healthTag, description: 'Probes for operators.' },
]

/** The group of an operation's path. */
export function toTag(path: `/v1/${string}`): string {
  return path.split('/')[2] ?? ''
}
