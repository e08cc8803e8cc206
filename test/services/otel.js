'use strict'
// otel.js FOLDER OPTIONS: logs in spans with the Bunyan in FOLDER, with
// OpenTelemetry's instrumentation; prints what its stream, a file and a session got.

const fs = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')

const { context, trace } = require('@opentelemetry/api')
const { logs } = require('@opentelemetry/api-logs')
const { BunyanInstrumentation } = require('@opentelemetry/instrumentation-bunyan')
const { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } = require('@opentelemetry/sdk-logs')
const { NodeTracerProvider } = require('@opentelemetry/sdk-trace-node')

const lttng = require('../support/lttng')

const folder = process.argv[2]
const { streams, hook, early = false, enabled = [], ...options } = JSON.parse(process.argv[3])
const file = path.join(folder, `log-${process.pid}`)

const exporter = new InMemoryLogRecordExporter()
logs.setGlobalLoggerProvider(new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] }))
new NodeTracerProvider().register()
const instrumentation = new BunyanInstrumentation({
  ...options,
  ...(hook ? { logHook: (span, record) => { record['service.name'] = span.name } } : {})
})
instrumentation.enable()

const bunyan = createRequire(path.join(folder, 'service.js'))('bunyan')
const STREAMS = { nftrace: () => require('../..'), file: () => ({ level: 'info', stream: { write (line) { fs.appendFileSync(file, line) } } }) }
const traced = streams.includes('nftrace')
const begin = () => lttng.trace({}, ...enabled)
let session = traced && early ? begin() : undefined
const log = bunyan.createLogger({ name: 'otel', streams: streams.split(',').map(name => STREAMS[name]()) })

if (traced && !early) session = begin()
const tracer = trace.getTracer('test')
const spans = {}

function inSpan (name, run) {
  const span = tracer.startSpan(name)
  const { traceId, spanId } = span.spanContext()
  spans[name] = [traceId, spanId]
  context.with(trace.setSpan(context.active(), span), run)
  span.end()
}

log.info('outside')
inSpan('outer', () => {
  log.info({ n: 1 }, 'in outer')
  log.debug('debug in outer')
  inSpan('inner', () => {
    log.info('in inner')
    log.child({ user: 7 }).info('in a child')
  })
})
log.info('outside again')

const sent = exporter.getFinishedLogRecords().map(({ body, severityText, attributes, spanContext }) =>
  ({ body, severityText, attributes, traced: spanContext !== undefined }))
console.log(JSON.stringify({
  spans,
  sent,
  traced: traced ? session.finish().map(lttng.recordOf) : [],
  file: fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n').map(line => JSON.parse(line)) : []
}))
