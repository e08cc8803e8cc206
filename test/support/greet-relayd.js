'use strict'
// Says to ports of 127.0.0.1 what those say first who connect to lttng-relayd(8),
// and prints what comes back: greet-relayd.js PORT… prints { PORT: [bytes, bytes] },
// in answer to a session daemon and to a viewer. Run by its text, with node -e, it
// serves users who can't read this file.

const net = require('node:net')

const WAIT_MS = 5000

/** A session daemon's: RELAYD_VERSION, with its own. */
function control () {
  const message = Buffer.alloc(24 + 8)
  message.writeBigUInt64BE(8n, 8)
  message.writeUInt32BE(5, 16)
  message.writeUInt32BE(2, 24)
  message.writeUInt32BE(11, 28)
  return message
}

/** A viewer's: LTTNG_VIEWER_CONNECT, to ask for commands. */
function viewer () {
  const message = Buffer.alloc(16 + 20)
  message.writeBigUInt64BE(20n, 0)
  message.writeUInt32BE(1, 8)
  message.writeUInt32BE(2, 24)
  message.writeUInt32BE(11, 28)
  message.writeUInt32BE(1, 32)
  return message
}

/** Says something to a port: the number of bytes that come back until it is closed; null if it is kept open in silence. */
function greet (port, message) {
  return new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(message))
    let bytes = 0
    let isSilent = false
    socket.on('data', data => {
      bytes += data.length
      socket.destroy()
    })
    socket.on('error', () => {})
    socket.setTimeout(WAIT_MS, () => {
      isSilent = true
      socket.destroy()
    })
    socket.on('close', () => resolve(isSilent ? null : bytes))
  })
}

/** All at once, for who is silent takes WAIT_MS. */
async function greetAll (ports) {
  const answers = ports.map(async port => [port, await Promise.all([greet(port, control()), greet(port, viewer())])])
  return Object.fromEntries(await Promise.all(answers))
}

greetAll(process.argv.slice(1).filter(argument => /^\d+$/.test(argument)).map(Number))
  .then(answers => console.log(JSON.stringify(answers)))
