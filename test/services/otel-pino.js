'use strict'
// otel-pino.js EARLY: logs with pino, nftrace and OpenTelemetry's instrumentation of pino,
// before a session and in one (from the beginning if EARLY is "early"); prints what
// OpenTelemetry was sent, and what was traced.

const { logs } = require('@opentelemetry/api-logs')
const { PinoInstrumentation } = require('@opentelemetry/instrumentation-pino')
const { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } = require('@opentelemetry/sdk-logs')

const lttng = require('../support/lttng')

const exporter = new InMemoryLogRecordExporter()
logs.setGlobalLoggerProvider(new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] }))
new PinoInstrumentation().enable()

const pino = require('pino')
const early = process.argv[2] === 'early' ? lttng.trace() : undefined
const log = pino({ name: 'otel' }, require('../..').pino())
const child = log.child({ user: 7 })
const call = text => {
  for (const logger of [log, child]) for (const level of ['debug', 'info']) logger[level](`${level} ${text}`)
}
call('first')
const session = early ?? lttng.trace()
call('second')

console.log(JSON.stringify({
  sent: exporter.getFinishedLogRecords().map(({ body }) => body),
  traced: session.finish().map(({ payload }) => payload.msg)
}))
