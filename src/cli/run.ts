// Runs one command: gives it the global options, the terminal and a signal that Ctrl+C aborts, and turns whatever
// comes back or is thrown into an exit code and a sentence.

import { Fault, type FaultData } from '../base/fault.ts'
import { printableJson } from '../base/json.ts'
import { visibleText } from '../base/text.ts'
import { toFaultData } from '../base/fault.ts'
import type { Terminal } from './terminal.ts'
import { EXIT, UsageError, type GlobalOptions } from './usage.ts'

/** What a command works with. */
export type Work = {
  readonly globals: GlobalOptions
  readonly terminal: Terminal
  /** Aborted by the first Ctrl+C, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal
}

/** Does a command's work and keeps its exit code. */
export type Run = (work: (work: Work) => Promise<number>) => Promise<void>

/** A runner for one command line. The exit code goes to `process.exitCode`, so that pipes are drained first. */
export function makeRun(
  terminalFor: (globals: GlobalOptions) => Terminal,
  globals: () => GlobalOptions,
): Run {
  return async (work) => {
    const options = globals()
    const terminal = terminalFor(options)
    const controller = new AbortController()
    let interrupts = 0
    const stop = (): void => {
      interrupts += 1
      // The second one does not wait: the workspace is consistent at any moment, transactions see to that.
      if (interrupts > 1) process.exit(EXIT.fault)
      terminal.progress(null)
      terminal.warn('Stopping … (once more to stop at once)')
      controller.abort()
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    // The terminal was closed: what is being written is finished, and a scratch workspace is removed.
    process.on('SIGHUP', stop)
    try {
      if (options.json === true && options.csv === true)
        throw new UsageError('Choose one of --json and --csv.')
      process.exitCode = await work({ globals: options, terminal, signal: controller.signal })
    } catch (error) {
      terminal.progress(null)
      process.exitCode = explain(error, terminal, options.json === true)
    } finally {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      process.off('SIGHUP', stop)
    }
  }
}

/** Says what went wrong and gives the exit code. With --json the fault is one JSON object, for programs. */
export function explain(error: unknown, terminal: Terminal, asJson: boolean): number {
  if (error instanceof UsageError) {
    terminal.warn(
      asJson
        ? printableJson({ error: { code: 'INVALID_INPUT', message: error.message } }, 0)
        : `faultline: ${visibleText(error.message)}`,
    )
    return EXIT.usage
  }
  const fault: FaultData = toFaultData(error)
  terminal.warn(asJson ? printableJson({ error: fault }, 0) : faultText(fault))
  if (!(error instanceof Fault) && fault.code === 'INTERNAL' && error instanceof Error && !asJson)
    terminal.warn(framesOf(error))
  return EXIT.fault
}

/** A fault in sentences: what, where, what to do. */
export function faultText(fault: FaultData): string {
  const lines = [`faultline: ${visibleText(fault.message)}`]
  if (fault.where !== undefined) lines.push(`  at ${visibleText(fault.where)}`)
  if (fault.hint !== undefined) lines.push(`  ${visibleText(fault.hint)}`)
  return lines.join('\n')
}

/** The stack without its message, which may quote a trace. */
function framesOf(error: Error): string {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .join('\n')
}
