# SPDX-License-Identifier: MIT
"""Prints each event of a trace as a line of JSON, read by babeltrace2 itself.

usage: read-trace.py DIRECTORY
"""
import json
import sys

import bt2


def plain(field):
    if field is None:
        return {}
    return {name: str(value) if isinstance(value, bt2._StringFieldConst)
            else float(value) if isinstance(value, bt2._RealFieldConst)
            else int(value)
            for name, value in field.items()
            if not name.startswith('_')}


def lost(message):
    if isinstance(message, bt2._DiscardedEventsMessageConst):
        return message.count or 0
    return 0


for message in bt2.TraceCollectionMessageIterator(sys.argv[1]):
    if isinstance(message, bt2._EventMessageConst):
        event = message.event
        print(json.dumps({
            'event': event.cls.name,
            'payload': plain(event.payload_field),
            'context': plain(event.common_context_field),
        }))
    elif lost(message):
        print(json.dumps({'lost': lost(message)}))
