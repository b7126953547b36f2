// CPython's `random.Random(int)` (MT19937, seeded by init_by_array), only to reproduce published intervals that were
// made with it. Source: Matsumoto & Nishimura (1998). Not used by the product.

const SIZE = 624

/** The generator behind `random.Random(seed)` for an integer seed below 2^32. */
export class PyRandom {
  readonly #state = new Uint32Array(SIZE)
  #at = SIZE

  constructor(seed: number) {
    const mt = this.#state
    mt[0] = 19650218
    for (let i = 1; i < SIZE; i++) mt[i] = Math.imul(1812433253, mt[i - 1]! ^ (mt[i - 1]! >>> 30)) + i
    let i = 1
    const advance = (): void => {
      i++
      if (i < SIZE) return
      mt[0] = mt[SIZE - 1]!
      i = 1
    }
    // The key has one word, so the key index is always 0.
    for (let k = SIZE; k > 0; k--) {
      mt[i] = (mt[i]! ^ Math.imul(mt[i - 1]! ^ (mt[i - 1]! >>> 30), 1664525)) + seed
      advance()
    }
    for (let k = SIZE - 1; k > 0; k--) {
      mt[i] = (mt[i]! ^ Math.imul(mt[i - 1]! ^ (mt[i - 1]! >>> 30), 1566083941)) - i
      advance()
    }
    mt[0] = 0x80000000
  }

  /** The next uint32. */
  u32(): number {
    const mt = this.#state
    if (this.#at >= SIZE) {
      for (let k = 0; k < SIZE; k++) {
        const y = (mt[k]! & 0x80000000) | (mt[(k + 1) % SIZE]! & 0x7fffffff)
        mt[k] = mt[(k + 397) % SIZE]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0)
      }
      this.#at = 0
    }
    let y = mt[this.#at++]!
    y ^= y >>> 11
    y ^= (y << 7) & 0x9d2c5680
    y ^= (y << 15) & 0xefc60000
    return (y ^ (y >>> 18)) >>> 0
  }

  /** `random()`: a double in [0, 1). */
  random(): number {
    const high = this.u32() >>> 5
    const low = this.u32() >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }

  /** `choice(values)`. */
  choice<T>(values: readonly T[]): T {
    const bits = 32 - Math.clz32(values.length)
    let index = this.u32() >>> (32 - bits)
    while (index >= values.length) index = this.u32() >>> (32 - bits)
    return values[index]!
  }
}
