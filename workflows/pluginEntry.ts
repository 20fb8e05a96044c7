// The entry of the bundle of a worker that has workflows of its own. worker/plugin.ts names their place to the bundler.
import * as own from '__lockerflow_own_workflows'
import flow, { booking, notification, sweep } from './index.ts'

// A module's own exports would silently replace those of `export *`.
const taken = ['booking', 'default', 'notification', 'sweep'].filter(name => name in own)
if (taken.length > 0)
  throw new Error(
    `workflowsPath: must not export ${taken.join(', ')} beside the flows of lockerflow. Rename the export.`,
  )

export * from '__lockerflow_own_workflows'
export { booking, flow as default, notification, sweep }
