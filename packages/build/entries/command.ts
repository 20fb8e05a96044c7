// The installed command `lockerflow`. An older Node cannot parse the program, so it is loaded after the check, and not with it.
import('./neededNode.ts').then(
  () => import('../../../cli/lockerflow.ts'),
  (error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  },
)
