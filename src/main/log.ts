// The log of the app: one JSON object per line in userData/logs, rotated at 1 MB with one older file kept.
// Says what the program did; never trajectory text, which is confidential: callers pass sentences of their own.

import { join } from 'node:path'
import electronLog from 'electron-log/node'

/** Writes lines of the log. */
export type Log = {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
  /** Where the lines go. */
  readonly path: string
}

const maxBytes = 1_000_000
const maxMessageChars = 2_000

/** Opens the log in `folder`/logs. Lines also go to the terminal when `echo` is set. */
export function openLog(folder: string, echo: boolean): Log {
  const path = join(folder, 'logs', 'main.log')
  const logger = electronLog.create({ logId: 'faultline' })
  logger.transports.file.resolvePathFn = () => path
  logger.transports.file.maxSize = maxBytes
  logger.transports.file.level = 'info'
  logger.transports.file.format = ({ message }) => [
    JSON.stringify({ at: message.date.toISOString(), level: message.level, message: message.data.join(' ') }),
  ]
  logger.transports.console.level = echo ? 'info' : false
  logger.transports.console.format = '{level}: {text}'
  const cut = (message: string): string => message.slice(0, maxMessageChars)
  return {
    path,
    info: (message) => logger.info(cut(message)),
    warn: (message) => logger.warn(cut(message)),
    error: (message) => logger.error(cut(message)),
  }
}

/** An error as a line that quotes no data: its name and its stack frames, without its message. */
export function withoutText(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [error.name, ...frames.slice(0, 8).map((line) => line.trim())].join(' ')
}
