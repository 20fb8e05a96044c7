/** Groups of operations by the second part of their path, in the order in which they are shown. */
const groups = {
  Logistics: 'Shipments: booked, looked at, opened, cancelled.',
  Account: 'The people that shipments come from and go to.',
  PickupPoints: 'Where the lockers are.',
  Platform: 'What concerns the caller itself: where its callbacks go, and what its sandbox does.',
} as const

export const signInTag = 'Sign-in'
export const healthTag = 'Health'

export const tags = [
  { name: signInTag, description: 'OAuth 2 client credentials: a token first, then everything else.' },
  ...Object.entries(groups).map(([name, description]) => ({ name, description })),
  { name: healthTag, description: 'For whoever runs the service.' },
]

/** The group of an operation's path. */
export function tagOf(path: `/v1/${string}`): string {
  return path.split('/')[2] ?? ''
}
