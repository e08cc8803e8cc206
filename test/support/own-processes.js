'use strict'
// A command that is put before another one, so that whatever that starts, daemons
// too, ends when the first process is killed: it has process numbers of its own.

module.exports = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', ...(process.getuid() === 0 ? [] : ['--user', '--map-root-user'])]
