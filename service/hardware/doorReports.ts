import type { Logger } from 'pino'
import { type DoorEvent, doorEvents } from '#contract'
import { createLogThrottle } from '#platform/logs'
import { inTransaction, type Store } from '../store/index.ts'
import type { AdapterClient } from './adapterClient.ts'
import { closeBrokenLocker } from './brokenLockers.ts'
import { isBroken, type RecordedReport, recordDoorEvent, recordDoorState } from './doorStates.ts'
import type { Door, HardwareAdapter } from './hardware.ts'

export interface DoorReportParts {
  readonly store: Store
  readonly client: Pick<AdapterClient, 'readState'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Pick<Logger, 'warn'>
}

export interface DoorReports {
  /** Records an event, whose signature the caller has verified. */
  receive(adapter: HardwareAdapter, event: DoorEvent): Promise<RecordedReport['outcome']>
  /** Reads the state of a door after a failed opening, and records it in the background. Never throws. */
  inspect(door: Door): void
  /** Waits for the inspections that are under way. */
  stop(): Promise<void>
}

/** Inspections at the same time. An outage of an adapter fails openings faster than the store takes their reports. */
const maxInspections = 32

/** Events of one adapter at one process. */
export interface EventRate {
  readonly perSecond: number
  /** Maximum burst, for example from all doors of a site after an outage. */
  readonly burst: number
}

/** Records what adapters report about doors, and logs what an operator acts on. */
export function createDoorReports({ store, client, clock, log }: DoorReportParts): DoorReports {
  const inspections = new Map<string, Promise<void>>()
  const throttled = createLogThrottle()

  /**
   * Logs a door that became broken, and once per adapter that doors are offline: an offline adapter reports all of its doors.
   * Some adapters report a broken door by an event and by its state.
   */
  function logState(line: ReportedDoor, wasBroken: boolean): void {
    if (line.state === 'broken' && !wasBroken) log.warn({ logId: 'door-broken', ...line }, 'locker door broken')
    if (line.state === 'offline') {
      throttled(`${line.adapter}`, suppressed =>
        log.warn({ logId: 'door-offline', ...line, suppressed }, 'locker door offline'),
      )
    }
  }

  async function receive(adapter: HardwareAdapter, event: DoorEvent): Promise<RecordedReport['outcome']> {
    const { pupUid, lockerUid, openId, reason } = event
    const report = { ...event, state: doorEvents[event.event] }
    const recorded = await inTransaction(store, async tx => {
      const now = clock()
      const wasBroken = report.state === 'broken' && (await isBroken(tx, lockerUid))
      const result = await recordDoorEvent(tx, report, now)
      if (result.outcome === 'recorded' && report.state === 'broken') await closeBrokenLocker(tx, event, now)
      return { ...result, wasBroken }
    })
    if (recorded.outcome !== 'recorded') return recorded.outcome
    const line = { adapter: adapter.name, pupUid, lockerUid, state: report.state, reason }
    if (event.event === 'forced') log.warn({ logId: 'door-forced', ...line }, 'locker door forced')
    if (recorded.openedLate) log.warn({ logId: 'door-opened-late', ...line, openId }, 'locker door opened late')
    logState(line, recorded.wasBroken)
    return recorded.outcome
  }

  async function readAndRecord(door: Door): Promise<void> {
    const { pupUid, lockerUid, lockerName } = door
    try {
      const { lockerUid: answering, state, sequence, reason } = await client.readState(door)
      if (answering !== lockerUid) return
      const report = { pupUid, lockerUid, state, sequence, reason }
      const { isRecorded, wasBroken } = await inTransaction(store, async tx => {
        const now = clock()
        const before = state === 'broken' && (await isBroken(tx, lockerUid))
        const result = await recordDoorState(tx, report, now)
        if (result && state === 'broken') await closeBrokenLocker(tx, door, now)
        return { isRecorded: result, wasBroken: before }
      })
      if (isRecorded) logState({ ...report, adapter: undefined }, wasBroken)
    } catch (error) {
      throttled('inspection', suppressed =>
        log.warn(
          { logId: 'door-not-read', pupUid, lockerUid, lockerName, err: error, suppressed },
          'locker door not read',
        ),
      )
    }
  }

  return {
    receive,
    inspect(door) {
      const { lockerUid } = door
      if (inspections.has(lockerUid) || inspections.size >= maxInspections) return
      inspections.set(
        lockerUid,
        readAndRecord(door).finally(() => inspections.delete(lockerUid)),
      )
    },
    async stop() {
      await Promise.all(inspections.values())
    },
  }
}

interface ReportedDoor {
  readonly adapter: string | undefined
  readonly pupUid: string
  readonly lockerUid: string
  readonly state: string
  readonly reason?: string | null | undefined
}
