'use strict'
// What a CTF string can carry.

/**
 * Whether text comes through a NUL-terminated UTF-8 string unharmed: it is not
 * empty and holds neither U+0000 nor half of a surrogate pair.
 */
function isExactText (text) {
  if (text === '') return false
  // eslint-disable-next-line no-control-regex
  return !/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
}

module.exports = { isExactText }
