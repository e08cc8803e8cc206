import nftrace, { available, enabled, pino as destination, stream, type StreamOptions } from 'nftrace'
import bunyan from 'bunyan'
import { pino } from 'pino'

const options: StreamOptions = { maxRecordBytes: 4096 }
export const log = bunyan.createLogger({ name: 'types', streams: [nftrace, stream(options)] })
export const open: boolean = available && enabled('info') && nftrace.available
export const other = pino(destination())
