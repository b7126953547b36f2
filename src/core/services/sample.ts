// The sample workspace: made by importing the files in resources/sample the first time it is asked for, by the same
// importer that reads a person's own files. Half-made ones are never kept.

import { readdirSync, rmSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../base/fault.ts'
import type { ImportProgress } from '../../contract/rows.ts'
import type { WorkspaceInfo } from '../../contract/workspacerows.ts'
import type { Context, RequestContext, Slice } from '../context.ts'
import { saveIsSample } from '../store/settings.ts'
import { importFiles } from './imports.ts'
import { openWorkspace } from './workspace.ts'

/** workspace.openSample */
export function sampleService(context: Context): Slice<'workspace.openSample'> {
  return {
    'workspace.openSample': (_input, request) => openSample(context, request),
  }
}

async function openSample(
  context: Context,
  { signal, progress }: RequestContext<ImportProgress>,
): Promise<WorkspaceInfo> {
  const path = join(context.userDataDir, 'sample.fault')
  const before = context.path()
  if (existsSync(path)) {
    const info = openWorkspace(context, path, false)
    // The mark is the last thing that is written: without it the making was broken off.
    if (info.isSample) return info
  }
  const files = sampleFiles(context.resourcesDir)
  try {
    await makeSample(context, path, files, signal, progress)
  } catch (error) {
    if (before !== path) openWorkspace(context, before, true)
    if (context.path() !== path) removeWorkspace(path)
    throw error
  }
  return openWorkspace(context, path, false)
}

async function makeSample(
  context: Context,
  path: string,
  files: readonly string[],
  signal: AbortSignal,
  progress: (value: ImportProgress) => void,
): Promise<void> {
  // Importing again over what a broken-off making left adds only what is missing.
  context.swap(path, true)
  const run = await importFiles(context, { paths: files, format: null, suite: null }, signal, progress)
  if (run.state === 'cancelled') throw new Fault('CANCELLED', 'Making the sample workspace was cancelled.')
  const broken = run.files.find((file) => file.state !== 'kept' && file.state !== 'unchanged')
  if (broken !== undefined) {
    throw new Fault('FILE_UNREADABLE', `The sample file ${broken.name} could not be imported.`, {
      hint: 'Install Faultline again: the file belongs to it.',
      details: broken.fault,
    })
  }
  saveIsSample(context.db(), true)
}

/** The sample's files in a stable order. Throws FILE_UNREADABLE when there are none. */
function sampleFiles(resourcesDir: string): readonly string[] {
  const folder = join(resourcesDir, 'sample')
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /\.faultline\.jsonl(\.gz)?$/.test(name))
        .sort()
    : []
  if (names.length === 0) {
    throw new Fault('FILE_UNREADABLE', 'The sample files are not there.', {
      where: folder,
      hint: 'Install Faultline again: the sample belongs to it.',
    })
  }
  return names.map((name) => join(folder, name))
}

function removeWorkspace(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
}
