import type { KeyObject } from 'node:crypto'

/** The key of one person's fields in histories. */
export interface PersonalKey {
  readonly id: string
  readonly key: KeyObject
}

/** A person as a payload names one. */
export interface Person {
  readonly emailAddress?: string
  /** Known once the account exists. */
  readonly userUid?: string
}

/** The keys of persons: the orchestrator's only need of a store, for any service that it drives (D-196). */
export interface PersonalKeys {
  /** Finds or creates the key of a person; undefined if the account was removed. */
  keyFor(person: Person): Promise<PersonalKey | undefined>
  /**
   * Finds a key; undefined if it is forgotten, or if no account got it within 30 days. A forgotten key can be found for
   * another minute, from the cache.
   * @throws CodecError for an id that the store does not know
   */
  find(id: string): Promise<KeyObject | undefined>
  /**
   * Forgets all keys of an account, those that are created later too, and the keys of every address that a payload gave it.
   * Returns their number.
   */
  forget(userUid: string): Promise<number>
  /**
   * Encrypts the keys again that an earlier key of the ring has sealed. Returns their number. It can be repeated, and
   * works while other processes use the store.
   * @throws CodecError if the ring lacks a key
   */
  reseal(): Promise<number>
  /**
   * Reads one row, and deletes the keys that no account got in time, hourly at most.
   * @throws CodecError if the store cannot be read
   */
  check(): Promise<void>
  close(): Promise<void>
}
