'use strict'
// What a trace lacks, `nftrace read` says: as records, in a summary and, with
// --lost-fails, by its status; read and lost make up what was written, exactly.

const assert = require('node:assert')
const { test } = require('node:test')

const { besideSessiond, nftrace, service, Session, temporaryFolder } = require('./support/cli-lttng')

const TINY = ['--subbuf-size=4k', '--num-subbuf=2']

function isLoss (record) {
  return record.name === 'nftrace'
}

besideSessiond(__filename, () => {
  test('read and lost make up what was written', () => {
    const count = 30000
    for (const buffers of ['--buffers-uid', '--buffers-pid']) {
      const session = new Session({ channel: [buffers, ...TINY] })
      // A process that ends while its own buffers are full takes the count of
      // what it lost last with it; so it writes once more when they aren't.
      service('cli-count.js', ['busy', count - 1, '', 'pause'])
      session.end()
      const { status, stderr, records } = nftrace(['read', session.folder])
      const losses = records.filter(isLoss)
      const read = records.length - losses.length
      const lost = losses.reduce((sum, record) => sum + record.lost.events, 0)
      assert.ok(lost > 0, 'the buffers were too large for this test')
      assert.strictEqual(read + lost, count)
      assert.strictEqual(status, 0)
      assert.match(stderr, new RegExp(`${read} records read, ${lost} events lost in ${losses.length} gap`))
    }
  })

  test('a loss is a Bunyan record of its own, at the beginning of the gap', () => {
    const session = new Session({ channel: TINY })
    service('cli-count.js', ['busy', 5000])
    session.end()
    const { stdout, records } = nftrace(['read', session.folder])
    const loss = records.find(isLoss)
    assert.deepStrictEqual(Object.keys(loss), ['name', 'hostname', 'pid', 'level', 'lost', 'msg', 'time', 'v'])
    assert.strictEqual(loss.level, 40)
    assert.match(loss.msg, /^\d+ events? lost$/)
    assert.strictEqual(loss.time, loss.lost.begin)
    assert.ok(loss.lost.end >= loss.lost.begin)
    assert.match(loss.lost.stream, /^records_\d+$/)
    const times = stdout.split('\n').filter(Boolean).map(line => JSON.parse(line).time)
    const late = times.filter((time, i) => i > 0 && Date.parse(time) < Date.parse(times[i - 1]) - 50)
    assert.deepStrictEqual(late, [])
  })

  test('a record that is larger than a sub-buffer is lost, and counted', () => {
    const session = new Session({ channel: TINY })
    const beside = temporaryFolder() + '/beside'
    service('cli-awkward.js', [beside])
    session.end()
    const { records } = nftrace(['read', session.folder])
    const written = require('node:fs').readFileSync(beside, 'utf8').trim().split('\n').length
    const losses = records.filter(isLoss)
    assert.strictEqual(records.length - losses.length + losses.reduce((sum, record) => sum + record.lost.events, 0), written)
  })

  test('--lost-fails ends with 3, and only if something was lost', () => {
    const lossy = new Session({ channel: TINY })
    const whole = new Session({ channel: ['--subbuf-size=1M', '--num-subbuf=4'] })
    service('cli-count.js', ['busy', 10000])
    lossy.end()
    whole.end()
    assert.strictEqual(nftrace(['read', '--lost-fails', lossy.folder]).status, 3)
    assert.strictEqual(nftrace(['read', lossy.folder]).status, 0)
    const { status, stderr } = nftrace(['read', '--lost-fails', whole.folder])
    assert.strictEqual(stderr, '')
    assert.strictEqual(status, 0)
  })

  test('what rotating trace files have overwritten is told, and is no loss', () => {
    const session = new Session({ channel: ['--subbuf-size=16k', '--num-subbuf=16', '--tracefile-size=16k', '--tracefile-count=2'] })
    service('cli-count.js', ['busy', 2000])
    session.end()
    const { status, stderr, records } = nftrace(['read', '--lost-fails', session.folder])
    assert.ok(records.length > 0 && records.length < 2000)
    assert.match(stderr, /\d of \d streams lack their beginning/)
    assert.strictEqual(status, 0)
  })
})
