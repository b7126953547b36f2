// Redaction, table-driven: what must go, what must stay, stubs that are stable and counted, and that nothing private
// reaches any format of a report.

import { describe, expect, test } from 'vitest'
import { csvReport } from '../../../src/core/reports/csv.ts'
import { jsonReport } from '../../../src/core/reports/json.ts'
import { markdownReport } from '../../../src/core/reports/markdown.ts'
import { createRedactor } from '../../../src/core/reports/redact.ts'
import { redactInput } from '../../../src/core/reports/redactrows.ts'
import { reportInput } from './input.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** What stands in the text, the private part of it, and the stub's kind. Keys are made up and belong to nobody. */
const GOES: readonly (readonly [text: string, secret: string, kind: string])[] = [
  ['mail someone.doe+x@example.co.uk now', 'someone.doe+x@example.co.uk', 'email'],
  ['<JANE@EXAMPLE.COM>', 'JANE@EXAMPLE.COM', 'email'],
  ['mailto:someone%40example.com', 'someone%40example.com', 'email'],
  ['"someone\\u0040example.com"', 'example.com', 'email'],
  ['someone [at] example [dot] com', 'example [dot] com', 'email'],
  ['jöran@bücher.example', 'jöran@bücher.example', 'email'],
  ['cut off: someone.doe@exam…', 'someone.doe@exam', 'email'],
  ['someone\u200b@\u200bexample.com', 'example.com', 'email'],
  ['ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ｅｘａｍｐｌｅ', 'email'],
  ['/var/mail/someone@example.com/inbox', 'someone@example.com', 'email'],
  ['call +44 20 7946 0958 today', '+44 20 7946 0958', 'phone'],
  ['call +1-202-555-0173', '202-555-0173', 'phone'],
  ['call (202) 555-0173', '(202) 555-0173', 'phone'],
  ['call 202.555.0173.', '202.555.0173', 'phone'],
  ['phone: 5550173 22', '5550173 22', 'phone'],
  ['"phone_number": "0151 2345 678"', '0151 2345 678', 'phone'],
  ['ssn 078-05-1120', '078-05-1120', 'ssn'],
  ['ssn ０７８-０５-１１２０', '０７８', 'ssn'],
  ['card 4111 1111 1111 1111', '4111 1111 1111 1111', 'card'],
  ['card 4111-1111-1111-1112 with a wrong check digit', '4111-1111-1111-1112', 'card'],
  ['card 4111111111111111', '4111111111111111', 'card'],
  ['amex 3782 822463 10005', '3782 822463 10005', 'card'],
  ['iban DE89 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130 00', 'account'],
  ['key sk-proj-abcDEF0123456789abcDEF', 'abcDEF0123456789', 'key'],
  ['key AKIAABCDEFGHIJKLMNOP', 'AKIAABCDEFGHIJKLMNOP', 'key'],
  ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'ghp_abcdef', 'key'],
  ['xoxb-123456789012-abcdefABCDEF', 'abcdefABCDEF', 'key'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'eyJzdWIiOiIxIn0', 'token'],
  ['Authorization: Bearer abc.def-ghi_jkl', 'abc.def-ghi_jkl', 'secret'],
  ['password=hunter2;', 'hunter2', 'secret'],
  ['{"password": "hunter2"}', 'hunter2', 'secret'],
  ['{\\"api_key\\": \\"hunter2\\"}', 'hunter2', 'secret'],
  ['https://h.example/?access_token=hunter2&x=1', 'hunter2', 'secret'],
  ['postgres://bob:hunter2@db.example/x', 'hunter2', 'secret'],
  ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', 'abc', 'private key'],
  ['from 203.0.113.77 at noon', '203.0.113.77', 'ip'],
  ['/home/someone/code/a.txt', 'someone', 'user'],
  ['/Users/someone/code/a.txt', 'someone', 'user'],
  ['C:\\Users\\someone\\a.txt', 'someone', 'user'],
  ['"C:\\\\Users\\\\someone\\\\a.txt"', 'someone', 'user'],
  ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', '3f2504e0', 'id'],
  ['order #W5918442 of mine', '#W5918442', 'id'],
  ['user mia_smith_3668 asks', 'mia_smith_3668', 'id'],
  ['voucher certificate_3221322', 'certificate_3221322', 'id'],
  ['booking 4OG6T3', '4OG6T3', 'id'],
  ['item 1656367028 again', '1656367028', 'id'],
  ['{"user_id": "mia_li"}', 'mia_li', 'id'],
  ['sha 9f86d081884c7d659a2feaa0c55ad015', '9f86d081884c7d65', 'id'],
  [
    `blob ${base64('{"to": "someone@example.com"}')}`,
    base64('{"to": "someone@example.com"}').slice(8, 20),
    'encoded',
  ],
  [
    `twice ${base64(base64('call 202-555-0173 now'))}`,
    base64(base64('call 202-555')).slice(0, 12),
    'encoded',
  ],
  [
    `data:text/plain;base64,${base64('nothing to see here, move on')}`,
    base64('nothing to see').slice(0, 12),
    'encoded',
  ],
  [
    `hex ${Buffer.from('mail someone@example.com').toString('hex')}`,
    Buffer.from('someone@exam').toString('hex'),
    'encoded',
  ],
  [
    `lines ${base64('x'.repeat(40) + ' someone@example.com ' + 'y'.repeat(60)).replace(/(.{64})/g, '$1\n')}`,
    base64('x'.repeat(39)).slice(0, 40),
    'encoded',
  ],
]

const STAYS: readonly string[] = [
  'In 3 of 4 failing and 0 of 4 passing runs, get_order_details is missing at check/step 12.',
  'weight 0.8735991; chance 0.05714285714285714; smallest possible 0.0142857142857',
  'pass^1 = 0.273333333333, 95 % 0.353736–0.489279',
  'refunded $1234.50 on 2024-05-17 at 10:30',
  'exchange_delivered_order_items then transfer_to_human_agents',
  'divergence-1, xoshiro128ss-1.1, seed 1',
  'step 1024 of 2048, 12,345 tokens',
  'the token was missing; the pin is on the map',
  'gpt-4o and claude-3-5',
  '',
]

describe('redaction', () => {
  test.each(GOES)('%j', (text, secret, kind) => {
    expect(text).toContain(secret)
    const redactor = createRedactor()
    const redacted = redactor.text(text)
    expect(redacted).not.toContain(secret)
    expect(redacted).toContain(`⟦${kind} 1⟧`)
    expect(redactor.counts().map((count) => count.kind)).toContain(kind)
  })

  test.each(STAYS)('%j stays', (text) => {
    const redactor = createRedactor()
    expect(redactor.text(text)).toBe(text)
    expect(redactor.counts()).toEqual([])
  })

  test('equal values get the equal stub, in the order in which they are met, and are counted', () => {
    const redactor = createRedactor()
    expect(redactor.text('b@x.example, a@x.example, B@X.example')).toBe('⟦email 1⟧, ⟦email 2⟧, ⟦email 1⟧')
    expect(redactor.text('again a@x.example')).toBe('again ⟦email 2⟧')
    expect(redactor.counts()).toEqual([{ kind: 'email', found: 4, different: 2 }])
  })

  test('names keep their codes but not their addresses', () => {
    const redactor = createRedactor()
    expect(redactor.name('retail_tool_l0_1234')).toBe('retail_tool_l0_1234')
    expect(redactor.name('W5918442')).toBe('W5918442')
    expect(redactor.name('run of someone@example.com')).toBe('run of ⟦email 1⟧')
  })

  test('JSON: keys, numbers, and values whose key says what they are', () => {
    const redactor = createRedactor()
    expect(
      redactor.json({
        'someone@example.com': [{ first_name: 'Mia', password: 'x', amount: 12.5, ok: true, none: null }],
        userId: 7,
        card: 4111111111111111,
      }),
    ).toEqual({
      '⟦email 1⟧': [
        { first_name: '⟦personal 1⟧', password: '⟦secret 1⟧', amount: 12.5, ok: true, none: null },
      ],
      userId: '⟦id 1⟧',
      card: '⟦card 1⟧',
    })
  })

  test('a value learned under a telling key goes from every sentence', () => {
    const redactor = createRedactor()
    redactor.learn({ order_id: 'o-17', first_name: 'Mireille', id: 'plain', step_id: 12 })
    expect(redactor.text('Mireille wants o-17 in plain words at 12, not o-171')).toBe(
      '⟦personal 1⟧ wants ⟦id 1⟧ in plain words at 12, not o-171',
    )
  })

  test('long hostile text takes linear time', () => {
    const started = performance.now()
    for (const unit of ['a', '1', '@', 'a.', 'A1', '1 ', '-', '/home/', '"id":"', 'ey', '%40', 'password='])
      createRedactor().text(unit.repeat(50_000 / unit.length))
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('a redacted report', () => {
  const secret = 'someone@example.com'
  const input = redactInput(reportInput({ text: `x ${secret} y 078-05-1120`, name: `desk of ${secret}` }))

  test.each([
    ['markdown', markdownReport],
    ['json', jsonReport],
    ['csv', csvReport],
  ] as const)('%s holds nothing of it in any field', (_, write) => {
    const text = write(input)
    expect(text).not.toContain('example.com')
    expect(text).not.toContain('078-05')
    expect(text).toContain('⟦email 1⟧')
  })

  test('says what was replaced, and what is not looked for', () => {
    const text = markdownReport(input)
    expect(text).toMatch(/Redacted: \d+ × email \(\d different\), \d+ × ssn \(1 different\)/)
    expect(text).toContain('Names of people are not recognised')
    expect(JSON.parse(jsonReport(input)).redaction).toEqual(input.redaction)
  })

  test('keeps figures, ids of Faultline and root causes', () => {
    const json = JSON.parse(jsonReport(input))
    const plain = JSON.parse(jsonReport(reportInput({ text: 'x', name: 'y' })))
    expect(json.summary.curve).toEqual(plain.summary.curve)
    expect(json.tasks[0].id).toBe('task-1')
    expect(json.tasks[0].annotations[0].causes[0].name).toBe('Skipped check')
  })

  test('the value of a difference under a telling path goes from the sentence as well', () => {
    const made = reportInput({ text: 'uses kilo-seven_x', name: 'n' })
    const task = made.tasks[0]
    const lead = task?.view.analysis?.lead
    if (task === undefined || lead == null || task.view.analysis === null) throw new Error('no lead')
    const told = { ...lead, facet: 'arguments.reservation_id', valueFail: '"kilo-seven_x"', valuePass: null }
    const analysis = {
      ...task.view.analysis,
      findings: [{ trial: 't', state: 'lead' as const, pNone: 0, ranked: [told] }],
    }
    const redacted = redactInput({ ...made, tasks: [{ ...task, view: { ...task.view, analysis } }] })
    expect(markdownReport(redacted)).not.toContain('kilo')
  })

  test('a text cut in the middle of an address loses the torn word', () => {
    const made = reportInput({ text: 'a someone@exam', name: 'n' })
    const task = made.tasks[0]
    if (task?.pair?.left == null) throw new Error('no step')
    const pair = { left: { ...task.pair.left, args: null, cutFromChars: 900 }, right: null }
    const text = markdownReport(redactInput({ ...made, tasks: [{ ...task, pair }] }))
    expect(text.slice(text.indexOf('Said:'), text.indexOf('#### Annotations'))).not.toContain('someone')
  })
})
