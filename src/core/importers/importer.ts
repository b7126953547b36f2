// The shape of an importer: bytes of one source in, trials and problems out. Every format file, the registry
// and the import service meet in these types. Types only: no reading, no format, no store.
//
// For the import service, in the order of use:
//   openSources(path, signal?): AsyncGenerator<Opened>                 walk.ts       a file, or a folder walked
//   detect(source, signal?): Promise<Detection>                        detect.ts     asks every importer
//   importerById(id): Importer | null, IMPORTERS                       registry.ts   the override of a person
//   runImporter(importer, source, sink, signal): Promise<ReadReport>   reader.ts     read, but nothing is thrown
//                                                                                    except what the sink throws
//   source.sha256(signal?): Promise<string>                            source.ts     free after a whole read
// Identity is made by the store from RawTrial: contentHash = sha256(recordBytes, then identitySalt when not
// null); sourceKey is the source's own id, comparable across files, or null.

import type { Json } from '../../base/json.ts'
import type { Trial } from '../../model/trial.ts'
import type { LongTexts } from './longtexts.ts'

/** How grave a problem is. `error`: something was not read; `warning`: read, with a doubt; `info`: a note. */
export type ProblemSeverity = 'error' | 'warning' | 'info'

/** Every kind of problem that reading can meet; stable, so that reports can group by it. */
export type ProblemCode =
  | 'FILE_EMPTY' // 0 bytes, a byte-order mark only, white space only, `[]`, `{}`, a header without trials
  | 'FILE_UNREADABLE' // the operating system refused, or not a regular file
  | 'FORMAT_UNKNOWN' // no importer recognises it, or several equally
  | 'FORMAT_NOT_READ' // recognised by its content, but this version has no importer for it
  | 'FORMAT_NEWER' // a version of a known format that is newer than this program
  | 'NUL_BYTES' // NUL bytes in what should be text
  | 'TOO_LARGE' // over a limit that is named in the message
  | 'JSON_CUT_OFF' // the file ends inside a record
  | 'JSON_INVALID' // a record that is not JSON
  | 'ARCHIVE_BROKEN' // a compressed stream that ends early or fails its check
  | 'ENCODING' // bytes that are not UTF-8 were replaced
  | 'NUMBER_KEPT_AS_TEXT' // an integer over 2^53, an overflowing number: digits kept as a string
  | 'NOT_A_NUMBER' // NaN or Infinity in the source, read as null
  | 'NESTED_TOO_DEEP' // a part nested beyond the limit, kept as its JSON text
  | 'RECORD_INVALID' // JSON, but not a record of the format
  | 'RECORD_UNKNOWN' // a record of a type that the format does not know
  | 'RECORD_ORPHAN' // a part of a trial that is not in the file
  | 'RECORD_DUPLICATE' // the same id twice in one file
  | 'BRANCH_LEFT' // a part of a conversation that was rewound, not part of the trial
  | 'OUTCOME_MISSING' // kept with outcome `unknown`
  | 'DERIVED_DIFFERS' // a figure in the file that its own trials do not give
  | 'TRIALS_MISSING' // the source says that there were more trials than it holds
  | 'FORMAT_BETA' // read after the format's definition, without a real sample of it at hand
  | 'STEP_INVALID' // a step that could not be read as one
  | 'CALL_UNPARSED' // arguments of a call that are not JSON
  | 'CALL_NOT_EXECUTED' // a call written as text that nothing executed
  | 'RESULT_UNPAIRED' // a tool result that answers no call, or could answer several
  | 'REFERENCE_MISSING' // a configuration or step that is named and not there
  | 'INTERNAL' // a bug in an importer: the record is skipped, the rest goes on

/** Something that the person who imports should know, with its place in the file. */
export type Problem = {
  readonly severity: ProblemSeverity
  readonly code: ProblemCode
  readonly message: string
  /** First line of the place, from 1. */
  readonly line?: number
  /** Byte offset from 0, in the decompressed text. */
  readonly byte?: number
  /** Record index from 0. */
  readonly record?: number
  /** What to do about it. */
  readonly hint?: string
}

/** One trial as read, with what the store needs to know it again. */
export type RawTrial = {
  readonly trial: Trial
  /** The record exactly as in the (decompressed) file; several records of one trial are joined by a line feed. */
  readonly recordBytes: Buffer
  /** What must be hashed after the bytes, because the bytes alone do not tell two trials apart; usually null. */
  readonly identitySalt: string | null
  /** The source's own id, scoped so that it can be compared across files; null where there is none. */
  readonly sourceKey: string | null
  /** Present when texts of the trial's steps are only held (longtexts.ts): what finds their bytes in the record. */
  readonly held?: LongTexts
  /** Record index from 0. */
  readonly record: number
  readonly line: number | null
  readonly byteOffset: number | null
}

/** How far a read is: bytes of the file on disk, records and trials so far. */
export type ReadProgress = {
  readonly bytesRead: number
  readonly bytesTotal: number
  readonly records: number
}

/**
 * Where an importer writes to. `trial` may be asynchronous: the importer waits, which is the back pressure.
 * What `trial` throws is not caught by importers: a full disk ends the read.
 */
export type Sink = {
  trial(raw: RawTrial): void | Promise<void>
  /**
   * True when it is done with a trial's record as soon as `trial` has resolved, and takes texts that are only held: an
   * importer may then use the record's memory again, and need not decode what it only passes on.
   */
  readonly isFleeting?: true
  problem(problem: Problem): void
  progress(progress: ReadProgress): void
}

/** How sure an importer is that the source is its own, 0 to 1, and why, in words for the person. */
export type Sniff = { readonly confidence: number; readonly reason: string }

/** A reader of one format. Adding a format is a file (or folder) and one line in registry.ts. */
export type Importer = {
  readonly id: string
  readonly title: string
  /** Raised when the same bytes give other trials than before; stored with every trial. */
  readonly version: number
  /** `beta`: written without a real sample of the format at hand. */
  readonly status: 'stable' | 'beta'
  /** A name that speaks for this format when another is equally sure; it decides nothing else. */
  readonly nameHint?: RegExp
  /** Its files speak of trials that lie elsewhere: beside trajectories they are not read as trials of their own. */
  readonly isOutcomes?: boolean
  /** For a format that is a folder of files: how such a folder is known, on disk or in a zip. */
  readonly folder?: FolderRule
  /** Pure: looks at the head only, never at the file. */
  sniff(head: SourceHead): Sniff
  /** Reads the whole source. Problems go to the sink; throws only on abort or when the sink throws. */
  read(source: Source, sink: Sink, signal: AbortSignal): Promise<void>
}

/**
 * How a format that is a folder of files is known. A folder with one of the markers at its top is shown to `sniff`,
 * as a head with `entries` and `markers`; when an importer is sure, the folder is one source.
 */
export type FolderRule = {
  /** Base names (or patterns of them) of the files that are looked into before anything else is read. */
  readonly markers: readonly (string | RegExp)[]
  /** Pure: further files to be looked into, by what lies directly in the folder; sub-folders have `/` behind. */
  also?(listing: readonly string[]): readonly string[]
  /**
   * Pure: whether a file (its path inside the folder, with `/`) is part of the format; others stay sources of their own.
   * `head` is the folder as it was sniffed.
   */
  owns(name: string, head: SourceHead): boolean
}

/** What the beginning of a source looks like. */
export type SourceShape =
  | 'empty' // nothing but white space
  | 'array' // one JSON array, read element by element
  | 'values' // JSON objects one after another: JSONL, a single object, concatenated objects
  | 'text' // text that does not begin as JSON
  | 'binary' // not text
  | 'folder' // a folder that an importer may read as a whole

/** A record at the beginning of the source; cut to its complete parts when the head ends inside it. */
export type HeadRecord = { readonly value: Json; readonly complete: boolean }

/** The first 64 KiB of a source, decompressed and decoded, and what can be told from them. */
export type SourceHead = {
  readonly name: string
  readonly size: number
  readonly bytes: Buffer
  /** The same as text; a character cut at the end is dropped. */
  readonly text: string
  /** True when `bytes` is the whole content. */
  readonly isWhole: boolean
  readonly isGzip: boolean
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  readonly shape: SourceShape
  /** The container or database that the magic number names, when it is one. */
  readonly magic: string | null
  /** Up to three records. */
  readonly records: readonly HeadRecord[]
  /** Offset of the first NUL byte, or null. */
  readonly nulAt: number | null
  /**
   * The names of the members, when it is a zip that is opened; what lies directly in it, sub-folders with `/` behind,
   * when it is a folder; null otherwise.
   */
  readonly entries: readonly string[] | null
  /** For a folder: what its marker files (FolderRule) begin with, by name. */
  readonly markers?: ReadonlyMap<string, readonly HeadRecord[]>
}

/** A note that parsing leaves: what was read otherwise than written. `path` is a JSON pointer. */
export type ParseNote = {
  readonly kind: 'not-a-number' | 'number-as-text' | 'nested-as-text' | 'control-character'
  readonly path: string
  /** The text as written, cut to 40 characters. */
  readonly token: string
}

/** One record as bytes. */
export type RecordBytes = {
  readonly bytes: Buffer
  readonly index: number
  readonly line: number
  readonly byteOffset: number | null
  /** Nesting of the record: 1 for a flat object. */
  readonly depth: number
  /** False when no number in it could lose digits; not known otherwise. */
  readonly hasLongNumber?: boolean
  /** Its long strings (scanner.ts): offset and length of each in turn; not known when absent. */
  readonly texts?: Int32Array
  /** Of a file of several lists one behind the other: which of them it belongs to, from 0; absent for the first. */
  readonly list?: number
}

/** Where a record lies, as a first pass found it. */
export type RecordPlace = Omit<RecordBytes, 'bytes'> & {
  readonly byteOffset: number
  readonly length: number
}

/** One record, parsed. */
export type SourceRecord = RecordBytes & { readonly value: Json; readonly notes: readonly ParseNote[] }

/** What iterating over records yields: a record, or a place where there is none. */
export type RawItem =
  | { readonly kind: 'record'; readonly record: RecordBytes }
  | { readonly kind: 'problem'; readonly problem: Problem }

/** The same, parsed. */
export type RecordItem =
  | { readonly kind: 'record'; readonly record: SourceRecord }
  | { readonly kind: 'problem'; readonly problem: Problem }

/** What iterating over the members of large objects yields. */
export type MemberItem =
  /** Another object of the file begins: what follows is of that one. */
  | { readonly kind: 'next' }
  /** A member that is not streamed; the record is its value. */
  | { readonly kind: 'member'; readonly name: string; readonly record: RecordBytes }
  /** A streamed list begins; its elements follow. */
  | { readonly kind: 'list'; readonly name: string }
  | { readonly kind: 'element'; readonly name: string; readonly record: RecordBytes }
  | { readonly kind: 'problem'; readonly problem: Problem }

/** One line of text with its place. */
export type SourceLine = { readonly text: string; readonly line: number; readonly byteOffset: number | null }

/** One member of an archive, or one file of a folder. `refused` says why it is not read (its name, method, size); null when it may be. */
export type SourceEntry = {
  /** The member's path inside the archive or folder, with `/`. */
  readonly name: string
  /** Bytes of the content, and as they lie in the archive. */
  readonly size: number
  readonly compressedSize: number
  readonly refused: string | null
  /** The whole content. Throws Fault TOO_LARGE above 256 MiB, FORMAT_INVALID when damaged or refused. */
  read(signal?: AbortSignal): Promise<Buffer>
  /** The member as a source of its own; nothing is read before it is asked. */
  source(): Source
}

/** How records are read. */
export type RecordReading = {
  /** Of an earlier pass: the bytes are not looked at again, and what lies between is passed over. */
  readonly places?: readonly RecordPlace[] | undefined
  /** A record's bytes are needed only until the next one is asked for: their memory may then be used again. */
  readonly isFleeting?: boolean
}

/** One file (gunzipped by magic number, decoded, byte-order mark removed). An importer never opens a file itself. */
export type Source = {
  /** Base name, or the path inside the folder that was opened, with `/`. */
  readonly name: string
  readonly path: string
  /** Bytes on disk. */
  readonly size: number
  /** Whether the person named this file, or a folder that it was found in. */
  readonly origin: 'file' | 'folder'
  head(signal?: AbortSignal): Promise<SourceHead>
  /** The whole content as text. Throws Fault TOO_LARGE above 256 MiB: stream instead. */
  text(signal?: AbortSignal): Promise<string>
  lines(signal?: AbortSignal): AsyncGenerator<SourceLine>
  rawRecords(signal?: AbortSignal, how?: RecordReading): AsyncGenerator<RawItem>
  records(signal?: AbortSignal): AsyncGenerator<RecordItem>
  /** The members of JSON objects (usually one), whose named lists are given element by element: memory is one element. */
  members(lists: ReadonlySet<string>, signal?: AbortSignal): AsyncGenerator<MemberItem>
  /** Whether it is a zip whose members can be read: a file, or a zip that lies in one, and no deeper. */
  isArchive(signal?: AbortSignal): Promise<boolean>
  /** The members of such a zip, or the files of a folder; none for anything else. Throws Fault FORMAT_INVALID, TOO_LARGE. */
  entries(signal?: AbortSignal): Promise<readonly SourceEntry[]>
  /**
   * SHA-256 of the file on disk (of the content, for a member of an archive; of names, sizes and the files that were
   * read, for a folder), hexadecimal. Computed while reading; reads the file when it was not.
   */
  sha256(signal?: AbortSignal): Promise<string>
  /** Bytes of the file read so far by the running iteration. */
  bytesRead(): number
}

/** What opening a path yields: a source, or something that was left aside, with the reason. */
export type Opened =
  | { readonly kind: 'source'; readonly source: Source }
  | { readonly kind: 'skipped'; readonly name: string; readonly reason: string }

/** One importer's answer. */
export type Candidate = {
  readonly id: string
  readonly title: string
  readonly confidence: number
  readonly reason: string
}

/**
 * The answer of all importers. `importer` is null when the person must choose (`ask`) or when it is of no use
 * to ask; then `problem` says why. Candidates are sorted, surest first.
 */
export type Detection = {
  readonly importer: Importer | null
  readonly ask: boolean
  readonly candidates: readonly Candidate[]
  readonly problem: Problem | null
}

/** How reading one source ended. `failed`: an error ended it, and is among the problems. */
export type ReadReport = {
  readonly state: 'done' | 'cancelled' | 'failed'
  readonly trials: number
  readonly problems: { readonly [code: string]: number }
}
