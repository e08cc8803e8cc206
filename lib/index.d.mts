import nftrace from './index.js'

export default nftrace
export declare const available: nftrace.Nftrace['available']
export declare const enabled: nftrace.Nftrace['enabled']
export declare const pino: nftrace.Nftrace['pino']
export declare const reason: nftrace.Nftrace['reason']
export declare const stream: nftrace.Nftrace['stream']
export type Level = nftrace.Level
export type Nftrace = nftrace.Nftrace
export type PinoDestination = nftrace.PinoDestination
export type PinoOptions = nftrace.PinoOptions
export type StreamDefinition = nftrace.StreamDefinition
export type StreamOptions = nftrace.StreamOptions
