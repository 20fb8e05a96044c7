/** What a person does at a locker, by the state that waits for it. */
export const openings = { ReadyForDropOff: 'dropOff', ReadyForPickup: 'pickUp' } as const

export type Opening = (typeof openings)[keyof typeof openings]
