// The limits of what callers use: a rate, work at the same time, and shares of the work of a process. Service and gateway import this.
export { createShares, type RunInShare, type Shares } from './fairShares.ts'
export { createRateLimiter, type RateLimit, type RateLimiter } from './rateLimiter.ts'
export { createSemaphore, type Semaphore } from './semaphore.ts'
export { createUsage, type Usage } from './usage.ts'
