// The metrics of the service. Loaded by its process if they are on; the rest of the service knows only the observer's type.
export { createObserver } from './createObserver.ts'
