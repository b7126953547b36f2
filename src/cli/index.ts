// The command line program: commands, help, exit codes. Starts the same core that the app forks, in this process.
// Knows no figure and no format; each command is one file in commands/.

import { Command, CommanderError } from 'commander'
import { addAbout } from './commands/about.ts'
import { addDiagnose } from './commands/diagnose.ts'
import { addCompare } from './commands/compare.ts'
import { addConfigurations } from './commands/configurations.ts'
import { addConflicts } from './commands/conflicts.ts'
import { addExport } from './commands/export.ts'
import { addImport } from './commands/import.ts'
import { addOutcomes } from './commands/outcomes.ts'
import { addPlan } from './commands/plan.ts'
import { addRules } from './commands/rules.ts'
import { addSearch } from './commands/search.ts'
import { addTask } from './commands/task.ts'
import { addTasks } from './commands/tasks.ts'
import { makeRun } from './run.ts'
import { appVersion, dataFolder } from './session.ts'
import { openTerminal, watchPipes } from './terminal.ts'
import { collect, EXIT, policyOption, type GlobalOptions } from './usage.ts'

function makeProgram(): Command {
  const program = new Command('faultline')
  program
    .description(
      'Faultline: run every task many times, import the trials, see which tasks are flaky and where their failing trials part from the passing ones. Offline: nothing leaves this machine.',
    )
    .version(appVersion(), '--version', 'print the version')
    .option(
      '--workspace <file>',
      `the workspace (default: $FAULTLINE_WORKSPACE, else the app's own, ${dataFolder()}/default.fault)`,
    )
    .option(
      '--config <label-or-id>',
      'look only at this configuration (repeatable); several are pooled, and that is said',
      collect,
    )
    .option(
      '--policy <rules>',
      'what counts: error=fail|exclude,unknown=exclude|fail (default: the workspace’s)',
      policyOption,
    )
    .option('--json', 'print JSON in full precision')
    .option('--csv', 'print CSV in full precision')
    .option('--quiet', 'print the result only')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(faultline --help says more)')
    .exitOverride()
    .addHelpText(
      'after',
      `
A first look:
  faultline import results.json          find out the format, keep the trials
  faultline outcomes attach scores.csv   outcomes that came separately
  faultline tasks                        which tasks are flaky
  faultline task airline/7               where its failing trials part
  faultline search "KeyError: 'id'"      in which trials and steps a text stands
  faultline compare v1.4 v1.5            did it get better or worse
  faultline plan --rate 0.05             how many trials show that failures are rare
  faultline export --out report.md       write it down
  faultline diagnose results.json        all of it at once, keeping nothing

Exit codes: 0 fine, 1 fault (also when nothing could be read), 2 wrong usage, 3 a --fail-on condition held.
The app and this program may have one workspace open together.`,
    )
  const run = makeRun(
    (globals) => openTerminal(globals.quiet === true),
    () => program.opts<GlobalOptions>(),
  )
  for (const add of [
    addImport,
    addOutcomes,
    addConflicts,
    addConfigurations,
    addTasks,
    addTask,
    addSearch,
    addCompare,
    addPlan,
    addExport,
    addRules,
    addDiagnose,
    addAbout,
  ])
    add(program, run)
  return program
}

watchPipes()
try {
  const program = makeProgram()
  if (process.argv.length <= 2) program.outputHelp()
  else await program.parseAsync(process.argv)
} catch (error) {
  // commander has already said what is wrong, or printed the help that was asked for.
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? EXIT.fine : EXIT.usage
}
