// Links: there and back, damaged ones, and what a command line reads out of them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashOfLink, linkOfHash, placeWords } from '../../src/base/link.ts'

test('a link names the place that its hash named', () => {
  const link = linkOfHash('#/task/t%2F1;trial=abc;column=4')
  expect(link).toBe('faultline://task/t%2F1;trial=abc;column=4')
  const hash = hashOfLink(link)
  expect(hash).toBe('/task/t%2F1;trial=abc;column=4')
  const { segments, params } = placeWords(hash ?? '')
  expect(segments).toEqual(['task', 't/1'])
  expect([params.get('trial'), params.get('column')]).toEqual(['abc', '4'])
})

test('what a shell, a browser or a person makes of a link still leads there', () => {
  for (const text of ['FAULTLINE://tasks', '  faultline:///tasks\n', 'faultline:////tasks'])
    expect(hashOfLink(text)).toBe('/tasks')
})

test('other text is no link', () => {
  for (const text of ['', 'tasks', '/tmp/faultline:', 'https://example.org/faultline://x', 'faultline:tasks'])
    expect(hashOfLink(text)).toBeNull()
  expect(hashOfLink(`faultline://${'x'.repeat(20_000)}`)).toBeNull()
})

test('no text throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(placeWords(text).segments).toBeInstanceOf(Array)
      const hash = hashOfLink(linkOfHash(text))
      expect(hash === null || hash.startsWith('/')).toBe(true)
    }),
  )
})
