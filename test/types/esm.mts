import nftrace, { available, enabled, stream, type StreamOptions } from 'nftrace'
import bunyan from 'bunyan'

const options: StreamOptions = { maxRecordBytes: 4096 }
export const log = bunyan.createLogger({ name: 'types', streams: [nftrace, stream(options)] })
export const open: boolean = available && enabled('info') && nftrace.available
