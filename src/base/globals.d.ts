// The globals that every platform has and that the low rooms (base, model, analysis, contract, marks) use.
// Their tsconfig knows neither Node nor the DOM, so that `process` or `document` is an error there; what is
// missing from plain ES2024 is declared here one by one, only when a file needs it. Rooms above (core, main,
// renderer, cli) do not include this file: they have the real declarations.
// Must never name a global that one of Node 22, Electron 33 or a browser lacks. `console` stays out: log.ts.

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(input?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string
}

type AbortListener = () => void

declare class AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: AbortListener, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: AbortListener): void
}

declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

declare function structuredClone<T>(value: T): T
declare function queueMicrotask(callback: () => void): void
/** The handle is a number in a window and an object in Node: treat it as opaque. */
declare function setTimeout(callback: () => void, delayMs?: number): unknown
declare function clearTimeout(handle: unknown): void
declare const performance: { now(): number }
