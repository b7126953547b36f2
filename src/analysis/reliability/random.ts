// The one source of chance in the product (methods.md A5.1): xoshiro128** 1.1 with a named stream per purpose,
// so that a figure does not depend on the order in which figures are computed, nor on the JavaScript engine.
// Sources: Blackman & Vigna, "Scrambled linear pseudorandom number generators" (2018); splitmix32 after Steele,
// Lea, Flood (2014); FNV-1a; bounded integers after Lemire, "Fast random integer generation in an interval" (2019).
// Not for secrets.

import { requireInteger, type Resampling } from './estimate.ts'

/** Name and version of the generator, stored with every resampled figure. */
export const GENERATOR = 'xoshiro128ss-1.1'
/** The seed used when nobody chose one. */
export const DEFAULT_SEED = 2026
/** Resamples for a figure. */
export const DEFAULT_RESAMPLES = 10_000

const TWO_32 = 4294967296
/** Above this bound the product of a draw and the bound is no longer exact in a double. */
const MAX_BOUND = 2 ** 21

/** FNV-1a hash of the text's UTF-8 bytes, as uint32. */
export function fnv1a32(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193)
  }
  return hash >>> 0
}

/** A splitmix32 sequence from a uint32 state: each call gives the next uint32. Used for seeding only. */
export function splitmix32(state: number): () => number {
  let s = state >>> 0
  return () => {
    s = (s + 0x9e3779b9) >>> 0
    let z = s
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return (z ^ (z >>> 15)) >>> 0
  }
}

/** xoshiro128** 1.1. Seeded by splitmix32 from `seed XOR fnv1a32(stream)`; `seed` is a uint32, else RangeError. */
export class Rng {
  readonly #state: Int32Array

  constructor(seed: number, stream = '') {
    requireInteger('seed', seed, 0, TWO_32 - 1)
    const next = splitmix32((seed ^ fnv1a32(stream)) >>> 0)
    this.#state = Int32Array.of(next(), next(), next(), next())
    // The all-zero state is the generator's one fixed point.
    if (this.#state.every((word) => word === 0)) this.#state[0] = 1
  }

  /** A generator in a given state of four uint32 words, for test vectors. */
  static fromState(words: readonly [number, number, number, number]): Rng {
    const rng = new Rng(0)
    rng.#state.set(words)
    return rng
  }

  /** The next uint32. */
  u32(): number {
    const s = this.#state
    const a = s[0]!
    const b = s[1]!
    const c = s[2]! ^ a
    const d = s[3]! ^ b
    const scrambled = Math.imul(b, 5)
    s[0] = a ^ d
    s[1] = b ^ c
    s[2] = c ^ (b << 9)
    s[3] = (d << 11) | (d >>> 21)
    return Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0
  }

  /** A double in [0, 1) with 53 random bits. */
  f64(): number {
    const high = this.u32() >>> 5
    const low = this.u32() >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }

  /** A uniform integer in [0, bound), 1 ≤ bound ≤ 2^21, else RangeError. */
  below(bound: number): number {
    requireInteger('bound', bound, 1, MAX_BOUND)
    const refused = TWO_32 % bound
    let draw = this.u32()
    while (Math.imul(draw, bound) >>> 0 < refused) draw = this.u32()
    return Math.floor((draw * bound) / TWO_32)
  }

  /**
   * Fills `out` with uniform integers in [0, bound): the same numbers as that many calls of `below`, with the
   * state held in local variables (the inner loop of every bootstrap).
   */
  fillBelow(out: Int32Array, bound: number): void {
    requireInteger('bound', bound, 1, MAX_BOUND)
    const refused = TWO_32 % bound
    const s = this.#state
    let a = s[0]!
    let b = s[1]!
    let c = s[2]!
    let d = s[3]!
    for (let i = 0; i < out.length; i++) {
      let draw: number
      do {
        const scrambled = Math.imul(b, 5)
        draw = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0
        const shifted = b << 9
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = (d << 11) | (d >>> 21)
      } while (Math.imul(draw, bound) >>> 0 < refused)
      // Both factors are exact, the power of two loses nothing, and the result is below 2^21.
      out[i] = (draw * bound * 2 ** -32) | 0
    }
    s[0] = a
    s[1] = b
    s[2] = c
    s[3] = d
  }
}

/** What to store beside a figure resampled `B` times (at least 2) with this seed and stream. */
export function resampling(seed: number, stream: string, B: number): Resampling {
  requireInteger('B', B, 2)
  return { generator: GENERATOR, seed, stream, B }
}
