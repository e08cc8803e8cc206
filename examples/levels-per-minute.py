#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Counts a trace's Bunyan records by minute and level.

usage: levels-per-minute.py [--csv] TRACE...

TRACE is a folder that `nftrace record` or `lttng` wrote; several are merged. Needs
babeltrace2's Python bindings (Debian and Ubuntu: python3-bt2) and goes by the time
that the records have, in UTC. Ends with status 1 if there is no Bunyan record.
"""
import argparse
import collections
import datetime
import os
import signal
import sys

import bt2

LEVELS = ('fatal', 'error', 'warn', 'info', 'debug', 'trace')


def traces_in(paths):
    """The trace folders at or below some paths: those with metadata."""
    for path in paths:
        for folder, _, files in os.walk(path):
            if 'metadata' in files:
                yield folder


def count(folders):
    """Records by minute, each a Counter by level; and how many were discarded."""
    minutes = collections.defaultdict(collections.Counter)
    discarded = 0
    for message in bt2.TraceCollectionMessageIterator(folders):
        if isinstance(message, bt2._DiscardedEventsMessageConst):
            discarded += message.count or 0
        elif isinstance(message, bt2._EventMessageConst):
            provider, _, level = message.event.name.partition(':')
            if provider == 'bunyan' and level in LEVELS:
                minutes[int(message.event['time']) // 60000][level] += 1
    return minutes, discarded


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    parser = argparse.ArgumentParser(
        description="Counts a trace's Bunyan records by minute and level.")
    parser.add_argument('--csv', action='store_true',
                        help='with commas, for a spreadsheet')
    parser.add_argument('trace', nargs='+', metavar='TRACE')
    arguments = parser.parse_args()

    folders = list(traces_in(arguments.trace))
    if not folders:
        sys.exit('levels-per-minute: no trace in ' + ', '.join(arguments.trace))
    minutes, discarded = count(folders)
    if not minutes:
        sys.exit('levels-per-minute: no Bunyan record in ' + ', '.join(folders))

    row = ('{:16}' + '{:>9}' * len(LEVELS)).format
    if arguments.csv:
        def row(*cells):
            return ','.join(map(str, cells))
    print(row('minute', *LEVELS))
    for minute in sorted(minutes):
        time = datetime.datetime.fromtimestamp(minute * 60, datetime.timezone.utc)
        print(row(time.strftime('%Y-%m-%dT%H:%M'),
                  *(minutes[minute][level] for level in LEVELS)))
    if discarded:
        print(f'{discarded} events were discarded by LTTng', file=sys.stderr)


main()
