// The generator against its published and independently computed vectors: any other number is another product.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fnv1a32, resampling, Rng, splitmix32 } from '../../../src/analysis/reliability/random.ts'

const take = <T>(count: number, next: () => T): T[] => Array.from({ length: count }, next)

describe('random numbers', () => {
  it('follows xoshiro128** 1.1 from a given state', () => {
    const rng = Rng.fromState([1, 2, 3, 4])
    expect(take(8, () => rng.u32())).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849,
    ])
  })

  it('seeds by splitmix32 and names streams by FNV-1a', () => {
    expect(take(4, splitmix32(42))).toEqual([551831576, 144025891, 322543647, 3034809370])
    expect([fnv1a32(''), fnv1a32('task'), fnv1a32('faultline')]).toEqual([2166136261, 4098394220, 891095773])
  })

  it('gives the stated streams', () => {
    const plain = new Rng(42)
    expect(take(8, () => plain.u32())).toEqual([
      3792840668, 1421306600, 3224434297, 1544197899, 1812968807, 1783424895, 1274507293, 523845164,
    ])
    const task = new Rng(42, 'task')
    expect(take(4, () => task.u32())).toEqual([745530483, 3426251844, 1164498297, 1578210777])
    const bounded = new Rng(7)
    expect(take(12, () => bounded.below(20))).toEqual([12, 9, 3, 1, 0, 5, 3, 7, 9, 3, 18, 14])
    const doubles = new Rng(7)
    expect(take(3, () => doubles.f64())).toEqual([
      0.6247237882831336, 0.19407252277384202, 0.005780654043434197,
    ])
  })

  it('fills an array with exactly the numbers of as many single draws', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        fc.integer({ min: 1, max: 2 ** 21 }),
        (seed, bound) => {
          const one = new Rng(seed, 'fill')
          const other = new Rng(seed, 'fill')
          const filled = new Int32Array(50)
          other.fillBelow(filled, bound)
          expect([...filled]).toEqual(take(50, () => one.below(bound)))
          expect(filled.every((value) => value >= 0 && value < bound)).toBe(true)
          expect(other.u32()).toBe(one.u32())
        },
      ),
    )
  })

  it('is even over a bound that does not divide 2^32', () => {
    const rng = new Rng(1, 'even')
    const counts = [0, 0, 0]
    for (let i = 0; i < 30_000; i++) counts[rng.below(3)]!++
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400)
  })

  it('refuses seeds, bounds and B that it cannot honour', () => {
    for (const seed of [-1, 0.5, 2 ** 32, Number.NaN]) expect(() => new Rng(seed)).toThrow(RangeError)
    for (const bound of [0, -1, 1.5, 2 ** 21 + 1]) expect(() => new Rng(1).below(bound)).toThrow(RangeError)
    expect(() => resampling(1, 'x', 1)).toThrow(RangeError)
  })
})
