// Stories on the simulator. Test cases and pages import this.
export { createSimulatedTarget } from './target.ts'
