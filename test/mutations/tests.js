'use strict'
// Which tests hold which folder, the cheapest first: C unit tests, by the beginning of
// their names in test/unit/, and files of test/, without .test.js.

module.exports = {
  'native/addon': { files: ['copies', 'module', 'size-limit', 'encode', 'round-trip', 'processes', 'levels', 'direct', 'secrets', 'kill', 'cut-off'] },
  'native/around': { files: ['box-trace', 'box', 'cli-read-around'] },
  'native/base': { units: 'base', files: ['cli-read-help', 'cli-read-choice', 'cli-read-around', 'cli-status', 'cli-folders', 'cli-record-name', 'cli-record-daemon', 'cli-pipe', 'cli-pipe-same', 'cli-tail-leftovers', 'foreign-text'] },
  'native/cli': { files: ['cli-read-help', 'cli-read-progress', 'cli-read-around', 'cli-read-choice', 'cli-status', 'cli-snapshot', 'cli-record-output', 'cli-record-daemon', 'cli-record-terminal', 'cli-record', 'cli-record-name', 'cli-record-loss', 'cli-read-losses', 'cli-read-irregular', 'cli-pipe', 'cli-tail', 'foreign-text'] },
  'native/ctf': { units: 'ctf', files: ['box-trace', 'cli-read-order', 'cli-read-damaged', 'cli-read-irregular', 'cli-read-losses', 'cli-folders', 'cli-record', 'foreign-text'] },
  'native/expression': { units: 'expression', files: ['cli-read-around', 'cli-read-choice'] },
  'native/live': { files: ['tail-forward', 'cli-tracing-group', 'cli-folders', 'cli-tail', 'cli-tail-leftovers', 'cli-tail-neighbours'] },
  'native/pipe': { units: 'pipe', files: ['cli-pipe', 'cli-pipe-same', 'foreign-text'] },
  'native/plugin': { files: ['box-trace', 'cli-plugin'] },
  'native/reader': { units: 'reader', files: ['box-trace', 'cmp', 'contract', 'cli-read-order', 'cli-plugin', 'cli-read-damaged', 'cli-read-progress', 'cli-read-around', 'cli-read-irregular', 'cli-read-losses', 'cli-read-choice', 'cli-read-roundtrip', 'cli-record', 'cli-tail', 'foreign-text'] },
  'native/session': { files: ['cli-status', 'cli-snapshot', 'cli-record-output', 'cli-record-daemon', 'cli-tracing-group', 'cli-folders', 'cli-record-loss', 'cli-record', 'cli-record-name', 'cli-tail-leftovers', 'container', 'foreign-text'] },
  provider: { files: ['conformance', 'provider', 'size-limit', 'copies', 'sessions', 'round-trip', 'levels', 'processes', 'daemons'] },
  lib: { files: ['absent', 'copies', 'module', 'contract', 'levels', 'pino', 'processes', 'bundle'] },
  'lib/bunyan': { files: ['other-streams', 'patched', 'spies', 'writable', 'round-trip', 'levels', 'direct', 'frameworks', 'otel', 'secrets', 'redact'] },
  'lib/pino': { files: ['pino', 'writable', 'redact', 'secrets'] },
  'lib/record': { files: ['encode-safe', 'encode', 'cmp', 'round-trip', 'size-limit', 'redact', 'pino', 'direct', 'winston', 'cli-pipe-same', 'secrets', 'cut-off'] }
}
