// A service's logger in TypeScript, as an ES module: levels are turned on from
// outside, and a fallback keeps logging where there is no LTTng.

import bunyan from 'bunyan'
import nftrace, { enabled, stream, type StreamOptions } from 'nftrace'

interface Order { id: number, items: string[] }

const options: StreamOptions = { level: 'debug', maxRecordBytes: 16384, fallback: process.stdout }

export const log: bunyan = bunyan.createLogger({
  name: 'shop',
  serializers: { order: ({ id, items }: Order) => ({ id, items: items.length }) },
  streams: [stream(options)]
})

const request = log.child({ component: 'orders' })

export function place (order: Order): void {
  if (enabled('debug')) request.debug({ stock: order.items.map(item => item.length) }, 'looked up')
  request.info({ order }, 'order placed')
}

place({ id: 17, items: ['pear', 'plum'] })
if (!nftrace.available) console.error(nftrace.reason)
