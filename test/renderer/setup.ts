// What jsdom lacks and the window's components need: sizes (a window of 1000 × 600), observers, media queries. Only
// the platform is filled in here; Faultline's own code is never replaced.

import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

const width = 1000
const height = 600

for (const [name, value] of [
  ['offsetWidth', width],
  ['offsetHeight', height],
  ['clientWidth', width],
  ['clientHeight', height],
] as const) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value })
}

class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
globalThis.ResizeObserver ??= Observer
globalThis.CSS ??= {} as typeof CSS
CSS.escape ??= (text: string) => text.replace(/[^\w-]/g, (c) => `\\${c}`)
CSS.supports ??= () => false

Element.prototype.scrollTo ??= function scrollTo(this: Element, options?: ScrollToOptions | number): void {
  if (typeof options === 'object' && options.top !== undefined) this.scrollTop = options.top
}
Element.prototype.scrollIntoView ??= () => undefined
Element.prototype.setPointerCapture ??= () => undefined
Element.prototype.releasePointerCapture ??= () => undefined
Element.prototype.hasPointerCapture ??= () => false
Element.prototype.getAnimations ??= () => []

window.matchMedia ??= (query: string): MediaQueryList => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => undefined,
  removeListener: () => undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  dispatchEvent: () => false,
})

afterEach(() => {
  cleanup()
  window.location.hash = ''
})
