// The window's protocol serves the built window and nothing beside it, always with the security policy.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { contentSecurityPolicy, serveWindow } from '../../src/main/protocol.ts'

const folder = mkdtempSync(join(tmpdir(), 'faultline-protocol-'))
const home = join(folder, 'renderer')
mkdirSync(join(home, 'assets'), { recursive: true })
mkdirSync(join(folder, 'renderer-other'))
writeFileSync(join(home, 'index.html'), '<p>window</p>')
writeFileSync(join(home, 'assets/index.js'), 'export {}')
writeFileSync(join(home, 'data.fault'), 'data')
writeFileSync(join(folder, 'secret.js'), 'secret')
writeFileSync(join(folder, 'renderer-other/secret.js'), 'secret')
symlinkSync(join(folder, 'secret.js'), join(home, 'link.js'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('serveWindow', () => {
  test.each([
    ['app://faultline/', 'text/html; charset=utf-8'],
    ['app://faultline/index.html#/tasks', 'text/html; charset=utf-8'],
    ['app://faultline/assets/index.js?v=1', 'text/javascript; charset=utf-8'],
  ])('%s is served as %s', async (url, contentType) => {
    const answer = await serveWindow(home, url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(contentType)
    expect(answer.headers.get('content-security-policy')).toBe(contentSecurityPolicy)
  })

  test.each([
    'app://faultline/../secret.js',
    'app://faultline/..%2fsecret.js',
    'app://faultline/%2e%2e/secret.js',
    'app://faultline/assets/..%2f..%2fsecret.js',
    'app://faultline/..%2frenderer-other%2fsecret.js',
    'app://faultline/link.js',
    'app://faultline/data.fault',
    'app://faultline/assets',
    'app://faultline/index.html%00.js',
    'app://faultline/%ff.js',
    'app://other/index.html',
    'file:///etc/hosts.js',
    'not a url',
  ])('%s is not found', async (url) => {
    const answer = await serveWindow(home, url)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toBe('Not found')
    expect(answer.headers.get('content-security-policy')).toBe(contentSecurityPolicy)
  })

  test('the policy allows no connection, no inline script and no foreign source', () => {
    expect(contentSecurityPolicy).toContain(`default-src 'none'`)
    expect(contentSecurityPolicy).toContain(`connect-src 'none'`)
    expect(contentSecurityPolicy).not.toMatch(/unsafe-|https?:|\*/)
  })
})
