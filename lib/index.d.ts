/// <reference types="node" />

/**
 * Bunyan records into the LTTng-UST ring buffer. The module itself is a Bunyan
 * stream definition:
 *
 *     bunyan.createLogger({ name: 'shop', streams: [nftrace] })
 */
declare const nftrace: nftrace.Nftrace

declare namespace nftrace {
  /** A Bunyan level: a name or a number. */
  type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | number

  /** What createLogger({ streams }) and addStream() take. */
  interface StreamDefinition {
    type: 'raw' | 'stream'
    /** The lowest level that may be traced; 'trace' unless set. */
    level: Level
    /** For log.levels(name, level); 'nftrace' unless set. */
    name: string
    stream: NodeJS.WritableStream
    reemitErrorEvents?: boolean
  }

  interface StreamOptions {
    /**
     * 'raw' (the default) takes records. 'stream' takes their JSON lines, which
     * costs more and keeps no more; other text becomes the msg of an info record.
     */
    type?: 'raw' | 'stream'
    /** The lowest level that may be traced, whatever a session wants. */
    level?: Level
    /** The stream's name in log.levels(). */
    name?: string
    /**
     * The most bytes that an event's payload may take, 1024 to 67108864; 65536
     * unless set. A larger record is cut and says so under nftrace_truncated. LTTng
     * drops an event that doesn't fit a sub-buffer of its channel.
     */
    maxRecordBytes?: number
    /**
     * false has Bunyan build each record, even where the outcome is the same
     * without; for whoever must rule that out. So does NFTRACE_DIRECT=0.
     */
    direct?: boolean
    /**
     * Paths whose values are replaced by "[Redacted]" in what is recorded, such as
     * "req.headers.authorization", "user.*.password", "list[*].token" or
     * 'headers["set-cookie"]'; and in what fallback gets. Nothing of the caller's
     * and no other stream changes. Costs parsing each record's fields. Paths that
     * can't be redacted, as level, time, pid and v, throw a TypeError.
     */
    redact?: readonly string[]
    /** Gets Bunyan lines (from level, or info) while tracing is not available. */
    fallback?: { write(line: string): unknown }
  }

  /** What pino(destination) and pino(options, destination) take. */
  interface PinoDestination {
    write(line: string): void
  }

  interface PinoOptions {
    /** The lowest level that may be traced, whatever a session wants. */
    level?: Level
    /** As in StreamOptions. */
    maxRecordBytes?: number
    /** Gets pino's lines, at pino's level, while tracing is not available. */
    fallback?: PinoDestination
  }

  interface Nftrace extends Omit<StreamDefinition, 'stream'> {
    /**
     * Makes a stream definition with options. It is also itself the stream of the
     * default definition. Throws a TypeError or RangeError for options that are
     * wrong.
     */
    readonly stream: NodeJS.WritableStream & ((options?: StreamOptions) => StreamDefinition)
    /**
     * Makes a destination for pino. A logger that writes to it alone follows the
     * tracing sessions, and so do its children; pino's own level is a floor once it
     * is set after the logger was made, or for a child. Throws as stream() does.
     */
    pino(options?: PinoOptions): PinoDestination
    /** Whether some tracing session wants a level now. */
    enabled(level: Level): boolean
    /** Whether this process can be traced: LTTng-UST was found. */
    readonly available: boolean
    /** Why not, and what to install; null when available. */
    readonly reason: string | null
  }
}

export = nftrace
