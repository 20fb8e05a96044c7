// Baseline on the embedded store: find a locker, mark it, insert the shipment and its callback in one transaction.
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { serveJobs } from '../child.ts'
import { bookingAt, capacity, lockerNames, points } from './places.ts'

export interface BareJob {
  /** A path, or a `postgres://` URL. */
  readonly store: string
  readonly milliseconds: number
}

serveJobs(async ({ store, milliseconds }: BareJob): Promise<number> => {
  const database = new DatabaseSync(store)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec(`
    create table if not exists lockers (uid text primary key, pup text, volume real, booked integer);
    create index if not exists free on lockers (pup, booked, volume);
    create table if not exists shipments (seq integer primary key autoincrement, uid text unique, pup text, locker text,
      state text, created integer, pick_up_code text, delivery_code text);
    create table if not exists outbox (seq integer primary key autoincrement, shipment text, body text);
    delete from lockers; delete from shipments; delete from outbox;`)
  const locker = database.prepare('insert into lockers values (?, ?, ?, 0)')
  database.exec('begin')
  for (const pup of points()) for (const name of lockerNames()) locker.run(`${pup}:${name}`, pup, 96_000)
  database.exec('commit')

  const begin = database.prepare('begin immediate')
  const take = database.prepare(`update lockers set booked = 1 where uid =
    (select uid from lockers where pup = ? and booked = 0 and volume >= ? order by volume limit 1) returning uid`)
  const ship = database.prepare(`insert into shipments (uid, pup, locker, state, created, pick_up_code, delivery_code)
    values (?, ?, ?, 'ReadyForDropOff', ?, '123456', '654321')`)
  const queue = database.prepare('insert into outbox (shipment, body) values (?, ?)')
  const commit = database.prepare('commit')
  const started = performance.now()
  let booked = 0
  for (; booked < capacity && performance.now() - started < milliseconds; booked++) {
    const { PupUid } = bookingAt(booked)
    const uid = randomUUID()
    begin.run()
    const taken = take.get(PupUid, 24_000)
    ship.run(uid, PupUid, String(taken?.uid), Date.now())
    queue.run(uid, JSON.stringify({ messageType: 'ShipmentStatusUpdate', message: { shipmentUid: uid } }))
    commit.run()
  }
  const seconds = (performance.now() - started) / 1_000
  database.close()
  return booked / seconds
})
