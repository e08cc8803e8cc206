'use strict'
// A real terminal for tests: a tmux server of its own with one window.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { ROOT } = require('./command')
const { temporaryFolder } = require('./folder')
const { until } = require('./until')

/** Runs a shell script in a terminal; its exit status comes out of end(). */
class Terminal {
  #socket
  #status

  constructor (script) {
    const folder = temporaryFolder()
    this.#socket = path.join(folder, 'tmux')
    this.#status = path.join(folder, 'status')
    const file = path.join(folder, 'script')
    // The trap keeps the shell from ending with its command, which has no trap.
    fs.writeFileSync(file, `trap : INT\n${script}\necho $? > "${this.#status}"\nsleep 100\n`)
    const { status, stderr } = this.#tmux('new-session', '-d', '-x', '200', '-y', '50', `exec bash ${file}`)
    if (status !== 0) throw new Error(`tmux: ${stderr}`)
  }

  #tmux (...args) {
    return spawnSync('tmux', ['-S', this.#socket, '-f', '/dev/null', ...args], { encoding: 'utf8', cwd: ROOT })
  }

  /** What is on the screen, with long lines joined. */
  get screen () {
    return this.#tmux('capture-pane', '-p', '-J').stdout
  }

  /** Presses a key, by tmux's name for it. */
  press (key) {
    this.#tmux('send-keys', key)
  }

  resize (columns, rows) {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows))
  }

  /** Waits for a text on the screen. */
  shows (text) {
    return until(() => this.screen.includes(text), () => `"${text}" on the terminal, which shows:\n${this.screen}`)
  }

  /** Waits for the script; gives its last command's exit status. */
  async end () {
    await until(() => fs.existsSync(this.#status) && fs.readFileSync(this.#status, 'utf8') !== '', () => `the end of the script; the terminal shows:\n${this.screen}`)
    return Number(fs.readFileSync(this.#status, 'utf8'))
  }

  /** Closes the window, as a user does or a lost connection. */
  close () {
    this.#tmux('kill-server')
  }
}

module.exports = { Terminal }
