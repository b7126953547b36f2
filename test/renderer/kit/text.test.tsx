// Text from data is inert: markup stays text, hidden characters are shown, long text is cut and says so.

import { render } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { faultAsText } from '../../../src/renderer/kit/faults.ts'
import { Text } from '../../../src/renderer/kit/Text.tsx'

describe('Text', () => {
  test('markup, links and scripts stay text', () => {
    const hostile = '</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>'
    const { container } = render(<Text value={hostile} />)
    expect(container.textContent).toBe(hostile)
    expect(container.querySelectorAll('img, a, script').length).toBe(0)
  })

  test('what is hidden is written out', () => {
    const { container } = render(<Text value={'pay\u202e001\u200b$\u0000\ud800'} />)
    expect(container.textContent).toBe('pay\\u{202E}001\\u{200B}$\\u{0000}\\u{D800}')
  })

  test('long text is cut and says how much is missing', () => {
    const { container } = render(<Text value={'x'.repeat(10_500)} />)
    expect(container.textContent).toMatch(/^x{10000} … 500 characters more$/)
  })

  test('one line stays one line, also in its tooltip', () => {
    const { container } = render(<Text line value={'a\nb\u202e\tc'} limit={50} />)
    expect(container.textContent).toBe('a b\\u{202E} c')
    expect(container.querySelector('[title]')?.getAttribute('title')).toBe('a b\\u{202E} c')
  })

  test('the details of a fault carry no hidden character into the clipboard', () => {
    expect(
      faultAsText({ code: 'FORMAT_INVALID', message: 'bad \u202e', where: 'line 3', hint: 'again' }),
    ).toBe('The file is not what its format says (FORMAT_INVALID)\nbad \\u{202E}\nwhere: line 3\nhint: again')
  })
})
