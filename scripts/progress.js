'use strict'
// How far a long run is: a line on stderr in place of the last one, where stderr is
// a terminal that can take a line back. A file, or a terminal that obeys no escape
// sequences (TERM is unset or "dumb"), gets nothing.

const { TERM } = process.env

/** Whether show() shows anything. */
const canShow = Boolean(process.stderr.isTTY && TERM && TERM !== 'dumb')

function show (text) {
  if (canShow) process.stderr.write(`\r\x1b[K${text}`)
}

/** Takes off what is shown. */
function hide () {
  show('')
}

module.exports = { canShow, hide, show }
