// Calls of a general shell: the program becomes the tool's name and the words its arguments, so that `ls` and
// `git commit` are different tools. Reads the command as text; nothing is ever run.

import type { Json } from '../../base/json.ts'

const SHELL_TOOLS: ReadonlySet<string> = new Set([
  'bash',
  'shell',
  'terminal',
  'execute_bash',
  'run_command',
  'exec',
  'cmd',
  'run',
])

const READ_PROGRAMS: ReadonlySet<string> = new Set(
  `cat ls grep rg find head tail wc echo pwd which tree less diff env ps df du file stat date git-status git-diff
  git-log git-show git-branch`.split(/\s+/),
)

const CHECK_PROGRAMS: ReadonlySet<string> = new Set(
  `pytest tox jest mypy ruff flake8 eslint tsc make-test npm-test cargo-test go-test unittest`.split(/\s+/),
)

const WITH_SUBCOMMAND: ReadonlySet<string> = new Set(['git', 'npm', 'cargo', 'go', 'make', 'pip', 'docker'])

/** A shell call taken apart. */
export type ShellCall = {
  readonly tool: string
  readonly program: string
  readonly args: { readonly [key: string]: Json }
}

/** What a program does: `check`, `read` or `write` (everything unknown). */
export function classOfProgram(program: string): 'read' | 'check' | 'write' {
  if (CHECK_PROGRAMS.has(program)) return 'check'
  return READ_PROGRAMS.has(program) ? 'read' : 'write'
}

/**
 * The program of a command line: `cd x &&`, sudo, env, time, timeout and assignments are skipped, `python -m x` is x,
 * git, npm, cargo, go, make, pip and docker carry their subcommand (`git-commit`).
 */
export function shellProgram(command: string): string {
  const line = command
    .trim()
    .replace(/^(cd\s+\S+\s*(&&|;)\s*)+/, '')
    .replace(/^(sudo\s+|env\s+|time\s+|timeout\s+\S+\s+|[A-Z_]+=\S+\s+)+/, '')
  const words = line.split(/\s+/, 3)
  const program = (words[0] ?? '').replace(/^.*\//, '')
  const second = words[1] ?? ''
  if (/^python3?$/.test(program) && second === '-m') return words[2] ?? program
  return WITH_SUBCOMMAND.has(program) && second !== '' && !second.startsWith('-')
    ? `${program}-${second}`
    : program
}

/** The call as program, flags (sorted) and operands (in order); null when the tool is no shell or has no command. */
export function shellCall(tool: string, args: Json): ShellCall | null {
  if (!SHELL_TOOLS.has(tool) || typeof args !== 'object' || args === null || Array.isArray(args)) return null
  const { command, cmd, ...rest } = args as { readonly [key: string]: Json }
  const line = command ?? cmd
  if (typeof line !== 'string') return null
  const program = shellProgram(line)
  const words = (line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^["']|["']$/g, ''))
  const stem = program.split('-')[0]
  const at = words.findIndex((word) => word.replace(/^.*\//, '') === stem)
  const body = at >= 0 ? words.slice(at + 1) : words
  return {
    tool: `${tool}:${program}`,
    program,
    args: {
      ...rest,
      flags: body.filter((word) => word.startsWith('-')).sort(),
      operands: body.filter((word) => !word.startsWith('-')),
    },
  }
}
