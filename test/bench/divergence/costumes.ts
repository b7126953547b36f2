// Families that differ in kind from lab and abstract, made from the same plans by dressing every step otherwise: tool
// names in another language, one generic tool for everything, documents as results, and a screen with clicks and typing.
// Written before the engine was fitted to any of them; first-run figures stand in docs/method-divergence.md.

import type { Json } from '../../../src/base/json.ts'
import type { Rng } from '../../../src/analysis/reliability/random.ts'
import { nameWords } from '../../../src/analysis/divergence/words.ts'
import { hash, shuffle } from './generate.ts'
import type { Args, SlotStep } from './generate.ts'

/** Turns the steps of one trial into those of another kind of system; slots stay. */
export type Costume = (steps: readonly SlotStep[], rng: Rng) => SlotStep[]

const SPANISH: Readonly<Record<string, string>> = {
  get: 'obtener',
  list: 'listar',
  search: 'buscar',
  find: 'encontrar',
  lookup: 'consultar',
  query: 'preguntar',
  fetch: 'traer',
  read: 'leer',
  describe: 'describir',
  parse: 'interpretar',
  compute: 'calcular',
  check: 'comprobar',
  verify: 'verificar',
  validate: 'validar',
  update: 'actualizar',
  create: 'crear',
  cancel: 'anular',
  assign: 'asignar',
  delete: 'borrar',
  set: 'fijar',
  send: 'enviar',
  apply: 'aplicar',
  add: 'agregar',
  order: 'pedido',
  orders: 'pedidos',
  user: 'usuario',
  customer: 'cliente',
  email: 'correo',
  product: 'producto',
  policy: 'norma',
  permission: 'permiso',
  refund: 'reembolso',
  payment: 'pago',
  methods: 'metodos',
  note: 'nota',
  date: 'fecha',
  access: 'acceso',
  input: 'entrada',
}

/** Tool names as camelCase in Spanish: `find_user_by_email` → `encontrarUsuarioByCorreo`. */
export const foreign: Costume = (steps) =>
  steps.map((step) => {
    if (step.tool === undefined) return step
    const words = nameWords(step.tool).map((word) => SPANISH[word] ?? word)
    const digits = step.tool.match(/\d+/g)?.join('') ?? ''
    const tool = words.map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('')
    return { ...step, tool: tool + digits }
  })

function isRead(tool: string): boolean {
  return !/^(create|update|cancel|assign|delete|set|send|apply|add|issue|transfer|close)/.test(tool)
}

/** One tool for everything: method, path and body of a web interface. */
export const api: Costume = (steps) =>
  steps.map((step): SlotStep => {
    if (step.tool === undefined) return step
    const args = (step.args ?? {}) as Args
    const [, ...noun] = step.tool.split('_')
    const path = `/v1/${noun.join('-')}/${step.tool.split('_')[0]}`
    return {
      ...step,
      tool: 'api_call',
      args: isRead(step.tool) ? { method: 'GET', path, params: args } : { method: 'POST', path, body: args },
    }
  })

const FILLER = [
  'This document was prepared for internal use and replaces all earlier versions.',
  'Please keep a copy for your records and report differences to the desk in charge.',
  'The figures below are binding only together with the general terms.',
  'Nothing in this paper changes agreements that were made in writing.',
]

/** Results as a printed page: letterhead, stamp, paragraphs, and the values as lines. */
export const docs: Costume = (steps, rng) =>
  steps.map((step) => {
    if (step.tool === undefined || step.obs === undefined || step.error) return step
    const values = step.obs as Args
    const lines = Object.entries(values)
      .filter(([key]) => !['request_id', 'ts', 'latency_ms'].includes(key))
      .map(
        ([key, value]) =>
          `${key.replaceAll('_', ' ')}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
      )
    const at = hash(step.tool) % FILLER.length
    const text = [
      `RECORDS OFFICE   sheet ${1 + rng.below(900)}`,
      `printed ${String(values.ts)} by terminal ${rng.below(90)}`,
      FILLER[at],
      ...lines,
      FILLER[(at + 1) % FILLER.length],
      `control ${rng.u32().toString(16)}`,
    ].join('\n')
    return { ...step, obs: text }
  })

/** A screen: every argument is typed into a field, then a button is pressed; element references change in every trial. */
export const gui: Costume = (steps, rng) => {
  const refs = new Map<string, string>()
  const numbers = Array.from({ length: 400 }, (_, i) => i + 1)
  shuffle(rng, numbers)
  const ref = (element: string): string => {
    let known = refs.get(element)
    if (known === undefined) refs.set(element, (known = `e${numbers[refs.size % numbers.length]}`))
    return known
  }
  return steps.flatMap((step): SlotStep[] => {
    if (step.tool === undefined) return [step]
    const args = Object.entries((step.args ?? {}) as Args).sort((a, b) => (a[0] < b[0] ? -1 : 1))
    const title = step.tool.replaceAll('_', ' ')
    const typed: [string, Json][] = []
    const page = (result: readonly string[]): string =>
      [
        `page "${title}" session=${rng.u32().toString(36)}`,
        ...args.map(([key]) => {
          const value = typed.find(([name]) => name === key)?.[1]
          return `- textbox "${key}" [ref=${ref(`${step.tool}.${key}`)}]: ${value === undefined ? '' : String(value)}`
        }),
        `- button "${title}" [ref=${ref(step.tool!)}]`,
        `- link "home" [ref=${ref('home')}]`,
        ...result,
      ].join('\n')
    const typing = args.map(([key, value]): SlotStep => {
      typed.push([key, value])
      return {
        kind: 'tool',
        tool: 'type',
        args: {
          ref: ref(`${step.tool}.${key}`),
          text: typeof value === 'string' ? value : JSON.stringify(value),
        },
        obs: page([]),
        error: null,
        slot: step.slot,
      }
    })
    const values = (step.obs ?? {}) as Args
    const result = Object.entries(values)
      .filter(([key]) => !['request_id', 'ts', 'latency_ms'].includes(key))
      .map(
        ([key, value]) =>
          `- text "${key}": ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
      )
    return [
      {
        kind: 'tool',
        tool: 'click',
        args: { ref: ref('menu') },
        obs: page([]),
        error: null,
        slot: step.slot,
      },
      ...typing,
      {
        kind: 'tool',
        tool: 'click',
        args: { ref: ref(step.tool) },
        obs: page(result),
        error: step.error ?? null,
        slot: step.slot,
      },
    ]
  })
}

/** All costumes by the name of their family. */
export const COSTUMES: Readonly<Record<string, Costume>> = { foreign, api, docs, gui }
