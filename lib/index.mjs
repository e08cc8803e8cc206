// The ESM entry: import nftrace from 'nftrace'
import nftrace from './index.js'

export default nftrace
export const { available, enabled, pino, reason, stream } = nftrace
