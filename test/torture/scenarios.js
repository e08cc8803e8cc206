'use strict'
// All scenarios. One is:
//   name, done (to us), promised (by us); weight: its share of the time;
//   daemon: false when it starts its own; chroot: true when it installs a system;
//   needs(): null, or why it can't run here;
//   run(torture): does it; see support.js.

const GROUPS = ['kill', 'daemons', 'load', 'environments', 'chroots', 'c', 'values', 'cut-off', 'neighbours']

const scenarios = GROUPS.flatMap(group => require(`./${group}`).map(scenario => ({ group, ...scenario })))

module.exports = { scenarios }
