// Arithmetic over numbers and paths, for the cost of a severe event: `max(0, paid - allowed)`. A grammar of its own
// with bounds on length and depth; parsed into a tree and added up, never handed to the language.
//
//   sum  = term  { ("+" | "-") term }        term  = sign { ("*" | "/") sign }
//   sign = "-" sign | atom                   atom  = number | path | ("min" | "max" | "abs") "(" sum { "," sum } ")" | "(" sum ")"
//   path = name { "." name | "[" digits "]" | "[]" | '["any key"]' }

import { err, ok, type Result } from '../base/result.ts'
import { parsePath, type ValuePath } from './valuepath.ts'

/** A parsed expression. */
export type Arithmetic =
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'path'; readonly path: ValuePath; readonly text: string }
  | { readonly is: 'call'; readonly name: 'min' | 'max' | 'abs'; readonly args: readonly Arithmetic[] }
  | {
      readonly is: 'binary'
      readonly sign: '+' | '-' | '*' | '/'
      readonly left: Arithmetic
      readonly right: Arithmetic
    }

/** Longest expression and deepest nesting. */
const MAX_CHARS = 500
const MAX_DEPTH = 32

/** Ends parsing; never leaves this file. */
class Wrong extends Error {}

const PATH = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\[\d{0,6}\]|\["(?:[^"\\]|\\.)*"\])*/y
const NUMBER = /\d{1,15}(?:\.\d{1,15})?/y

/** The tree of an expression; the error says what is wrong and at which character. */
export function parseArithmetic(text: string): Result<Arithmetic, string> {
  if (text.length > MAX_CHARS) return err(`an expression has at most ${MAX_CHARS} characters`)
  try {
    return ok(new Parser(text).whole())
  } catch (error) {
    if (error instanceof Wrong) return err(error.message)
    throw error
  }
}

class Parser {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Arithmetic {
    const tree = this.#sum()
    if (this.#peek() !== '') throw this.#wrong('an operator is missing')
    return tree
  }

  #sum(): Arithmetic {
    let left = this.#term()
    for (;;) {
      const sign = this.#peek()
      if (sign !== '+' && sign !== '-') return left
      this.#at++
      left = { is: 'binary', sign, left, right: this.#term() }
    }
  }

  #term(): Arithmetic {
    let left = this.#sign()
    for (;;) {
      const sign = this.#peek()
      if (sign !== '*' && sign !== '/') return left
      this.#at++
      left = { is: 'binary', sign, left, right: this.#sign() }
    }
  }

  #sign(): Arithmetic {
    return this.#nested(() => {
      if (this.#peek() !== '-') return this.#atom()
      this.#at++
      return { is: 'binary', sign: '-', left: { is: 'number', value: 0 }, right: this.#sign() }
    })
  }

  #atom(): Arithmetic {
    const next = this.#peek()
    if (next === '(') {
      this.#at++
      const tree = this.#sum()
      this.#expect(')')
      return tree
    }
    const number = this.#take(NUMBER)
    if (number !== null) return { is: 'number', value: Number(number) }
    const text = this.#take(PATH)
    if (text === null)
      throw this.#wrong(next === '' ? 'the expression ends too early' : 'a number or a path is missing')
    if (this.#peek() === '(') return this.#call(text)
    const path = parsePath(text)
    if (!path.ok) throw this.#wrong(path.error)
    return { is: 'path', path: path.value, text }
  }

  #call(name: string): Arithmetic {
    if (name !== 'min' && name !== 'max' && name !== 'abs')
      throw this.#wrong(`there is no function ${name}; known are min, max and abs`)
    this.#at++
    const args = [this.#sum()]
    while (this.#peek() === ',') {
      this.#at++
      args.push(this.#sum())
    }
    this.#expect(')')
    if (name === 'abs' && args.length > 1) throw this.#wrong('abs takes one value')
    return { is: 'call', name, args }
  }

  #nested(work: () => Arithmetic): Arithmetic {
    if (this.#depth >= MAX_DEPTH) throw this.#wrong(`an expression is nested at most ${MAX_DEPTH} deep`)
    this.#depth++
    const tree = work()
    this.#depth--
    return tree
  }

  /** The next sign that is not a space; empty at the end. */
  #peek(): string {
    while (this.#text[this.#at] === ' ') this.#at++
    return this.#text[this.#at] ?? ''
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return null
    this.#at = pattern.lastIndex
    return found[0]
  }

  #expect(sign: string): void {
    if (this.#peek() !== sign) throw this.#wrong(`“${sign}” is missing`)
    this.#at++
  }

  #wrong(what: string): Wrong {
    return new Wrong(`${what} at character ${this.#at + 1}`)
  }
}

/** The paths that an expression reads. */
export function pathsOf(tree: Arithmetic): readonly ValuePath[] {
  if (tree.is === 'number') return []
  if (tree.is === 'path') return [tree.path]
  return (tree.is === 'call' ? tree.args : [tree.left, tree.right]).flatMap(pathsOf)
}

/** The value of an expression; null when a path has no number, or the result is none (division by zero). */
export function evaluate(tree: Arithmetic, lookUp: (path: ValuePath) => number | null): number | null {
  const value = add(tree, lookUp)
  return value === null || !Number.isFinite(value) ? null : value
}

function add(tree: Arithmetic, lookUp: (path: ValuePath) => number | null): number | null {
  if (tree.is === 'number') return tree.value
  if (tree.is === 'path') return lookUp(tree.path)
  if (tree.is === 'call') {
    const values: number[] = []
    for (const arg of tree.args) {
      const value = add(arg, lookUp)
      if (value === null) return null
      values.push(value)
    }
    return tree.name === 'abs' ? Math.abs(values[0] ?? NaN) : Math[tree.name](...values)
  }
  const left = add(tree.left, lookUp)
  const right = add(tree.right, lookUp)
  if (left === null || right === null) return null
  if (tree.sign === '+') return left + right
  if (tree.sign === '-') return left - right
  return tree.sign === '*' ? left * right : left / right
}
