import { Pool } from 'pg'
import { capacity } from './places.ts'

/** Sixteen connections keep two cores of a database busy. */
const connections = 16

/**
 * Bookings per second over as many connections as the service has.
 * @param book makes the n-th booking; returns 0 if a concurrent one took the locker, otherwise 1
 */
export async function manyCallers(
  url: string,
  milliseconds: number,
  book: (pool: Pool, n: number) => Promise<number>,
): Promise<number> {
  const pool = new Pool({ connectionString: url, max: connections })
  // The database is dropped right afterwards, possibly before the last connection is closed.
  pool.on('error', () => undefined)
  const started = performance.now()
  let tried = 0
  let booked = 0
  async function caller(): Promise<void> {
    while (tried < capacity && performance.now() - started < milliseconds) {
      const made = await book(pool, tried++)
      booked += made
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  const seconds = (performance.now() - started) / 1_000
  await pool.end()
  return booked / seconds
}
