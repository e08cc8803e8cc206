import bunyan = require('bunyan')
import nftrace = require('nftrace')
import pino = require('pino')

const log = bunyan.createLogger({ name: 'types', streams: [nftrace, nftrace.stream({ level: 'debug', maxRecordBytes: 2048 })] })
log.addStream(nftrace.stream({ type: 'stream', fallback: process.stdout, name: 'x' }))
const open: boolean = nftrace.enabled('debug') && nftrace.enabled(20)
const reason: string | null = nftrace.reason
const options: nftrace.StreamOptions = { level: 30, redact: ['req.headers.authorization'] }
nftrace.stream.write('{}\n')
const pinoLog: pino.Logger = pino(nftrace.pino({ level: 'debug', fallback: process.stdout }))
pino({ name: 'types' }, nftrace.pino()).info({ pinoLog: pinoLog.level }, 'typed')
// @ts-expect-error: no such option
nftrace.pino({ name: 'x' })
// @ts-expect-error: no such type
nftrace.stream({ type: 'file' })
// @ts-expect-error: no such option
nftrace.stream({ max: 1 })
// @ts-expect-error: no such level
nftrace.enabled('loud')
// @ts-expect-error: it can't be set
nftrace.available = true
export = { log, open, reason, options }
