import { startTelemetry } from '#telemetry'
import { readEnvironment } from './environment.ts'
import { startGateway } from './gateway.ts'

try {
  const settings = readEnvironment()
  const telemetry = await startTelemetry('gateway', reason =>
    settings.log.warn({ logId: 'telemetry-not-exported', reason }, 'telemetry not exported'),
  )
  // Not loaded without metrics.
  const observer = telemetry.metrics ? (await import('./metrics.ts')).createObserver(settings.log) : undefined
  const gateway = await startGateway({ ...settings, observer })
  const stop = async () => {
    await gateway.stop()
    await telemetry.stop()
    // A pending call to an unavailable Temporal would keep the process alive for seconds.
    process.exit()
  }
  process.once('SIGTERM', () => void stop()).once('SIGINT', () => void stop())
  // Not awaited: a gateway that is stopped before it is ready must end too.
  void gateway.ready.then(() => {
    const door = gateway.doorAddress === undefined ? '' : `, flows at ${gateway.doorAddress}/flows`
    console.log(`gateway ready: callbacks at ${gateway.address}/callbacks${door}`)
  })
} catch (error) {
  console.error(`gateway: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
