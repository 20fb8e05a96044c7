export * from '../../testing/wire.ts'
