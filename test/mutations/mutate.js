'use strict'
// Changes of a line of C or JavaScript that tests should notice: operators, constants,
// returns, dropped statements. Comments, strings, logging and messages are left alone.

const SAYS = /\b(?:\w*report|\w*_error|\w*printf|fputs|fputc|perror|strerror|console\.\w+|process\.emitWarning)\b\s*\(|#include|^\s*#\s*(?:ifn?def|if|endif|else|undef|pragma|error)\b|_H$/

// Operators stand between spaces, as clang-format and standard have it.
const OPERATORS = {
  '==': ['!='],
  '!=': ['=='],
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['+'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
  '|=': ['&='],
  '&=': ['|=']
}

/** Puts spaces in the place of comments and of what is in strings and patterns. */
function mask (text, language) {
  const blank = found => found.replace(/[^\n]/g, ' ')
  const quoted = found => found[0] + blank(found.slice(1, -1)) + found.at(-1)
  const tokens = language === 'c'
    ? /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/g
    : /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|(?<=[(,=:!&|?]\s*|return )\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/g
  return text.replace(tokens, found => /^\/[*/]/.test(found) ? blank(found) : quoted(found))
}

/** A line in which a text from `at` on is another one. */
function replaced (line, at, old, other) {
  return line.slice(0, at) + other + line.slice(at + old.length)
}

/** Constants: { what, line }. code: the line, masked. */
function * ofConstants (line, code) {
  for (const { 0: old, index } of code.matchAll(/(?<![\w.'"])(?:0[xX][\da-fA-F]+|\d+)(?:[uU]?[lL]{0,2}|n)?(?![\w.'"])/g)) {
    const [, digits, suffix] = /^(0[xX][\da-fA-F]+|\d+)(.*)$/.exec(old)
    yield { what: `${old} → one more`, line: replaced(line, index, old, `${BigInt(digits) + 1n}${suffix}`) }
  }
  for (const [old, other] of [['true', 'false'], ['false', 'true']]) {
    for (const { index } of code.matchAll(new RegExp(`\\b${old}\\b`, 'g'))) yield { what: `${old} → ${other}`, line: replaced(line, index, old, other) }
  }
}

/** Operators. */
function * ofOperators (line, code) {
  for (const { 0: old, index } of code.matchAll(/(?<= )[=!<>&|+\-*/%^?]{1,3}(?= |$)/g)) {
    for (const other of OPERATORS[old] ?? []) yield { what: `${old} → ${other}`, line: replaced(line, index, old, other) }
  }
  for (const { 0: old, index } of code.matchAll(/!(?=[\w(])/g)) yield { what: '! → nothing', line: replaced(line, index, old, '') }
  for (const { 0: old, index } of code.matchAll(/\+\+|--/g)) {
    const other = old === '++' ? '--' : '++'
    yield { what: `${old} → ${other}`, line: replaced(line, index, old, other) }
  }
}

/** Returns of something else. */
function * ofReturns (line, code, language) {
  const found = language === 'c' ? /^(\s*)return (.+);\s*$/.exec(code) : /^(\s*)return (.+[^,{([])$/.exec(code)
  if (found === null) return
  const [, indent, value] = found
  for (const other of language === 'c' ? ['0', '1', '-1'] : ['undefined']) {
    if (value !== other) yield { what: `return of ${other}`, line: `${indent}return ${other}${language === 'c' ? ';' : ''}` }
  }
}

/** Statements that are a line: calls and assignments. */
function * ofStatements (line, code, language) {
  const statement = language === 'c'
    ? /^\s+(?:\(void\))?\*?(?!return\b|goto\b|case\b|if\b|for\b|while\b|switch\b|else\b)[a-z_][\w.>[\]-]*(?:\(.*\)|(?:\[[^=]*\])?\s[-+*/|&]?=\s.*|\+\+|--);\s*$/
    : /^\s+(?!return\b|case\b|if\b|for\b|while\b|switch\b|else\b|const\b|let\b|throw\b|super\b|function\b|async\b|static\b|get\b|set\b)[\w#.[\]]+(?:\(.*\)|\s[-+*/|&]?=\s.*[^,{([&|?:]|\+\+|--)$/
  if (!statement.test(code)) return
  const count = character => code.split(character).length
  if (count('(') !== count(')') || count('[') !== count(']') || count('{') !== count('}')) return
  yield { what: 'dropped', line: /^\s*/.exec(line)[0] + (language === 'c' ? ';' : 'void 0') }
}

/**
 * The changes of each line of a file that has any: [{ number: of the line from 1 on,
 * old: its text, changes: [{ what, line: the new text }] }]. language: 'c' or 'js'.
 */
function candidates (text, language) {
  const lines = text.split('\n')
  const masked = mask(text, language).split('\n')
  let isMessage = false // from a line that says something to the end of its statement
  return lines.flatMap((line, i) => {
    const code = masked[i]
    isMessage = SAYS.test(code) || isMessage
    const wasMessage = isMessage
    if (language === 'c' ? /[;{}]\s*$/.test(code) : !/[,([{+&|?:]$/.test(code.trimEnd())) isMessage = false
    if (wasMessage || code.trim() === '') return []
    const changes = [...ofConstants(line, code), ...ofOperators(line, code), ...ofReturns(line, code, language), ...ofStatements(line, code, language)]
      .filter(change => change.line !== line)
    return changes.length === 0 ? [] : [{ number: i + 1, old: line, changes }]
  })
}

module.exports = { candidates }
