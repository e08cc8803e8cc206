# SPDX-License-Identifier: MIT
"""Prints each event of a trace as a line of JSON, read by babeltrace2 itself.

usage: read-trace.py DIRECTORY
"""
import json
import sys

import bt2

CONVERT = [(bt2._StringFieldConst, str), (bt2._RealFieldConst, float), (object, int)]
members = {}  # of each class of fields, by its address: [(name, conversion)]


def members_of(field):
    """What a structure has, looked up once for all events of a class: it takes long."""
    address = field.cls.addr
    if address not in members:
        members[address] = [
            (name, next(convert for kind, convert in CONVERT if isinstance(value, kind)))
            for name, value in field.items() if not name.startswith('_')]
    return members[address]


def plain(field):
    if field is None:
        return {}
    return {name: convert(field[name]) for name, convert in members_of(field)}


def lost(message):
    if isinstance(message, bt2._DiscardedEventsMessageConst):
        return message.count or 0
    return 0


for message in bt2.TraceCollectionMessageIterator(sys.argv[1]):
    if isinstance(message, bt2._EventMessageConst):
        event = message.event
        print(json.dumps({
            'event': event.name,
            'payload': plain(event.payload_field),
            'context': plain(event.common_context_field),
        }))
    elif lost(message):
        print(json.dumps({'lost': lost(message)}))
