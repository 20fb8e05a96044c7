import { randomBytes } from 'node:crypto'
import { startSimulator } from '#service/adapter'
import { demoTopology, listDoors, type Settings } from '#service'
import { ip } from './ports.ts'
import type { Starter } from './starter.ts'

/** A simulator of the locker hardware, and the settings with which the service opens doors through it. */
export interface HardwareOfStack {
  readonly address: string
  readonly settings: Pick<Settings, 'hardwareAdapters'>
  /** The simulator starts before the service, which has to know it. */
  sendEventsTo(serviceAddress: string): void
}

/** Milliseconds after which a door closes. */
const closeAfter = 5_000

export async function startHardware(starter: Starter, port: number): Promise<HardwareOfStack> {
  const key = randomBytes(24).toString('base64url')
  let eventsUrl: string | undefined
  const starting = startSimulator({
    host: ip,
    port,
    keys: [key],
    eventsUrl: () => eventsUrl,
    closeAfter,
    doors: listDoors(demoTopology),
  })
  const { address } = await starter.start('the hardware simulator', starting, part => part.stop())
  return {
    address,
    settings: { hardwareAdapters: [{ name: undefined, url: address, keys: [key], pickUpPoints: undefined }] },
    sendEventsTo(serviceAddress) {
      eventsUrl = `${serviceAddress}/hardware/events`
    },
  }
}
