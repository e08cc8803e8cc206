'use strict'
// Writes small CTF traces as LTTng's kernel and userspace tracers do, event by
// event: what no test machine can be made to record when it is wanted, such as a
// preemption at a given ns, or events that are lost.

const fs = require('node:fs')
const path = require('node:path')

const INTEGERS = { int32: 4, int64: 8, uint32: 4, uint64: 8 }

const CLOCK_UUID = '005e5c61-b93d-444d-937a-dc4d732b79b4'

const KERNEL_EVENTS = {
  sched_switch: { prev_comm: 'string', prev_tid: 'int32', prev_prio: 'int32', prev_state: 'int64', next_comm: 'string', next_tid: 'int32', next_prio: 'int32' },
  sched_wakeup: { comm: 'string', tid: 'int32', prio: 'int32', target_cpu: 'int32' },
  irq_handler_entry: { irq: 'int32', name: 'string' }
}
const BUNYAN = { level: 'int32', time: 'int64', name: 'string', hostname: 'string', pid: 'int32', msg: 'string', fields: 'string' }

/** The type of a field as metadata has it. */
function declare (name, type) {
  return type === 'string'
    ? `string _${name};`
    : `integer { size = ${INTEGERS[type] * 8}; align = 8; signed = ${type[0] === 'i'}; } _${name};`
}

/** A value's bytes. */
function encode (value, type) {
  if (type === 'string') return Buffer.from(value + '\0')
  const bytes = Buffer.alloc(INTEGERS[type])
  if (INTEGERS[type] === 8) bytes.writeBigInt64LE(BigInt.asIntN(64, BigInt(value)))
  else bytes.writeInt32LE(Number(value) | 0)
  return bytes
}

function encodeAll (values, types) {
  return Buffer.concat(Object.entries(types).map(([name, type]) => encode(values[name] ?? (type === 'string' ? '' : 0), type)))
}

/**
 * Writes a trace of one domain. events: [{ time, cpu, name, context, payload }],
 * by time, in ns of the clock; lost: { cpu: count } that LTTng would have
 * dropped, or a list of what its counter would say in packet after packet. types: of each event; context: of all events. Returns the folder.
 */
function writeTrace (folder, { domain, hostname = 'vm', offset = 1796028817000000000n, clock = CLOCK_UUID, uuid = domain === 'kernel' ? '0238246f159e8c4298596a49a9a60f47' : '7ce3a7f802ea436fa340119b6d9413d0', types, context = {}, events, lost = {} }) {
  fs.mkdirSync(folder, { recursive: true })
  const names = Object.keys(types)
  const dashed = uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  fs.writeFileSync(path.join(folder, 'metadata'), `/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
trace { major = 1; minor = 8; uuid = "${dashed}"; byte_order = le;
  packet.header := struct { uint32_t magic; integer { size = 8; align = 8; signed = false; } uuid[16]; uint32_t stream_id; uint64_t stream_instance_id; }; };
env { hostname = "${hostname}"; domain = "${domain}"; tracer_name = "${domain === 'kernel' ? 'lttng-modules' : 'lttng-ust'}"; tracer_major = 2; tracer_minor = 13; trace_name = "made"; };
clock { name = "monotonic"; uuid = "${clock}"; freq = 1000000000; offset = ${offset}; };
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := clock_t;
stream { id = 0;
  event.header := struct { uint32_t id; clock_t timestamp; };
  packet.context := struct { clock_t timestamp_begin; clock_t timestamp_end; uint64_t content_size; uint64_t packet_size; uint64_t packet_seq_num; uint64_t events_discarded; uint32_t cpu_id; };
  event.context := struct { ${Object.entries(context).map(([name, type]) => declare(name, type)).join(' ')} };
};
${names.map((name, id) => `event { name = "${name}"; id = ${id}; stream_id = 0; fields := struct { ${Object.entries(types[name]).map(([field, type]) => declare(field, type)).join(' ')} }; };`).join('\n')}
`)
  const end = events.at(-1).time
  for (const cpu of new Set(events.map(event => event.cpu))) {
    const packet = (begin, end, number, discarded, events) => {
      const body = Buffer.concat(events.map(event => Buffer.concat([
        encode(names.indexOf(event.name), 'uint32'), encode(event.time, 'uint64'),
        encodeAll(event.context, context), encodeAll(event.payload, types[event.name])])))
      const header = Buffer.concat([Buffer.from('c11ffcc1', 'hex'), Buffer.from(uuid, 'hex'), encode(0, 'uint32'), encode(cpu, 'uint64')])
      const size = BigInt(8 * (header.length + 6 * 8 + 4 + body.length))
      return Buffer.concat([header, ...[begin, end, size, size, number, discarded].map(value => encode(value, 'uint64')), encode(cpu, 'uint32'), body])
    }
    const own = events.filter(event => event.cpu === cpu)
    const counts = [0, ...[lost[cpu] ?? []].flat()]
    const size = Math.floor(own.length / counts.length)
    const packets = counts.map((discarded, i) => {
      const part = own.slice(i * size, i + 1 < counts.length ? (i + 1) * size : undefined)
      return packet(part[0].time, i + 1 < counts.length ? part.at(-1).time : end, i, discarded, part)
    })
    fs.writeFileSync(path.join(folder, `channel_${cpu}`), Buffer.concat(packets))
  }
  return folder
}

/**
 * Writes a trace with the kernel's events and records of Bunyan's, which are
 * named 'record' in events. kernel and user: more options of writeTrace().
 */
function writeMixed (folder, events, { kernel = {}, user = {} } = {}) {
  const calls = new Set(events.map(event => event.name).filter(name => name.includes('syscall_')))
  const ours = events.filter(event => event.name !== 'record')
  const records = events.filter(event => event.name === 'record')
  const types = { ...KERNEL_EVENTS, ...Object.fromEntries([...calls].map(name => [name, { ret: 'int64' }])) }
  if (ours.length > 0) writeTrace(path.join(folder, 'kernel'), { domain: 'kernel', types, context: { tid: 'int32' }, events: ours, ...kernel })
  if (records.length > 0) {
    writeTrace(path.join(folder, 'ust'), {
      domain: 'ust',
      types: { 'bunyan:info': BUNYAN },
      context: { vpid: 'int32', vtid: 'int32' },
      offset: 1796028817000002800n,
      events: records.map(record => ({ ...record, name: 'bunyan:info' })),
      ...user
    })
  }
  return folder
}

module.exports = { KERNEL_EVENTS, writeMixed, writeTrace }
