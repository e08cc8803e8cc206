'use strict'
// Where in a prototype chain something stands.

const own = Object.prototype.hasOwnProperty

/** The object in a prototype chain, itself included, that has a member; null if none has. */
function ownerOf (object, name) {
  while (object !== null && !own.call(object, name)) object = Object.getPrototypeOf(object)
  return object
}

module.exports = { ownerOf }
