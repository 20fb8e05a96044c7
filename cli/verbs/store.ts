import { script } from '../command/script.ts'
import type { Verb } from '../command/verb.ts'

/** Verbs that change the store of the service directly, so they also work while no service runs. */
export const storeVerbs: readonly Verb[] = [
  {
    name: 'clients',
    summary: 'List, add, change or remove API clients and their secrets.',
    example: 'lockerflow clients list',
    passThrough: true,
    load: script(() => import('../clients.ts')),
  },
  {
    name: 'lockers',
    summary: 'List lockers, or take them out of service and back.',
    example: 'lockerflow lockers list',
    passThrough: true,
    load: script(() => import('../lockers.ts')),
  },
  {
    name: 'topology',
    summary: 'Preview or apply a topology file.',
    example: 'lockerflow topology preview topology.yaml',
    passThrough: true,
    load: script(() => import('../topology.ts')),
  },
  {
    name: 'secrets',
    summary: 'List or rotate the keys that encrypt secrets in the store.',
    example: 'lockerflow secrets list',
    passThrough: true,
    load: script(() => import('../secrets.ts')),
  },
  {
    name: 'audit',
    summary: 'Export the audit log, or add the decisions about flows to it.',
    example: 'lockerflow audit export --since 30d',
    passThrough: true,
    load: script(() => import('../audit.ts')),
  },
  {
    name: 'person',
    summary: 'Export or erase the data of a person.',
    example: 'lockerflow person export --user user-1',
    passThrough: true,
    load: script(() => import('../person.ts')),
  },
  {
    name: 'copy',
    aliases: ['move'],
    summary: 'Copy the embedded store to an empty PostgreSQL database.',
    example: 'lockerflow copy file:.lockerflow/service.db postgres://user:secret@host:5432/database',
    passThrough: true,
    load: script(() => import('../move.ts')),
  },
  {
    name: 'forget',
    summary: 'Forget the keys of a person, for a service other than our own.',
    example: 'lockerflow forget user-1',
    passThrough: true,
    load: script(() => import('../forget.ts')),
  },
]
