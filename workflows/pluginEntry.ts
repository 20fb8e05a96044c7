// The entry of the bundle of a worker that has workflows of its own. worker/plugin.ts names their place to the bundler.
import * as own from '__lockerflow_own_workflows'
import * as flows from './index.ts'

// Two exports of one name silently hide each other.
const taken = Object.keys(flows).filter(name => Object.hasOwn(own, name))
if (taken.length > 0)
  throw new Error(
    `workflowsPath: must not export ${taken.join(', ')} beside the flows of lockerflow. Rename the export.`,
  )

export * from '__lockerflow_own_workflows'
export * from './index.ts'
export { default } from './index.ts'
