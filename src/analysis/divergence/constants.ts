// Every constant of the alignment and of the divergence score, under the names of docs/method-divergence.md.
// Fitted on synthetic and real development data; changing one of them changes results, so raise VERSION in
// analyse.ts with it. Data only: nothing here computes.

/** Class of a step in scoring, as a small integer; the order is the order of CLASS_NAMES. */
export const MESSAGE = 0
export const READ = 1
export const CHECK = 2
export const WRITE = 3
export const FINAL = 4
export type ClassCode = typeof MESSAGE | typeof READ | typeof CHECK | typeof WRITE | typeof FINAL

/** Names of the classes inside scoring kinds (`write.arg`) and results, by class code. */
export const CLASS_NAMES = ['message', 'read', 'check', 'write', 'final'] as const

/** What a facet of a step is: an argument, an observed value, or the error flag. */
export const ARGUMENT = 0
export const OBSERVATION = 1
export const ERROR = 2
export type FacetType = typeof ARGUMENT | typeof OBSERVATION | typeof ERROR
export const FACET_NAMES = ['arg', 'obs', 'error'] as const

/** The constants of scoring and alignment. Scores are natural logarithms. */
export const CONFIG = {
  /** Pseudo-trials behind the novelty rate. */
  m: 3,
  /** Weight of "sharing says nothing" in the sharing term. */
  omega: 0.6,
  /** Cap of the logarithm of the Bayes factor. */
  bfCap: 5,
  /** Weight of the cascade in the score. */
  kappa: 0.6,
  /** Rate of surprising differences after a root difference. */
  rho: 0.35,
  /** Weight of a later difference that is not linked by data flow. */
  lambda0: 0.1,
  /** Weight of a later write-type difference after a write-type one. */
  lambdaW: 0.6,
  /** Least own score that may explain later differences of the same trials. */
  minOwn: 0.5,
  /** Least prior of a kind that may explain later differences of the same trials. */
  minPrior: 0.08,
  /** Divergences kept per failing trial. */
  maxRanked: 40,
  /** Least own score that may explain later differences which it feeds. */
  minOwnLinked: -0.5,
  /** Least novelty rate. */
  floor: 0.03,
  /** What a difference without effect on what followed loses. */
  inert: 3,
  /** What an omitted read without effect on its consumers loses. */
  inertMissing: 2,
  /** Score of "none of the observed differences". */
  none: 1,
  /** Evidence against a difference from each later action that agrees with the passing trials. */
  freePen: -0.03,
  /** Trials' worth of evidence that pooled noise rates may bring. */
  globalCap: 12,
  /** Alignment: opening and extending a gap. */
  gapOpen: 0.3,
  gapExt: 0.65,
  /** Share of passing trials with a step from which its absence counts as missing. */
  minPresence: 0.5,
  /** Least own score of a write-type difference that may explain an early end or a missing write. */
  wpMin: 0.5,
  /** What an observation after a divergent write loses, and the own score that makes a write divergent. */
  conseq: 2,
  conseqMin: 0,
  /** Margin of an explained difference over what it explains. */
  promotion: 0.1,
  /** Rounds of alignment. */
  rounds: 2,
  /** Actions within which a failed call must be repeated with success to count as recovered. */
  recoverWithin: 4,
  /** A segment of more cells is aligned in a band around its diagonal. */
  maxCells: 4_000_000,
  /** An action stands beside a like one below this cost: the same tool, whatever its arguments. */
  comparableCost: 0.8,
  /** A failing trial with a smaller share of such actions is not comparable; fitted (comparable.ts). */
  comparableShare: 0.3,
  /** Actions, and columns that passing trials fill, from which this is judged. */
  comparableLeast: 2,
  /** Labelings up to which the permutation test is exact, and random ones drawn beyond that. */
  exactLabelings: 5000,
  randomLabelings: 1999,
} as const

/** How much a difference of this kind is expected to matter before anything is counted. */
export const PRIOR: Readonly<Record<string, number>> = {
  'write.arg': 0.35,
  'write.missing': 0.3,
  'write.extra': 0.35,
  'write.dup': 0.35,
  'write.tool': 0.35,
  'write.obs': 0.08,
  'write.order': 0.04,
  'write.error': 0.15,
  'check.missing': 0.2,
  'check.arg': 0.12,
  'check.obs': 0.12,
  'check.order': 0.12,
  'check.error': 0.1,
  'check.extra': 0.02,
  'check.tool': 0.05,
  'read.arg': 0.06,
  'read.obs': 0.08,
  'read.missing': 0.03,
  'read.extra': 0.012,
  'read.tool': 0.04,
  'read.order': 0.015,
  'read.error': 0.06,
  term: 0.3,
  'msg.val': 0.02,
  'final.val': 0.05,
}

/** Prior of a kind that is not in the table. */
export const PRIOR_OTHER = 0.02

/** Most evidence that a later difference of this kind gives for an earlier one. */
export const CAP: Readonly<Record<string, number>> = {
  'write.arg': 3,
  'check.arg': 2,
  'read.arg': 2,
  'read.obs': 2,
  'check.obs': 2,
  'write.obs': 1,
  'write.missing': 3,
  'check.missing': 1.5,
  'read.missing': 0.4,
  'write.extra': 2,
  'write.dup': 3,
  'read.extra': 0.15,
  'check.extra': 0.3,
  'write.tool': 3,
  'read.tool': 1,
  'check.tool': 1.5,
  'write.order': 1,
  'check.order': 1,
  'read.order': 0.3,
  'read.error': 0.7,
  'check.error': 1,
  'write.error': 1.5,
  term: 3,
  'final.val': 0.8,
}

/** Cap of a kind that is not in the table. */
export const CAP_OTHER = 0.1

/** Novelty rates before anything is learned: how often a passing trial shows a new value or presence. */
export const ETA = {
  arg: 0.03,
  obs: 0.06,
  missing: 0.06,
  extra: 0.05,
  tool: 0.03,
  order: 0.05,
  error: 0.05,
  val: 0.3,
  term: 0.02,
  /** Presence of a write: passing trials seldom vary here. */
  writePresence: 0.025,
} as const

/** Costs of putting a step into a column. `FORBIDDEN` is never chosen over two gaps. */
export const COST = {
  sameCall: 0.06,
  sameCallOtherError: 0.2,
  sameTool: 0.12,
  sameToolSpan: 0.675,
  otherWrite: 1.3,
  otherRead: 0.6,
  /** Share of common values from which two reads of different tools may stand in one column. */
  otherReadShare: 0.8,
  forbidden: 9,
  /** Insertions of one gap merge below this cost. */
  mergeBelow: 0.75,
} as const
